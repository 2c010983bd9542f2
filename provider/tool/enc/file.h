// Files as the system knows them: descriptors that close themselves, whole reads and writes, and errors that name the file.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace gpuaes::enc {

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  int get() const { return number_; }

 private:
  int number_;
};

// Throws std::runtime_error: the name and what errno says.
[[noreturn]] void fail(const std::string& name);

struct stat status_of(int descriptor, const std::string& name);
bool is_same_file(const struct stat& a, const struct stat& b);

// Fewer bytes only at the end of the file. `position` is in the file.
std::size_t read_at(int descriptor, std::uint8_t* to, std::size_t bytes, std::uint64_t position, const std::string& name);
void write_at(int descriptor, const std::uint8_t* from, std::size_t bytes, std::uint64_t position, const std::string& name);
// What direct writes want of place, length and memory: more than most disks and file systems.
inline constexpr std::size_t kDirectAlignment = 4096;
// The same open file once more, for writes that pass the page cache by; -1 where there is no such thing.
Descriptor reopened_for_direct_writes(int descriptor);
// Writes what it can that way, and returns how much that was.
std::size_t write_directly(int descriptor, const std::uint8_t* from, std::size_t bytes, std::uint64_t position);
// Where the descriptor stands.
void write_next(int descriptor, const std::uint8_t* from, std::size_t bytes, const std::string& name);

}  // namespace gpuaes::enc
