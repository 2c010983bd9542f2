// Passphrases from the places that `openssl enc` takes them from, with its bounds on their length.
#pragma once

#include "settings.h"

namespace gpuaes::enc {

// -k, -kfile, -pass or, with none of them, the terminal. Throws std::runtime_error.
SecretBytes read_passphrase(const KeySettings& settings, const CipherKind& cipher, bool decrypts);

}  // namespace gpuaes::enc
