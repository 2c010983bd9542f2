// One EVP update as aes_update and crossover time it: what is done, and where its data is.
#pragma once

#include "memory.h"
#include "reference.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace gpuaes::bench {

inline constexpr std::size_t kLargestSmall = std::size_t{64} << 10;
inline constexpr std::size_t kWhole = std::size_t{1} << 30;
inline constexpr std::size_t kQuarter = kWhole / 4;

struct Operation {
  const char* cipher;
  bool encrypt;
  const char* label;
};

inline constexpr Operation kOperations[] = {
    {"AES-128-CTR", true, "aes-128-ctr"},          {"AES-192-CTR", true, "aes-192-ctr"},
    {"AES-256-CTR", true, "aes-256-ctr"},          {"AES-128-ECB", true, "aes-128-ecb-encrypt"},
    {"AES-192-ECB", true, "aes-192-ecb-encrypt"},  {"AES-256-ECB", true, "aes-256-ecb-encrypt"},
    {"AES-128-ECB", false, "aes-128-ecb-decrypt"}, {"AES-192-ECB", false, "aes-192-ecb-decrypt"},
    {"AES-256-ECB", false, "aes-256-ecb-decrypt"}};

// "Cold" is memory that no cache holds: each call takes the next piece of a gigabyte.
struct Layout {
  Memory in;
  Memory out;
  bool in_place;
  bool cold;
  std::size_t largest;
  const char* label;
};

// Adds each operation with each layout that this machine has and each power of two from `smallest` on, without a device to 16 MiB.
void add_all(std::span<const Layout> layouts, std::size_t smallest,
             const std::function<void(const Operation&, const Layout&, std::size_t bytes)>& add);

struct Buffers {
  Block& in;
  Block& out;
};

// For updates of `bytes` bytes, or of pieces so long; each block is made once.
Buffers buffers_for(const Layout& layout, std::size_t bytes);

// Contexts of which the last is to be used. Whether round keys and data get into each other's way depends on where malloc happens
// to put a context (README.md): so each run takes one of many.
std::vector<Context> contexts_at_random(const Operation& operation, const std::string& properties);

// Whether a context with these properties makes of the input what the default provider makes of it.
bool is_right(const Operation& operation, const Layout& layout, std::size_t bytes, const std::string& properties);

}  // namespace gpuaes::bench
