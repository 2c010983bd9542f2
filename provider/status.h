// What the provider says of itself: parameters, and the counters as JSON.
#pragma once

#include <openssl/core.h>

#include <string>

namespace gpuaes {

class ProviderContext;

const OSSL_PARAM* gettable_provider_params();
// Throws std::bad_alloc; false if a parameter can't be set.
bool get_provider_params(ProviderContext& provider, OSSL_PARAM params[]);

// Writes the counters to a file whose name may contain %p for the process id, or to standard error if it is "-". Whether later ones
// may take their place there.
bool write_counters(const ProviderContext& provider, const std::string& file);

}  // namespace gpuaes
