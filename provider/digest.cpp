// What OpenSSL calls on a digest context. The three digests differ in their variant only.
#include "digest.h"

#include "digest_context.h"
#include "dispatch.h"
#include "errors.h"

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/params.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace gpuaes {
namespace {

// Ids and types of later releases' core_dispatch.h: one build serves older ones too, which pass over what they don't know.
constexpr int kDigestCopyContext = 15;  // OSSL_FUNC_DIGEST_COPYCTX, since 3.5
constexpr int kDigestSerialize = 16;    // OSSL_FUNC_DIGEST_SERIALIZE, since 4.0
constexpr int kDigestDeserialize = 17;  // OSSL_FUNC_DIGEST_DESERIALIZE, since 4.0
using CopyContext = void(void* to, void* from);
using Serialize = int(void* context, unsigned char* out, std::size_t* outl);
using Deserialize = int(void* context, const unsigned char* in, std::size_t inl);

struct Digest {
  const char* names;
  const Crc16Variant& variant;
};

constexpr Digest kDigests[] = {{"CRC16:CRC-16/MCRF4XX", kCrc16Mcrf4xx},
                               {"CRC-16/IBM-SDLC:CRC-16/X-25:CRC16-X25", kCrc16IbmSdlc},
                               {"CRC-16/KERMIT:CRC16-KERMIT", kCrc16Kermit}};

constexpr std::size_t kDigestBytes = 2;
// A message of any length goes in byte by byte.
constexpr std::size_t kBlockSize = 1;

DigestContext& context_of(void* context) { return *static_cast<DigestContext*>(context); }

template <std::size_t Index>
void* new_context(void* provctx)
{
  auto& provider = *static_cast<ProviderContext*>(provctx);
  void* context = nullptr;
  guard(provider.core(), [&] {
    context = new DigestContext(provider, kDigests[Index].variant);
    return 1;
  });
  return context;
}

void free_context(void* context) { delete static_cast<DigestContext*>(context); }

void* duplicate(void* context)
{
  void* copy = nullptr;
  guard(context_of(context).core(), [&] {
    copy = new DigestContext(context_of(context));
    return 1;
  });
  return copy;
}

void copy_context(void* to, void* from) { context_of(to).resume(context_of(from)); }

int init(void* context, const OSSL_PARAM*)
{
  context_of(context).begin();
  return 1;
}

int update(void* opaque, const unsigned char* in, std::size_t inl)
{
  DigestContext& context = context_of(opaque);
  return guard(context.core(), [&] {
    context.update(in, inl);
    return 1;
  });
}

// The high byte first, as the catalogue writes values.
int final(void* context, unsigned char* out, std::size_t* outl, std::size_t outsize)
{
  if (outsize < kDigestBytes) {
    context_of(context).core().raise(default_provider_reason(PROV_R_OUTPUT_BUFFER_TOO_SMALL));
    return 0;
  }
  const std::uint16_t value = context_of(context).value();
  out[0] = static_cast<unsigned char>(value >> 8);
  out[1] = static_cast<unsigned char>(value);
  *outl = kDigestBytes;
  return 1;
}

template <std::size_t Index>
int one_shot(void* provctx, const unsigned char* in, std::size_t inl, unsigned char* out, std::size_t* outl, std::size_t outsize)
{
  auto& provider = *static_cast<ProviderContext*>(provctx);
  return guard(provider.core(), [&] {
    DigestContext context(provider, kDigests[Index].variant);
    context.begin();
    context.update(in, inl);
    return final(&context, out, outl, outsize);
  });
}

const OSSL_PARAM* gettable_params(void*)
{
  static const OSSL_PARAM kGettable[] = {
      OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_BLOCK_SIZE, nullptr), OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_SIZE, nullptr),
      OSSL_PARAM_int(OSSL_DIGEST_PARAM_XOF, nullptr), OSSL_PARAM_int(OSSL_DIGEST_PARAM_ALGID_ABSENT, nullptr), OSSL_PARAM_END};
  return kGettable;
}

int get_params(OSSL_PARAM params[])
{
  const auto set_size = [&](const char* key, std::size_t value) {
    OSSL_PARAM* const param = OSSL_PARAM_locate(params, key);
    return param == nullptr || OSSL_PARAM_set_size_t(param, value) == 1;
  };
  const auto set_flag = [&](const char* key, int value) {
    OSSL_PARAM* const param = OSSL_PARAM_locate(params, key);
    return param == nullptr || OSSL_PARAM_set_int(param, value) == 1;
  };
  return set_size(OSSL_DIGEST_PARAM_BLOCK_SIZE, kBlockSize) && set_size(OSSL_DIGEST_PARAM_SIZE, kDigestBytes) &&
         set_flag(OSSL_DIGEST_PARAM_XOF, 0) && set_flag(OSSL_DIGEST_PARAM_ALGID_ABSENT, 1);
}

// A context's state in bytes: this text, the variant's place in kDigests, and the register, low byte first.
constexpr std::array<unsigned char, 6> kFormat = {'C', 'R', 'C', '1', '6', 1};
constexpr std::size_t kSerialBytes = kFormat.size() + 3;

unsigned char index_of(const Crc16Variant& variant)
{
  return static_cast<unsigned char>(
      std::find_if(std::begin(kDigests), std::end(kDigests), [&](const Digest& digest) { return &digest.variant == &variant; }) -
      std::begin(kDigests));
}

int serialize(void* opaque, unsigned char* out, std::size_t* outl)
{
  const DigestContext& context = context_of(opaque);
  if (out != nullptr) {
    if (*outl < kSerialBytes) return 0;
    out = std::copy(kFormat.begin(), kFormat.end(), out);
    out[0] = index_of(context.variant());
    out[1] = static_cast<unsigned char>(context.state());
    out[2] = static_cast<unsigned char>(context.state() >> 8);
  }
  *outl = kSerialBytes;
  return 1;
}

int deserialize(void* opaque, const unsigned char* in, std::size_t inl)
{
  DigestContext& context = context_of(opaque);
  if (in == nullptr || inl != kSerialBytes || !std::equal(kFormat.begin(), kFormat.end(), in)) return 0;
  in += kFormat.size();
  if (in[0] != index_of(context.variant())) return 0;
  context.begin();
  context.resume(static_cast<std::uint16_t>(in[1] | in[2] << 8));
  return 1;
}

template <std::size_t Index>
const OSSL_DISPATCH* functions()
{
  static const OSSL_DISPATCH kFunctions[] = {
      dispatch<OSSL_FUNC_digest_newctx_fn>(OSSL_FUNC_DIGEST_NEWCTX, new_context<Index>),
      dispatch<OSSL_FUNC_digest_freectx_fn>(OSSL_FUNC_DIGEST_FREECTX, free_context),
      dispatch<OSSL_FUNC_digest_dupctx_fn>(OSSL_FUNC_DIGEST_DUPCTX, duplicate),
      dispatch<CopyContext>(kDigestCopyContext, copy_context),
      dispatch<OSSL_FUNC_digest_init_fn>(OSSL_FUNC_DIGEST_INIT, init),
      dispatch<OSSL_FUNC_digest_update_fn>(OSSL_FUNC_DIGEST_UPDATE, update),
      dispatch<OSSL_FUNC_digest_final_fn>(OSSL_FUNC_DIGEST_FINAL, final),
      dispatch<OSSL_FUNC_digest_digest_fn>(OSSL_FUNC_DIGEST_DIGEST, one_shot<Index>),
      dispatch<OSSL_FUNC_digest_get_params_fn>(OSSL_FUNC_DIGEST_GET_PARAMS, get_params),
      dispatch<OSSL_FUNC_digest_gettable_params_fn>(OSSL_FUNC_DIGEST_GETTABLE_PARAMS, gettable_params),
      dispatch<Serialize>(kDigestSerialize, serialize),
      dispatch<Deserialize>(kDigestDeserialize, deserialize),
      {0, nullptr}};
  return kFunctions;
}

}  // namespace

const OSSL_ALGORITHM* digest_algorithms()
{
  constexpr const char* kProperties = "provider=gpuaes";
  static const OSSL_ALGORITHM kAlgorithms[] = {{kDigests[0].names, kProperties, functions<0>(), kDigests[0].variant.name},
                                               {kDigests[1].names, kProperties, functions<1>(), kDigests[1].variant.name},
                                               {kDigests[2].names, kProperties, functions<2>(), kDigests[2].variant.name},
                                               {nullptr, nullptr, nullptr, nullptr}};
  return kAlgorithms;
}

}  // namespace gpuaes
