// What can go wrong inside, as OpenSSL's error queue tells it.
#pragma once

#include "core.h"

#include <openssl/err.h>
#include <openssl/proverr.h>

#include <exception>
#include <new>

namespace gpuaes {

// Our own reasons. Numbers are part of the interface: never reuse one.
enum class ErrorReason : unsigned {
  device_absent = 1,
  device_out_of_memory = 2,
  device_failed = 3,
  device_lost = 4,
  bad_setting = 5,
};

// The table that OSSL_FUNC_PROVIDER_GET_REASON_STRINGS returns.
const OSSL_ITEM* reason_strings();

// A reason of the default provider, so that an application sees the error it knows.
constexpr unsigned default_provider_reason(int reason) { return static_cast<unsigned>(ERR_PACK(ERR_LIB_PROV, 0, reason)); }

// Raises what is being handled. For use in a catch block.
void raise_current_exception(const Core& core) noexcept;

// Runs a body that returns 1 or 0 and may throw: an exception becomes an error on the queue and 0.
template <typename Body>
int guard(const Core& core, Body&& body) noexcept
{
  try {
    return body();
  } catch (...) {
    raise_current_exception(core);
    return 0;
  }
}

}  // namespace gpuaes
