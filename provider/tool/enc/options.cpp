#include "options.h"

#include "match/byte_size.h"
#include "match/usage_error.h"

#include <getopt.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gpuaes::enc {
namespace {

constexpr int kUsualIterations = 10000;
constexpr int kMostThreads = 1024;

[[noreturn]] void refuse(const std::string& what) { throw match::UsageError(what + ". See gpuaes enc --help"); }

// The settings as they come together, and what can only be judged at the end.
struct Given {
  Settings settings;
  bool has_output = false;
  bool help = false;
};

// Whoever looks at the list of processes from now on won't see it.
SecretBytes take_secret(char* argument)
{
  const std::size_t bytes = std::strlen(argument);
  SecretBytes secret(argument, argument + bytes);
  std::memset(argument, '*', bytes);
  return secret;
}

int positive(const char* option, const char* text, int most)
{
  int value = 0;
  const char* const end = text + std::strlen(text);
  const auto parsed = std::from_chars(text, end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end || value < 1 || value > most)
    refuse(std::string(option) + " " + text + ": it takes a number from 1 to " + std::to_string(most));
  return value;
}

std::uint64_t size(const char* option, const char* text)
{
  const std::optional<std::uint64_t> bytes = match::byte_size(text);
  if (!bytes) refuse(std::string(option) + " " + text + ": it takes a number of bytes, which may end in k, m or g");
  return *bytes;
}

// The names that every shell user knows for standard output: opened, a file there would be a second one, at its beginning.
std::string output_named(std::string_view name) { return std::string(name == "/dev/stdout" || name == "/dev/fd/1" ? "-" : name); }

struct Option {
  const char* name;
  const char* argument;  // its name in the help, or null if there is none
  const char* help;
  void (*take)(Given& given, char* argument);
};

constexpr Option kOfOpenSsl[] = {
    {"e", nullptr, "Encrypt, which is what is done without -d", [](Given& g, char*) { g.settings.decrypts = false; }},
    {"d", nullptr, "Decrypt", [](Given& g, char*) { g.settings.decrypts = true; }},
    {"in", "FILE", "Read this file; others may follow, and - is standard input",
     [](Given& g, char* a) { g.settings.inputs.push_back(a); }},
    {"out", "FILE", "Write this file; - is standard output",
     [](Given& g, char* a) {
       g.settings.output = output_named(a);
       g.has_output = true;
     }},
    {"pass", "SOURCE", "A passphrase from pass:TEXT, env:VARIABLE, file:PATH, fd:NUMBER or stdin",
     [](Given& g, char* a) {
       const std::string_view source(a);
       g.settings.key.passphrase_source.emplace(source.begin(), source.end());
       if (source.starts_with("pass:")) take_secret(a + 5);
     }},
    {"kfile", "FILE", "A passphrase from the first line of a file",
     [](Given& g, char* a) {
       g.settings.key.passphrase_file = a;
       g.settings.key.passphrase.reset();
     }},
    {"k", "TEXT", "A passphrase; other users may see it in the list of processes",
     [](Given& g, char* a) {
       g.settings.key.passphrase = take_secret(a);
       g.settings.key.passphrase_file.reset();
     }},
    {"pbkdf2", nullptr, "Derive the key by PBKDF2, as everybody should",
     [](Given& g, char*) { g.settings.key.iterations = g.settings.key.iterations.value_or(kUsualIterations); }},
    {"iter", "NUMBER", "The same with so many iterations; 10000 without this",
     [](Given& g, char* a) { g.settings.key.iterations = positive("-iter", a, std::numeric_limits<int>::max()); }},
    {"md", "DIGEST", "Derive the key with this digest; sha256 without this", [](Given& g, char* a) { g.settings.key.digest = a; }},
    {"S", "HEX", "The salt. Then the file tells none: who decrypts must give it too",
     [](Given& g, char* a) { g.settings.key.salt_hex = a; }},
    {"salt", nullptr, "Derive the key with a salt, which is what is done without -nosalt",
     [](Given& g, char*) { g.settings.key.salted = true; }},
    {"nosalt", nullptr, "Derive the key without a salt", [](Given& g, char*) { g.settings.key.salted = false; }},
    {"K", "HEX", "The key; other users may see it in the list of processes",
     [](Given& g, char* a) { g.settings.key.key_hex = take_secret(a); }},
    {"iv", "HEX", "The IV, for CTR", [](Given& g, char* a) { g.settings.key.iv_hex = a; }},
    {"nopad", nullptr, "No padding; ECB data must be a multiple of 16 bytes", [](Given& g, char*) { g.settings.padding = false; }},
    {"p", nullptr, "Print salt, key and IV", [](Given& g, char*) { g.settings.print_key = PrintKey::too; }},
    {"P", nullptr, "Print salt, key and IV, and do nothing else", [](Given& g, char*) { g.settings.print_key = PrintKey::only; }},
};

constexpr Option kOurs[] = {
    {"key-file", "FILE", "The key is in this file, as bytes or as hexadecimal digits",
     [](Given& g, char* a) { g.settings.key.key_file = a; }},
    {"out-dir", "FOLDER", "Write each input to a file of the same name in this folder",
     [](Given& g, char* a) { g.settings.output_folder = a; }},
    {"force", nullptr, "Replace what is there", [](Given& g, char*) { g.settings.force = true; }},
    {"no-sync", nullptr, "Don't wait until the output is on the disk", [](Given& g, char*) { g.settings.sync = false; }},
    {"offset", "BYTES", "Begin at this byte of the data; CTR alone. May end in k, m or g",
     [](Given& g, char* a) { g.settings.offset = size("--offset", a); }},
    {"length", "BYTES", "Do no more than so many bytes; CTR alone. May end in k, m or g",
     [](Given& g, char* a) { g.settings.length = size("--length", a); }},
    {"crc16", nullptr, "Print the CRC-16/MCRF4XX of plaintext and ciphertext", [](Given& g, char*) { g.settings.crc16 = true; }},
    {"verify", nullptr, "Read the output again, undo it and compare it with the input",
     [](Given& g, char*) { g.settings.verify = true; }},
    {"device", "DEVICE", "auto, cpu, or the number of a GPU that does all the work",
     [](Given& g, char* a) { g.settings.device = match::device_named(a); }},
    {"threads", "NUMBER", "How many threads to use; one for each core without this",
     [](Given& g, char* a) { g.settings.threads = positive("--threads", a, kMostThreads); }},
    {"stats", nullptr, "Tell at the end how fast it was, and by what", [](Given& g, char*) { g.settings.stats = true; }},
    {"json", nullptr, "Print an object for each input, with checksums and what --stats tells",
     [](Given& g, char*) { g.settings.json = true; }},
    {"help", nullptr, "Print this and end", [](Given& g, char*) { g.help = true; }},
};

void print_help(const char* dashes, const Option* first, const Option* last)
{
  for (const Option* option = first; option != last; ++option) {
    const std::string name =
        std::string(dashes) + option->name + (option->argument == nullptr ? "" : std::string(" ") + option->argument);
    std::printf("  %-18s %s\n", name.c_str(), option->help);
  }
}

std::string all_ciphers()
{
  std::string all;
  for (const CipherKind& cipher : kCiphers) all += (all.empty() ? "-" : ", -") + std::string(cipher.name);
  return all;
}

void print_help()
{
  std::puts(
      "Usage: gpuaes enc -CIPHER [OPTION]... [-in FILE...] [-out FILE | --out-dir FOLDER]\n\n"
      "Encrypts and decrypts files in the format of `openssl enc`, on all cores and, where that is worth it, on a GPU.\n");
  std::printf("Ciphers: %s\n\nAs in openssl enc:\n", all_ciphers().c_str());
  print_help("-", std::begin(kOfOpenSsl), std::end(kOfOpenSsl));
  std::puts("\nOthers:");
  print_help("--", std::begin(kOurs), std::end(kOurs));
  std::puts("\nOne dash or two make no difference. Ends with 0, or 2 after an error. gpuaes-enc(1) tells more.");
}

// In the order of getopt's numbers: options of OpenSSL, ours, ciphers.
constexpr int kNumbers = 1000;

std::vector<option> for_getopt()
{
  std::vector<option> all;
  const auto add = [&](const char* name, bool argument) {
    all.push_back({name, argument ? required_argument : no_argument, nullptr, kNumbers + static_cast<int>(all.size())});
  };
  for (const Option& option : kOfOpenSsl) add(option.name, option.argument != nullptr);
  for (const Option& option : kOurs) add(option.name, option.argument != nullptr);
  for (const CipherKind& cipher : kCiphers) add(cipher.name, false);
  all.push_back({});
  return all;
}

void take(Given& given, std::size_t number, char* argument)
{
  if (number < std::size(kOfOpenSsl)) return kOfOpenSsl[number].take(given, argument);
  number -= std::size(kOfOpenSsl);
  if (number < std::size(kOurs)) return kOurs[number].take(given, argument);
  given.settings.cipher = &kCiphers[number - std::size(kOurs)];
}

// As it was written, without dashes: getopt would take the beginning of a name for the name.
std::string_view name_as_written(char** argv)
{
  const bool argument_apart = optarg != nullptr && optarg == argv[optind - 1];
  std::string_view word = argv[optind - (argument_apart ? 2 : 1)];
  word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
  return word.substr(0, word.find('='));
}

[[noreturn]] void refuse_option(char** argv)
{
  const std::string name(name_as_written(argv)), word = argv[optind - 1];
  if (name.starts_with("aes") || EVP_get_cipherbyname(name.c_str()) != nullptr)
    refuse(word + ": there is no such cipher here. There are " + all_ciphers());
  refuse(word + ": there is no such option");
}

void check_outputs(const Given& given)
{
  const Settings& settings = given.settings;
  if (settings.output_folder && given.has_output) refuse("Only one of these can be given: -out, --out-dir");
  if (settings.output.empty()) refuse("-out: the name of the file is empty; - is standard output");
  if (!settings.output_folder) {
    if (settings.inputs.size() > 1) refuse("Several inputs need --out-dir FOLDER");
    return;
  }
  if (!std::filesystem::is_directory(*settings.output_folder))
    refuse("--out-dir " + *settings.output_folder + ": there is no such folder");
  std::set<std::string> names;
  for (const std::string& input : settings.inputs) {
    const std::string name = std::filesystem::path(input).filename().string();
    if (input == "-" || name.empty()) refuse("--out-dir: \"" + input + "\" has no name that the output could have");
    if (!names.insert(name).second) refuse("--out-dir: two inputs have the name " + name);
  }
}

void check(const Given& given)
{
  const Settings& settings = given.settings;
  const KeySettings& key = settings.key;
  if (settings.cipher == nullptr) refuse("No cipher was given. There are " + all_ciphers());
  check_outputs(given);
  if (key.key_hex && key.key_file) refuse("Only one of these can be given: -K, --key-file");
  const bool own_salts = (!key.has_key() || key.has_passphrase()) && key.salted && !key.salt_hex;
  const bool own_keystreams = own_salts && !(key.has_key() && key.iv_hex);
  if (settings.inputs.size() > 1 && settings.cipher->counts && !settings.decrypts && !own_keystreams)
    refuse(
        "Several inputs would share a key and an IV, and so their keystream. With CTR, a passphrase and no -S give each its own");
  if (!settings.is_part()) return;
  if (!settings.cipher->counts) refuse("--offset and --length go with CTR");
  if (!settings.decrypts && own_salts)
    refuse(
        "--offset and --length: each part would get a salt of its own. A key by --key-file or -K, or -S or -nosalt, makes them fit "
        "together");
}

}  // namespace

std::optional<Settings> parse_arguments(int argc, char** argv)
{
  const std::vector<option> options = for_getopt();
  Given given;
  optind = 0;  // begin anew
  opterr = 0;
  for (int found = 0; (found = getopt_long_only(argc, argv, ":", options.data(), nullptr)) != -1;) {
    if (found == ':') refuse(std::string(argv[optind - 1]) + " needs an argument");
    const auto number = static_cast<std::size_t>(found - kNumbers);
    if (found < kNumbers || name_as_written(argv) != options[number].name) refuse_option(argv);
    take(given, number, optarg);
  }
  if (given.help) return print_help(), std::nullopt;
  Settings& settings = given.settings;
  settings.inputs.insert(settings.inputs.end(), argv + optind, argv + argc);
  if (settings.inputs.empty()) settings.inputs.push_back("-");
  settings.progress = isatty(STDERR_FILENO) == 1;
  check(given);
  return std::move(settings);
}

}  // namespace gpuaes::enc
