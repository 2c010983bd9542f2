#include "test_memory.h"

#include "cuda_memory.h"
#include "host/host_memory.h"
#include "test_device.h"

#include <algorithm>
#include <cstring>

namespace gpuaes::test {

TestMemory::TestMemory(MemoryKind kind, std::size_t bytes) : kind_(kind)
{
  bytes = std::max<std::size_t>(bytes, 1);
  if (kind == MemoryKind::ordinary)
    data_ = new std::uint8_t[bytes];
  else
    data_ = static_cast<std::uint8_t*>(on_cuda() ? cuda_allocate(kind, bytes) : host_memory::allocate(kind, bytes));
}

TestMemory::~TestMemory()
{
  if (kind_ == MemoryKind::ordinary)
    delete[] data_;
  else if (on_cuda())
    cuda_release(kind_, data_);
  else
    host_memory::release(data_);
}

void TestMemory::copy(void* to, const void* from, std::size_t bytes) const
{
  if (bytes == 0) return;
  if (kind_ == MemoryKind::ordinary)
    std::memcpy(to, from, bytes);
  else if (on_cuda())
    cuda_copy(to, from, bytes);
  else
    std::memcpy(host_memory::reach(to), host_memory::reach(from), bytes);
}

void TestMemory::upload(const Bytes& contents, std::size_t at) { copy(data_ + at, contents.data(), contents.size()); }

Bytes TestMemory::download(std::size_t at, std::size_t bytes) const
{
  Bytes result(bytes);
  copy(result.data(), data_ + at, bytes);
  return result;
}

}  // namespace gpuaes::test
