// Management of opaque keys (OpenSSL 3.5 and later): the default provider's, offered under our name, because a cipher only accepts
// keys of its own provider.
#pragma once

#include "default_provider.h"
#include "dispatch.h"
#include "provider_context.h"

#include <vector>

namespace gpuaes {
namespace detail {

template <std::size_t Index, int Id, typename Function, typename... Arguments>
auto call_default(void* provctx, Arguments... arguments)
{
  const DefaultSkeyManagement& management = static_cast<ProviderContext*>(provctx)->skey_management(Index);
  const OSSL_DISPATCH* found = management.functions;
  while (found->function_id != Id) ++found;  // the table has it, else this function wouldn't be offered
  return reinterpret_cast<Function*>(found->function)(management.provctx, arguments...);
}

}  // namespace detail

// Functions that take a key are the default provider's own; those that take a provctx are told the default provider's.
template <std::size_t Index>
std::vector<OSSL_DISPATCH> skey_functions(const DefaultSkeyManagement& management)
{
  std::vector<OSSL_DISPATCH> functions;
  for (const OSSL_DISPATCH* entry = management.functions; entry != nullptr && entry->function_id != 0; ++entry)
    switch (entry->function_id) {
      case skey_import:
        functions.push_back(dispatch<SkeyImport>(skey_import, [](void* provctx, int selection, const OSSL_PARAM params[]) {
          return detail::call_default<Index, skey_import, SkeyImport>(provctx, selection, params);
        }));
        break;
      case skey_generate:
        functions.push_back(dispatch<SkeyGenerate>(skey_generate, [](void* provctx, const OSSL_PARAM params[]) {
          return detail::call_default<Index, skey_generate, SkeyGenerate>(provctx, params);
        }));
        break;
      case skey_imp_settable:
        functions.push_back(dispatch<SkeySettable>(skey_imp_settable, [](void* provctx) {
          return detail::call_default<Index, skey_imp_settable, SkeySettable>(provctx);
        }));
        break;
      case skey_gen_settable:
        functions.push_back(dispatch<SkeySettable>(skey_gen_settable, [](void* provctx) {
          return detail::call_default<Index, skey_gen_settable, SkeySettable>(provctx);
        }));
        break;
      default:
        functions.push_back(*entry);
        break;
    }
  functions.push_back({0, nullptr});
  return functions;
}

}  // namespace gpuaes
