// Opaque symmetric keys, which OpenSSL has since 3.5, by the numbers and types of its core_dispatch.h: one build serves older
// releases too.
#pragma once

#include <openssl/core.h>
#include <openssl/core_dispatch.h>

#include <cstddef>

namespace gpuaes {

inline constexpr int kOperationSkeyManagement = 15;  // OSSL_OP_SKEYMGMT
inline constexpr int kCipherEncryptSkeyInit = 19;    // OSSL_FUNC_CIPHER_ENCRYPT_SKEY_INIT
inline constexpr int kCipherDecryptSkeyInit = 20;    // OSSL_FUNC_CIPHER_DECRYPT_SKEY_INIT

// OSSL_FUNC_SKEYMGMT_*
enum SkeyFunction { skey_free = 1, skey_import, skey_export, skey_generate, skey_get_key_id, skey_imp_settable, skey_gen_settable };

inline constexpr int kSelectSecretKey = 2;                 // OSSL_SKEYMGMT_SELECT_SECRET_KEY
inline constexpr const char* kSkeyRawBytes = "raw-bytes";  // OSSL_SKEY_PARAM_RAW_BYTES

using SkeyInit = int(void* cctx, void* skeydata, const unsigned char* iv, std::size_t ivlen, const OSSL_PARAM params[]);
using SkeyImport = void*(void* provctx, int selection, const OSSL_PARAM params[]);
using SkeyExport = int(void* keydata, int selection, OSSL_CALLBACK* callback, void* argument);
using SkeyGenerate = void*(void* provctx, const OSSL_PARAM params[]);
using SkeySettable = const OSSL_PARAM*(void* provctx);

}  // namespace gpuaes
