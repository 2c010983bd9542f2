// Writes what was found, in the form that was asked for.
#pragma once

#include "patterns.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gpuaes::match {

enum class Format { plain, tsv, json };

// What lies around a match; empty where it wasn't asked for.
struct Surroundings {
  std::string bytes;
  std::size_t before = 0;  // how many of them precede the match
  std::size_t length = 0;  // of the match
};

struct PrintRules {
  Format format = Format::plain;
  bool with_name = false;    // of the input, before everything else; JSON and TSV always have it
  bool with_strand = false;  // + or - behind everything else
};

class Printer {
 public:
  // Writes to a file descriptor.
  Printer(int file, const PrintRules& rules, const PatternSet& patterns) : file_(file), rules_(rules), patterns_(patterns) {}

  void match(const std::string& input, std::uint64_t offset, const Needle& needle, const Surroundings& around);
  void count(const std::string& input, std::uint64_t count);
  void count_of(const std::string& input, const Wanted& wanted, std::uint64_t count);
  void name(const std::string& input);
  // A CRC-16/MCRF4XX, and of how many bytes.
  void crc16(const std::string& input, std::uint16_t value, std::uint64_t bytes);

  // Throws std::runtime_error if what was printed can't be written.
  void flush();

 private:
  void row(std::initializer_list<std::string_view> cells);
  void end_row();
  void plain_name(const std::string& input);
  void plain_surroundings(const Surroundings& around);

  const int file_;
  const PrintRules rules_;
  const PatternSet& patterns_;
  std::string text_;
};

}  // namespace gpuaes::match
