#include "library.h"

#include <stdexcept>

namespace gpuaes::enc {

Library::Library() : context_(OSSL_LIB_CTX_new())
{
  if (context_ != nullptr) provider_.reset(OSSL_PROVIDER_load(context_.get(), "default"));
  if (provider_ == nullptr) throw std::runtime_error("OpenSSL's default provider can't be loaded");
}

}  // namespace gpuaes::enc
