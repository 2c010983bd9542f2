// Calls of which a part may be the device's: their whole blocks go to the engine, and the default provider's context is left
// exactly as if it had done everything.
//
// All return 1, or raise an error and return 0, or throw; after an error the context can be initialised anew and freed.
#pragma once

#include "cipher_context.h"

#include <cstddef>

namespace gpuaes {

int offload_update(CipherContext& context, unsigned char* out, std::size_t* outl, std::size_t outsize, const unsigned char* in,
                   std::size_t inl);
int offload_one_shot(CipherContext& context, unsigned char* out, std::size_t* outl, std::size_t outsize, const unsigned char* in,
                     std::size_t inl);
int offload_final(CipherContext& context, unsigned char* out, std::size_t* outl, std::size_t outsize);

}  // namespace gpuaes
