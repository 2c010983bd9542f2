// Byte strings of tests: from hexadecimal, and in a pattern whose period of 251 shows blocks that were swapped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace gpuaes::test {

using Bytes = std::vector<std::uint8_t>;

// Ignores spaces. Throws std::invalid_argument.
Bytes from_hex(std::string_view text);
std::string to_hex(const Bytes& bytes);

// Byte i is (first + i) % 251.
Bytes pattern(std::size_t bytes, std::size_t first = 0);

// A key that depends on its length and on `salt`.
Bytes test_key(std::size_t bytes, std::uint8_t salt = 0);

// Where two byte strings differ first, in words; empty if they are equal. Messages of whole buffers help nobody.
std::string first_difference(const Bytes& got, const Bytes& expected);

// `counter` plus a number of blocks, modulo 2^128, by school arithmetic on its bytes: independent of the code under test.
Bytes counter_plus(Bytes counter, std::uint64_t blocks);

}  // namespace gpuaes::test
