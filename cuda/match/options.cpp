#include "options.h"

#include "byte_size.h"
#include "key_text.h"
#include "option_values.h"
#include "usage_error.h"

#include <unistd.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gpuaes::match {
namespace {

constexpr std::size_t kMostContext = std::size_t{4} << 10;
constexpr int kMostThreads = 1024;

constexpr const char* kSummary =
    "Finds and counts byte patterns in files of any size, on all cores and, where that is worth it, on a GPU.\n"
    "Occurrences that overlap are all found; newlines and zero bytes are bytes like others.";
constexpr const char* kUsage =
    "Usage: bfmatch [OPTION]... PATTERN [FILE]...\n       bfmatch [OPTION]... -e PATTERN|-f FILE ... [FILE]...";
constexpr const char* kFooter = "Ends with 0 if something was found, 1 if nothing was, 2 after an error. bfmatch(1) tells more.";

constexpr const char* kReturns =
    ": each line ends with a carriage return, which is taken for the pattern's last byte. If it should not be, remove it: sed "
    "'s/\\r$//'";

class HelpText final : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App*, std::string) const override { return std::string(kUsage) + "\n"; }
  std::string make_positionals(const CLI::App*) const override { return ""; }
};

// The arguments as they were given.
struct Given {
  std::vector<std::string> patterns, pattern_files, others;
  bool hex = false, dna = false, ignore_case = false, null_separated = false;
  bool counts = false, per_pattern = false, names_with = false, names_without = false, quiet = false, offsets = false;
  bool with_name = false, without_name = false, recursive = false, no_overlap = false, crc16 = false, json = false, tsv = false,
       stats = false;
  std::optional<std::uint64_t> most;
  std::size_t context = 0;
  std::optional<std::string> range, cipher, key, key_file, iv;
  std::string device = "auto", mmap = "auto";
  int threads = 0;
};

[[noreturn]] void refuse(const std::string& what) { throw UsageError(what); }

void add_patterns(CLI::App& app, Given& given)
{
  add_list(app, "-e", given.patterns, "A pattern; may be given several times")->allow_extra_args(false)->option_text("PATTERN");
  add_list(app, "-f", given.pattern_files, "A file of patterns, one a line: PATTERN or NAME<tab>PATTERN; - is standard input")
      ->allow_extra_args(false)
      ->option_text("FILE");
  app.add_flag("-0,--null-data", given.null_separated, "The patterns in files end with a zero byte, not with a newline");
  app.add_flag("--hex", given.hex, "Patterns are hexadecimal digits, with ?? for any byte");
  app.add_flag("-i,--ignore-case", given.ignore_case, "Letters of ASCII match in either case");
  app.add_flag(
      "--dna", given.dna,
      "Patterns are of A, C, G and T in either case and are found on both strands; newlines and FASTA headers are skipped");
}

void add_answers(CLI::App& app, Given& given)
{
  app.add_flag("-b,--byte-offset", given.offsets, "Print each match as OFFSET:PATTERN, which is what is done without any option");
  app.add_flag("-c,--count", given.counts, "Print the number of matches in each file instead");
  app.add_flag("--per-pattern", given.per_pattern, "Print COUNT:PATTERN for each pattern instead, zeros too");
  app.add_flag("-l,--files-with-matches", given.names_with, "Print the names of files with matches instead");
  app.add_flag("-L,--files-without-match", given.names_without, "Print the names of files without matches instead");
  app.add_flag("-q,--quiet", given.quiet, "Print nothing; end with 0 at the first match");
  add_number(app, "-m,--max-count", given.most, 0, std::numeric_limits<std::uint64_t>::max(),
             "Print at most this many matches of a file; they are counted all the same")
      ->option_text("NUMBER");
  app.add_flag("--no-overlap", given.no_overlap,
               "Of matches that overlap take the leftmost, and of those the longest, as grep does");
  app.add_flag("-H,--with-filename", given.with_name, "Print the file's name with each match; the default with several files");
  app.add_flag("-h,--no-filename", given.without_name, "Never print the file's name");
  add_number(app, "--context", given.context, 0, kMostContext,
             "Print so many bytes around each match, as hexadecimal digits and text")
      ->option_text("BYTES");
  app.add_flag("--crc16", given.crc16,
               "Print the CRC-16/MCRF4XX of each file too, or of the part that is searched; of plaintext with --decrypt");
  app.add_flag("--json", given.json, "Print a JSON object on each line");
  app.add_flag("--tsv", given.tsv, "Print columns with tabs between them");
}

void add_search(CLI::App& app, Given& given)
{
  app.add_flag("-r,--recursive", given.recursive, "Search the files in folders and below");
  add_text(app, "--range", given.range, "Only matches that start in this part of each file; sizes may end in k, m or g")
      ->option_text("OFFSET:[LENGTH]");
  add_text(app, "--decrypt", given.cipher, "Search what `openssl enc` encrypted with aes-{128,192,256}-{ctr,ecb}")
      ->option_text("CIPHER");
  add_text(app, "--key-file", given.key_file, "The key is in this file, as bytes or as hexadecimal digits")->option_text("FILE");
  add_text(app, "--key", given.key, "The key; other users may see it in the list of processes")->option_text("HEX");
  add_text(app, "--iv", given.iv, "The IV, for ctr")->option_text("HEX");
  add_text(app, "--device", given.device, "auto, cpu, or the number of a GPU that does all the work")->option_text("DEVICE");
  add_number(app, "--threads", given.threads, 1, kMostThreads, "How many threads to use; one for each core by default")
      ->option_text("NUMBER");
  add_text(app, "--mmap", given.mmap, "Map files into memory instead of reading them: auto, always or never")->option_text("WHEN");
  app.add_flag("--stats", given.stats, "Tell at the end how much was searched, how fast, and by what");
}

void refuse_together(const std::vector<std::pair<bool, const char*>>& flags)
{
  std::string given;
  int count = 0;
  for (const auto& [set, name] : flags) {
    if (!set) continue;
    given += (count++ == 0 ? "" : ", ") + std::string(name);
  }
  if (count > 1) refuse("Only one of these can be given: " + given);
}

std::string read_file(const std::string& path)
{
  if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string contents;
  try {
    contents.assign(std::istreambuf_iterator<char>(file), {});
  } catch (const std::ios_base::failure&) {  // of a folder, whatever the mask of exceptions
    file.setstate(std::ios_base::badbit);
  }
  if (!file.is_open() || file.bad()) throw std::runtime_error("-f " + path + ": " + std::strerror(errno != 0 ? errno : EIO));
  return contents;
}

std::uint64_t parse_size(std::string_view text, const std::string& range)
{
  const std::optional<std::uint64_t> bytes = byte_size(text);
  if (!bytes)
    refuse("--range " + range + ": \"" + std::string(text) + "\" isn't a size. Write OFFSET:LENGTH or OFFSET: as in 0:4g or 512m:");
  return *bytes;
}

void set_range(const std::string& range, Settings& settings)
{
  const std::size_t colon = range.find(':');
  if (colon == std::string::npos)
    refuse("--range \"" + range + "\" has no colon. Write OFFSET:LENGTH, or OFFSET: for all behind it");
  settings.begin = parse_size(std::string_view(range).substr(0, colon), range);
  const std::string_view length = std::string_view(range).substr(colon + 1);
  if (length.empty()) return;
  const std::uint64_t bytes = parse_size(length, range);
  if (bytes <= settings.end - settings.begin) settings.end = settings.begin + bytes;
}

void set_mapping(const Given& given, Settings& settings)
{
  if (given.mmap == "always")
    settings.maps = MapFiles::always;
  else if (given.mmap == "never")
    settings.maps = MapFiles::never;
  else if (given.mmap != "auto")
    refuse("--mmap \"" + given.mmap + "\": allowed are auto, always and never");
}

void set_cipher(const Given& given, Settings& settings)
{
  if (!given.cipher) {
    if (given.key || given.key_file || given.iv) refuse("--key, --key-file and --iv go with --decrypt CIPHER");
    return;
  }
  CipherSettings cipher = cipher_named(*given.cipher);
  const std::size_t bytes = key_bytes_of(cipher);
  if (given.key.has_value() == given.key_file.has_value()) refuse("--decrypt needs either --key-file FILE or --key HEX");
  cipher.key = given.key ? parse_hex(*given.key, "--key", bytes) : key_in_file(*given.key_file, "--key-file", bytes);
  const bool counts = cipher.mode == AesMode::ctr;
  if (counts != given.iv.has_value())
    refuse(counts ? "--decrypt " + cipher.name + " needs --iv HEX" : "--decrypt " + cipher.name + " takes no --iv");
  if (counts) {
    const SecretBytes iv = parse_hex(*given.iv, "--iv", sizeof cipher.counter);
    std::copy(iv.begin(), iv.end(), cipher.counter);
  }
  settings.cipher = std::move(cipher);
}

void set_patterns(Given& given, Settings& settings)
{
  std::vector<PatternText> texts;
  if (given.patterns.empty() && given.pattern_files.empty()) {
    if (given.others.empty()) refuse("There is no pattern");
    given.patterns.push_back(given.others.front());
    given.others.erase(given.others.begin());
  }
  for (const std::string& pattern : given.patterns) texts.push_back({pattern, pattern, "pattern \"" + pattern + "\""});
  const Notation notation = given.hex ? Notation::hex : given.dna ? Notation::dna : Notation::text;
  const Ends ends = given.null_separated ? Ends::zero_byte : notation == Notation::text ? Ends::newline : Ends::either_newline;
  for (const std::string& file : given.pattern_files) {
    const std::vector<PatternText> more = split_patterns(read_file(file), file, ends);
    if (ends == Ends::newline && all_end_with_returns(more)) settings.remarks.push_back("-f " + file + kReturns);
    texts.insert(texts.end(), more.begin(), more.end());
  }
  settings.patterns = make_pattern_set(texts, notation, given.ignore_case);
  settings.files = given.others;
}

void set_answer(const Given& given, Settings& settings)
{
  refuse_together({{given.counts || given.per_pattern, given.per_pattern ? "--per-pattern" : "-c"},
                   {given.names_with, "-l"},
                   {given.names_without, "-L"},
                   {given.offsets, "-b"}});
  refuse_together({{given.json, "--json"}, {given.tsv, "--tsv"}});
  refuse_together({{given.with_name, "-H"}, {given.without_name, "-h"}});
  ReportRules& report = settings.report;
  report.answer = given.quiet                         ? Answer::nothing
                  : given.counts || given.per_pattern ? Answer::counts
                  : given.names_with                  ? Answer::names_with
                  : given.names_without               ? Answer::names_without
                                                      : Answer::matches;
  report.per_pattern = given.per_pattern;
  report.no_overlap = given.no_overlap;
  report.most = given.most.value_or(report.most);
  report.context = given.context;
  report.crc16 = given.crc16;
  settings.print.format = given.json ? Format::json : given.tsv ? Format::tsv : Format::plain;
  settings.print.with_name = given.with_name || (!given.without_name && (settings.files.size() > 1 || given.recursive));
  settings.print.with_strand = given.dna;
}

void check_combinations(const Given& given, const Settings& settings)
{
  refuse_together({{given.hex, "--hex"}, {given.dna, "--dna"}});
  if (given.dna && given.range)
    refuse("--dna and --range can't be combined: a place in a sequence isn't known before all that precedes it was read");
  if (given.dna && given.cipher) refuse("--dna and --decrypt can't be combined: line ends are only known in plaintext");
  if (given.context > 0 && settings.report.answer != Answer::matches)
    refuse("--context goes with matches, not with -c, -l, -L or -q");
  if (given.context > 0 && given.cipher && given.device != "cpu")
    refuse("--context would bring plaintext of --decrypt back from the device. It is allowed with --device cpu");
}

}  // namespace

std::optional<Settings> parse_arguments(int argc, char** argv)
{
  Given given;
  CLI::App app(kSummary, "bfmatch");
  app.formatter(std::make_shared<HelpText>());
  app.footer(kFooter);
  app.set_help_flag("--help", "Print this and end");
  app.set_version_flag("--version", std::string("bfmatch (gpuaes) ") + GPUAES_VERSION, "Print the version and end");
  add_patterns(app, given);
  add_answers(app, given);
  add_search(app, given);
  add_list(app, "arguments", given.others, "The pattern, unless -e or -f gave one, and files; - is standard input")
      ->option_text("...");
  try {
    app.parse(hidden_arguments(argc, argv));
  } catch (const CLI::Success& answer) {
    app.exit(answer);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    refuse(error.what());
  }
  Settings settings;
  settings.dna = given.dna;
  settings.recursive = given.recursive;
  settings.threads = given.threads;
  settings.stats = given.stats;
  settings.progress = isatty(STDERR_FILENO) == 1;
  set_patterns(given, settings);
  set_answer(given, settings);
  if (given.range) set_range(*given.range, settings);
  settings.device = device_named(given.device);
  set_mapping(given, settings);
  set_cipher(given, settings);
  check_combinations(given, settings);
  return settings;
}

}  // namespace gpuaes::match
