#include "jobs.h"

#include <string.h>

namespace gpuaes {

AesKey::AesKey(std::span<const std::uint8_t> key)
    : encrypt_(expand_key(key)), decrypt_(invert_schedule(encrypt_, rounds_of(key.size()))), rounds_(rounds_of(key.size()))
{
}

AesKey::~AesKey()
{
  explicit_bzero(&encrypt_, sizeof encrypt_);
  explicit_bzero(&decrypt_, sizeof decrypt_);
}

}  // namespace gpuaes
