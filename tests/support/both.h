// One cipher context of gpuaes and one of the default provider, which are made to do the same and compared after each call, by
// everything that an application can see of it.
#pragma once

#include "bytes.h"
#include "library.h"

#include "engine/device.h"

#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace gpuaes::test {

// All that an application can see of one call.
struct Seen {
  std::vector<long long> numbers;
  Bytes bytes;
  bool operator==(const Seen&) const = default;
};

// What is done, call by call, by this thread since it was last cleared: for who wants to know how a difference came about.
std::vector<std::string>& steps_so_far();

// They did differ.
struct Difference : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Where a call's data is. For the default provider the kinds are ordinary.
struct Placement {
  MemoryKind in = MemoryKind::ordinary;
  MemoryKind out = MemoryKind::ordinary;
  bool one_buffer = false;  // `out` is where `in` is, at other bytes of it or at the same
  std::size_t in_at = 0;
  std::size_t out_at = 0;
};

// Every call throws Difference if there is one.
class Both {
 public:
  Both(const Library& gpuaes, const std::string& cipher);
  Both(const Both& other);  // by EVP_CIPHER_CTX_copy
  Both& operator=(const Both&) = delete;

  // Does `call` to each and compares. Whether it returned 1, which is the first of the numbers.
  bool call(const std::string& what, const std::function<Seen(EVP_CIPHER_CTX* context, bool of_gpuaes)>& call);

  // Null pointers stand for what isn't passed, -1 for the direction as before. A cipher other than before may be named.
  bool init(const std::string* cipher, const Bytes* key, const Bytes* iv, int encrypt, const OSSL_PARAM* params);
  bool update(std::span<const std::uint8_t> in, Placement placement);
  bool one_shot(std::span<const std::uint8_t> in, const Placement& placement);
  bool final(MemoryKind out);
  // IVs and num, as the contexts report them.
  void compare_position();
  // EVP_CIPHER_CTX_reset, and the cipher again.
  bool reset(const std::string& cipher);

 private:
  bool pass(const std::string& what, std::span<const std::uint8_t> in, const Placement& placement,
            const std::function<int(EVP_CIPHER_CTX*, std::uint8_t* out, int* written, const std::uint8_t* in)>& call);

  const Library& gpuaes_;
  const unsigned number_;         // in the steps
  std::ptrdiff_t held_back_ = 0;  // of the input so far
  ContextPointer contexts_[2];    // of gpuaes, of the default provider
};

}  // namespace gpuaes::test
