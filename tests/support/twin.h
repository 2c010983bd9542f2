// One CTR context of gpuaes and one of the default provider that are made to do the same, for streams too long to be kept.
#pragma once

#include "bytes.h"
#include "library.h"

#include <string>

namespace gpuaes::test {

class Twin {
 public:
  Twin(const Library& gpuaes, const std::string& cipher);
  Twin(const Twin& other);  // by dupctx
  Twin& operator=(const Twin&) = delete;

  // Null: as before.
  void init(const Bytes* key, const Bytes* iv, bool encrypt = true);
  // One update on each; false, and a note in `wrong`, if anything differs.
  bool update(std::size_t bytes, bool in_place = false, std::size_t shift = 0);
  // The parameters that tell the position.
  bool same_parameters();
  void set_num(unsigned num);
  // Small updates until some bytes were served by keystream ahead; false if that never happens.
  bool run_until_ahead(const Library& gpuaes);

  const std::string& wrong() const { return wrong_; }
  // 0: of gpuaes; 1: of the default provider.
  EVP_CIPHER_CTX* context(int which) const { return contexts_[which].get(); }

 private:
  bool note(bool right, const std::string& what);

  ContextPointer contexts_[2];
  std::size_t at_ = 0;
  std::string wrong_;
};

// Bytes that were served by keystream, of contexts that have told.
std::uint64_t bytes_ahead(const Library& gpuaes);

}  // namespace gpuaes::test
