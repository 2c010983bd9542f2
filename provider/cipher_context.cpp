#include "cipher_context.h"

#include <openssl/core_names.h>
#include <openssl/params.h>

#include <algorithm>
#include <new>

namespace gpuaes {

CipherContext::CipherContext(ProviderContext& provider, std::size_t index)
    : provider_(provider),
      engine_(provider.engine()),
      defaults_(provider.cipher(index)),
      traits_(kCipherTraits[index]),
      inner_(defaults_.newctx(defaults_.provctx))
{
  if (inner_ == nullptr) throw std::bad_alloc();
}

CipherContext::CipherContext(const CipherContext& other)
    : provider_(other.provider_),
      engine_(other.engine_),
      defaults_(other.defaults_),
      traits_(other.traits_),
      inner_(defaults_.dupctx(other.inner_)),
      carried_(other.carried_),
      encrypting_(other.encrypting_),
      key_encrypts_(other.key_encrypts_),
      carried_known_(other.carried_known_),
      leave_to_default_(other.leave_to_default_),
      device_pointers_(other.device_pointers_),
      moved_(other.moved_),
      iv_(other.iv_),
      key_(other.key_)
{
  if (inner_ == nullptr) throw std::bad_alloc();
}

CipherContext::~CipherContext()
{
  flush_counts();
  defaults_.freectx(inner_);
}

void CipherContext::begin_init(bool encrypting)
{
  encrypting_ = encrypting;
  carried_ = 0;
  carried_known_ = true;
  host_regions_ = {};
  device_pointers_ = engine_.device_pointers();
}

void CipherContext::end_init(const unsigned char* key, const unsigned char* iv)
{
  if (key != nullptr) {
    std::copy_n(key, traits_.key_bytes, key_.emplace().bytes.begin());
    expanded_key_.reset();
    key_encrypts_ = encrypting_;
  }
  if (counter_mode() && iv != nullptr) {
    std::copy_n(iv, kBlockBytes, iv_.begin());
    moved_ = false;
  }
}

void CipherContext::fail_init(bool had_key, bool had_iv)
{
  if (had_key) {
    key_.reset();
    expanded_key_.reset();
  }
  if (had_iv) moved_ = false;
}

bool CipherContext::export_skey(void* skeydata, OSSL_CALLBACK* callback, void* argument) const
{
  const OSSL_DISPATCH* entry = provider_.skey_management(0).functions;
  for (; entry != nullptr && entry->function_id != 0; ++entry)
    if (entry->function_id == skey_export)
      return reinterpret_cast<SkeyExport*>(entry->function)(skeydata, kSelectSecretKey, callback, argument) == 1;
  return false;
}

const AesKey& CipherContext::expanded_key()
{
  if (expanded_key_ == nullptr) expanded_key_ = std::make_unique<AesKey>(std::span(key_->bytes).first(traits_.key_bytes));
  return *expanded_key_;
}

void CipherContext::drop_carried()
{
  (encrypting_ ? defaults_.encrypt_init : defaults_.decrypt_init)(inner_, nullptr, 0, nullptr, 0, nullptr);
  carried_ = 0;
}

bool CipherContext::get_inner(OSSL_PARAM param) const
{
  OSSL_PARAM params[] = {param, OSSL_PARAM_construct_end()};
  return defaults_.get_ctx_params(inner_, params) == 1;
}

bool CipherContext::padding() const
{
  unsigned padding = 1;
  get_inner(OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_PADDING, &padding));
  return padding != 0;
}

unsigned CipherContext::used_of_keystream_block() const
{
  unsigned num = 0;
  get_inner(OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_NUM, &num));
  return num;
}

Counter CipherContext::counter() const
{
  std::uint8_t bytes[kBlockBytes] = {};
  get_inner(OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, bytes, sizeof bytes));
  return load_counter(bytes);
}

void CipherContext::move_to(const Counter& counter)
{
  std::uint8_t bytes[kBlockBytes];
  store_counter(counter, bytes);
  (encrypting_ ? defaults_.encrypt_init : defaults_.decrypt_init)(inner_, nullptr, 0, bytes, sizeof bytes, nullptr);
  moved_ = true;
}

void CipherContext::flush_counts() noexcept
{
  if (pending_calls_ == 0 && pending_bytes_ == 0) return;
  engine_.counters().add(Carrier::fallback, pending_calls_, pending_bytes_);
  pending_calls_ = 0;
  pending_bytes_ = 0;
}

}  // namespace gpuaes
