// The provider as OpenSSL loads it: entry point and provider-level functions.
#include "digest.h"
#include "dispatch.h"
#include "errors.h"
#include "provider_context.h"
#include "skey.h"
#include "status.h"

#include "engine/uncancelled.h"

#include <openssl/core_dispatch.h>

#include <chrono>

namespace gpuaes {
namespace {

// It takes half a second; longer than this only a driver that hangs.
constexpr std::chrono::seconds kLongestBringUp{30};

ProviderContext& context_of(void* provctx) { return *static_cast<ProviderContext*>(provctx); }

void teardown(void* provctx)
{
  const Uncancelled uncancelled;
  delete static_cast<ProviderContext*>(provctx);
}

const OSSL_PARAM* gettable_params(void*) { return gettable_provider_params(); }

int get_params(void* provctx, OSSL_PARAM params[])
{
  ProviderContext& provider = context_of(provctx);
  return guard(provider.core(), [&] { return get_provider_params(provider, params) ? 1 : 0; });
}

const OSSL_ALGORITHM* query_operation(void* provctx, int operation, int* no_cache)
{
  const ProviderContext& provider = context_of(provctx);
  *no_cache = 0;
  if (provider.inert()) return nullptr;
  if (operation == OSSL_OP_CIPHER) return provider.cipher_algorithms();
  if (operation == OSSL_OP_DIGEST) return digest_algorithms();
  if (operation == kOperationSkeyManagement) return provider.skey_algorithms();
  return nullptr;
}

// For who must know now whether the device can be used: brings it up, if that was not done before, and waits for it.
int self_test(void* provctx)
{
  const Uncancelled uncancelled;
  ProviderContext& provider = context_of(provctx);
  return guard(provider.core(), [&] {
    if (!provider.inert() && provider.engine().start_and_wait(kLongestBringUp)) return 1;
    const std::string why = provider.inert() ? provider.why_inert() : provider.engine().reason();
    provider.core().raise(static_cast<unsigned>(ErrorReason::device_absent), why);
    return 0;
  });
}

const OSSL_ITEM* get_reason_strings(void*) { return reason_strings(); }

const OSSL_DISPATCH* provider_functions()
{
  static const OSSL_DISPATCH kFunctions[] = {
      dispatch<OSSL_FUNC_provider_teardown_fn>(OSSL_FUNC_PROVIDER_TEARDOWN, teardown),
      dispatch<OSSL_FUNC_provider_gettable_params_fn>(OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, gettable_params),
      dispatch<OSSL_FUNC_provider_get_params_fn>(OSSL_FUNC_PROVIDER_GET_PARAMS, get_params),
      dispatch<OSSL_FUNC_provider_query_operation_fn>(OSSL_FUNC_PROVIDER_QUERY_OPERATION, query_operation),
      dispatch<OSSL_FUNC_provider_self_test_fn>(OSSL_FUNC_PROVIDER_SELF_TEST, self_test),
      dispatch<OSSL_FUNC_provider_get_reason_strings_fn>(OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, get_reason_strings),
      {0, nullptr}};
  return kFunctions;
}

}  // namespace
}  // namespace gpuaes

extern "C" __attribute__((visibility("default"))) int OSSL_provider_init(const OSSL_CORE_HANDLE* handle, const OSSL_DISPATCH* in,
                                                                         const OSSL_DISPATCH** out, void** provctx)
{
  using namespace gpuaes;
  const Core core(handle, in);
  return guard(core, [&] {
    auto provider = std::make_unique<ProviderContext>(handle, in);
    const Settings settings = provider->settings();
    if (settings.strict && !settings.error.empty()) {
      core.raise(static_cast<unsigned>(ErrorReason::bad_setting), settings.error);
      return 0;
    }
    *out = provider_functions();
    *provctx = provider.release();
    return 1;
  });
}
