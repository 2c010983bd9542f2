// Takes the sequence out of a FASTA file as it streams by: line ends go, and a header becomes one byte that no base matches, so
// that no match reaches from one sequence into the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gpuaes::match {

// From byte `at` of the sequence on, bytes are those from byte `in_file` of the file on; up to the next of these.
struct SequencePart {
  std::uint64_t at = 0;
  std::uint64_t in_file = 0;
};

class FastaFilter {
 public:
  explicit FastaFilter(bool notes_parts) : notes_parts_(notes_parts) {}

  // Moves what belongs to the sequence from `raw`, the next bytes of the file, to `out`, which may be the same memory. Returns how
  // many bytes that is.
  std::size_t filter(std::span<const std::uint8_t> raw, std::uint8_t* out);

  // The parts that began since the last call, if they are noted.
  std::vector<SequencePart> take_parts();

 private:
  void note(std::uint64_t at, std::uint64_t in_file);

  const bool notes_parts_;
  bool at_line_start_ = true;
  bool in_header_ = false;
  std::uint64_t read_ = 0;     // bytes of the file
  std::uint64_t written_ = 0;  // bytes of the sequence
  std::vector<SequencePart> parts_;
};

// Where byte `at` of the sequence is in the file; `parts` are in order, and the first isn't behind `at`.
std::uint64_t place_in_file(std::span<const SequencePart> parts, std::uint64_t at);

}  // namespace gpuaes::match
