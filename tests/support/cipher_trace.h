// Everything an application can see of a sequence of EVP calls, to be compared between two providers.
#pragma once

#include "bytes.h"
#include "library.h"

#include <openssl/evp.h>

#include <string>
#include <vector>

namespace gpuaes::test {

// Takes all errors off this thread's queue: "library:reason" of each, oldest first.
std::string take_errors();

// One cipher context whose calls write what they did into a trace. Traces of two providers must be equal.
class Traced {
 public:
  Traced(const Library& library, const std::string& name);
  // A copy in mid-stream, with an empty trace.
  Traced(const Traced& other);
  Traced& operator=(const Traced&) = delete;

  // Null pointers stand for what isn't passed.
  void init(const Bytes* key, const Bytes* iv, bool encrypt);
  void set_padding(bool padding);
  // An update from `in` to memory apart from it.
  void update(const Bytes& in);
  // In place, at `out` bytes from the start of a buffer that holds `in` at `in_shift`; what an application does to have both
  // unaligned.
  void update_shifted(const Bytes& in, std::size_t in_shift, std::size_t out_shift);
  void update_in_place(const Bytes& in, std::size_t shift = 0);
  void update_raw(std::uint8_t* out, const std::uint8_t* in, int bytes);
  void one_shot(const Bytes& in);
  void final();
  // IVs, num, padding, key and block length as the context reports them.
  void parameters();

  EVP_CIPHER_CTX* get() const { return context_.get(); }
  const Bytes& output() const { return output_; }
  const std::vector<std::string>& trace() const { return trace_; }

 private:
  void note(const std::string& what, int result);

  CipherPointer cipher_;
  ContextPointer context_;
  Bytes output_;  // of all updates and finals
  std::vector<std::string> trace_;
};

}  // namespace gpuaes::test
