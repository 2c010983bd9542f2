// A provider for comparisons: digests that OpenSSL calls like any other and that are not gpuaes's. CRC16-NULL does nothing, so what
// it takes is OpenSSL's; CRC16-TABLE is CRC-16/MCRF4XX a byte at a time, as most programs have it.
#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/params.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace {

using Table = std::array<std::uint16_t, 256>;

constexpr Table make_table()
{
  Table table{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned reg = byte;
    for (int bit = 0; bit < 8; ++bit) reg = (reg & 1) != 0 ? (reg >> 1) ^ 0x8408u : reg >> 1;
    table[byte] = static_cast<std::uint16_t>(reg);
  }
  return table;
}

constexpr Table kTable = make_table();

using State = std::uint16_t;

void* new_context(void*) { return new State; }
void free_context(void* context) { delete static_cast<State*>(context); }
void* duplicate(void* context) { return new State(*static_cast<State*>(context)); }

int init(void* context, const OSSL_PARAM*)
{
  *static_cast<State*>(context) = 0xffff;
  return 1;
}

int update_nothing(void*, const unsigned char*, std::size_t) { return 1; }

int update_by_table(void* context, const unsigned char* in, std::size_t inl)
{
  State state = *static_cast<State*>(context);
  for (std::size_t i = 0; i < inl; ++i) state = static_cast<State>((state >> 8) ^ kTable[(state ^ in[i]) & 0xff]);
  *static_cast<State*>(context) = state;
  return 1;
}

int final(void* context, unsigned char* out, std::size_t* outl, std::size_t)
{
  const State state = *static_cast<State*>(context);
  out[0] = static_cast<unsigned char>(state >> 8);
  out[1] = static_cast<unsigned char>(state);
  *outl = 2;
  return 1;
}

int get_params(OSSL_PARAM params[])
{
  OSSL_PARAM* const block = OSSL_PARAM_locate(params, OSSL_DIGEST_PARAM_BLOCK_SIZE);
  OSSL_PARAM* const size = OSSL_PARAM_locate(params, OSSL_DIGEST_PARAM_SIZE);
  return (block == nullptr || OSSL_PARAM_set_size_t(block, 1) == 1) && (size == nullptr || OSSL_PARAM_set_size_t(size, 2) == 1);
}

template <typename Function>
OSSL_DISPATCH entry(int id, Function* function)
{
  return {id, reinterpret_cast<void (*)()>(function)};
}

template <OSSL_FUNC_digest_update_fn* Update>
const OSSL_DISPATCH* functions()
{
  static const OSSL_DISPATCH kFunctions[] = {entry<OSSL_FUNC_digest_newctx_fn>(OSSL_FUNC_DIGEST_NEWCTX, new_context),
                                             entry<OSSL_FUNC_digest_freectx_fn>(OSSL_FUNC_DIGEST_FREECTX, free_context),
                                             entry<OSSL_FUNC_digest_dupctx_fn>(OSSL_FUNC_DIGEST_DUPCTX, duplicate),
                                             entry<OSSL_FUNC_digest_init_fn>(OSSL_FUNC_DIGEST_INIT, init),
                                             entry<OSSL_FUNC_digest_update_fn>(OSSL_FUNC_DIGEST_UPDATE, Update),
                                             entry<OSSL_FUNC_digest_final_fn>(OSSL_FUNC_DIGEST_FINAL, final),
                                             entry<OSSL_FUNC_digest_get_params_fn>(OSSL_FUNC_DIGEST_GET_PARAMS, get_params),
                                             {0, nullptr}};
  return kFunctions;
}

const OSSL_ALGORITHM* query_operation(void*, int operation, int* no_cache)
{
  static const OSSL_ALGORITHM kDigests[] = {{"CRC16-NULL", "provider=rival_digests", functions<update_nothing>(), nullptr},
                                            {"CRC16-TABLE", "provider=rival_digests", functions<update_by_table>(), nullptr},
                                            {nullptr, nullptr, nullptr, nullptr}};
  *no_cache = 0;
  return operation == OSSL_OP_DIGEST ? kDigests : nullptr;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int OSSL_provider_init(const OSSL_CORE_HANDLE*, const OSSL_DISPATCH*,
                                                                         const OSSL_DISPATCH** out, void** provctx)
{
  static const OSSL_DISPATCH kFunctions[] = {
      entry<OSSL_FUNC_provider_query_operation_fn>(OSSL_FUNC_PROVIDER_QUERY_OPERATION, query_operation), {0, nullptr}};
  static int context = 0;
  *out = kFunctions;
  *provctx = &context;
  return 1;
}
