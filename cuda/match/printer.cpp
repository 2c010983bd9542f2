#include "printer.h"

#include <unistd.h>

#include <nlohmann/json.hpp>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <stdexcept>

namespace gpuaes::match {
namespace {

constexpr std::size_t kFlushAt = std::size_t{256} << 10;

std::string_view decimal(std::uint64_t number, char (&digits)[20])
{
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  return {digits, static_cast<std::size_t>(end - digits)};
}

std::string hex_of(std::string_view bytes, char between)
{
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (!text.empty() && between != '\0') text += between;
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

std::string printable(std::string_view bytes)
{
  std::string text(bytes);
  for (char& c : text)
    if (c < ' ' || c > '~') c = '.';
  return text;
}

// Tabs and line ends are what TSV can't hold.
std::string tsv_cell(std::string_view text)
{
  std::string cell;
  for (const char c : text) {
    if (c == '\t')
      cell += "\\t";
    else if (c == '\n')
      cell += "\\n";
    else if (c == '\r')
      cell += "\\r";
    else if (c == '\\')
      cell += "\\\\";
    else
      cell += c;
  }
  return cell;
}

// JSON is UTF-8; file names and patterns needn't be: what isn't becomes U+FFFD.
std::string line_of(const nlohmann::ordered_json& object)
{
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace

void Printer::end_row()
{
  if (text_.size() >= kFlushAt) flush();
}

void Printer::row(std::initializer_list<std::string_view> cells)
{
  bool first = true;
  for (const std::string_view cell : cells) {
    if (!first) text_ += '\t';
    text_ += tsv_cell(cell);
    first = false;
  }
}

void Printer::plain_name(const std::string& input)
{
  if (!rules_.with_name) return;
  text_.append(input).append(":");
}

// Example, of the match "cd" with three bytes around it:
//   61 62 [63 64] 65 66 67  ab[cd]efg
void Printer::plain_surroundings(const Surroundings& around)
{
  const std::string_view bytes = around.bytes;
  const std::string_view before = bytes.substr(0, around.before), match = bytes.substr(around.before, around.length);
  const std::string_view after = bytes.substr(around.before + match.size());
  text_ += "  " + hex_of(before, ' ') + (before.empty() ? "[" : " [") + hex_of(match, ' ') + (after.empty() ? "]" : "] ") +
           hex_of(after, ' ') + "  " + printable(before) + "[" + printable(match) + "]" + printable(after) + "\n";
}

void Printer::match(const std::string& input, std::uint64_t offset, const Needle& needle, const Surroundings& around)
{
  const std::string& label = patterns_.wanted[needle.wanted].label;
  const char* const strand = needle.reverse ? "-" : "+";
  char digits[20];
  switch (rules_.format) {
    case Format::plain:
      plain_name(input);
      text_ += decimal(offset, digits);
      text_ += ':';
      text_ += label;
      if (rules_.with_strand) text_.append(":").append(strand);
      text_ += '\n';
      if (!around.bytes.empty()) plain_surroundings(around);
      break;
    case Format::tsv:
      row({input, decimal(offset, digits), label});
      if (rules_.with_strand) text_.append("\t").append(strand);
      if (!around.bytes.empty()) text_.append("\t").append(hex_of(around.bytes, '\0'));
      text_ += '\n';
      break;
    case Format::json: {
      nlohmann::ordered_json object = {{"type", "match"}, {"file", input}, {"offset", offset}, {"pattern", label}};
      if (rules_.with_strand) object["strand"] = strand;
      if (!around.bytes.empty()) {
        object["context"] = hex_of(around.bytes, '\0');
        object["context_before"] = around.before;
      }
      text_ += line_of(object);
      break;
    }
  }
  end_row();
}

void Printer::count(const std::string& input, std::uint64_t count)
{
  char digits[20];
  switch (rules_.format) {
    case Format::plain:
      plain_name(input);
      text_.append(decimal(count, digits)).append("\n");
      break;
    case Format::tsv:
      row({input, decimal(count, digits)});
      text_ += '\n';
      break;
    case Format::json:
      text_ += line_of({{"type", "count"}, {"file", input}, {"count", count}});
      break;
  }
  end_row();
}

void Printer::count_of(const std::string& input, const Wanted& wanted, std::uint64_t count)
{
  char digits[20];
  switch (rules_.format) {
    case Format::plain:
      plain_name(input);
      text_.append(decimal(count, digits)).append(":").append(wanted.label).append("\n");
      break;
    case Format::tsv:
      row({input, decimal(count, digits), wanted.label});
      text_ += '\n';
      break;
    case Format::json:
      text_ += line_of({{"type", "count"}, {"file", input}, {"pattern", wanted.label}, {"count", count}});
      break;
  }
  end_row();
}

void Printer::name(const std::string& input)
{
  switch (rules_.format) {
    case Format::plain:
      text_.append(input).append("\n");
      break;
    case Format::tsv:
      row({input});
      text_ += '\n';
      break;
    case Format::json:
      text_ += line_of({{"type", "file"}, {"file", input}});
      break;
  }
  end_row();
}

void Printer::crc16(const std::string& input, std::uint16_t value, std::uint64_t bytes)
{
  const char high_first[2] = {static_cast<char>(value >> 8), static_cast<char>(value)};
  const std::string digits = hex_of({high_first, sizeof high_first}, '\0');
  switch (rules_.format) {
    case Format::plain:
      plain_name(input);
      text_.append("crc16:").append(digits).append("\n");
      break;
    case Format::tsv:
      row({input, "crc16", digits});
      text_ += '\n';
      break;
    case Format::json:
      text_ += line_of({{"type", "crc16"}, {"file", input}, {"crc16", digits}, {"bytes", bytes}});
      break;
  }
  end_row();
}

void Printer::flush()
{
  std::size_t done = 0;
  while (done < text_.size()) {
    const ssize_t written = write(file_, text_.data() + done, text_.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      text_.clear();
      throw std::runtime_error(std::string("the output can't be written: ") + std::strerror(errno));
    }
    done += static_cast<std::size_t>(written);
  }
  text_.clear();
}

}  // namespace gpuaes::match
