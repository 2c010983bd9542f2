#include "repeated_mapping.h"

#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>

namespace gpuaes::test {

RepeatedMapping::RepeatedMapping(const Bytes& block, std::size_t times) : size_(times * kBlock)
{
  const int file = memfd_create("gpuaes test", MFD_CLOEXEC);
  const bool written = file >= 0 && write(file, block.data(), kBlock) == static_cast<ssize_t>(kBlock);
  void* const space = mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (!written || space == MAP_FAILED) throw std::runtime_error("no room for a long message");
  data_ = static_cast<std::uint8_t*>(space);
  for (std::size_t at = 0; at < size_; at += kBlock)
    if (mmap(data_ + at, kBlock, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED)
      throw std::runtime_error("a block could not be mapped again");
  close(file);
}

RepeatedMapping::~RepeatedMapping() { munmap(data_, size_); }

}  // namespace gpuaes::test
