#include "provider_context.h"

#include "calibration_file.h"
#include "cipher.h"
#include "skeymgmt.h"
#include "status.h"

#include "engine/why_unusable.h"

#include <openssl/crypto.h>

#include <new>
#include <utility>

namespace gpuaes {
namespace {

constexpr const char* kProperties = "provider=gpuaes";

template <std::size_t... I>
auto all_cipher_functions(const std::array<DefaultCipher, sizeof...(I)>& ciphers, std::index_sequence<I...>)
{
  return std::array{cipher_functions<I>(ciphers[I])...};
}

template <std::size_t... I>
auto all_skey_functions(const std::array<DefaultSkeyManagement, sizeof...(I)>& managements, std::index_sequence<I...>)
{
  return std::array{skey_functions<I>(managements[I])...};
}

template <typename Found, std::size_t N>
std::vector<OSSL_ALGORITHM> algorithms(const std::array<Found, N>& found,
                                       const std::array<std::vector<OSSL_DISPATCH>, N>& functions)
{
  std::vector<OSSL_ALGORITHM> list;
  for (std::size_t i = 0; i < N; ++i)
    if (found[i].names != nullptr) list.push_back({found[i].names, kProperties, functions[i].data(), nullptr});
  list.push_back({nullptr, nullptr, nullptr, nullptr});
  return list;
}

}  // namespace

ProviderContext::ProviderContext(const OSSL_CORE_HANDLE* handle, const OSSL_DISPATCH* functions)
    : core_(handle, functions), settings_at_load_(read_settings([this](const char* key) { return core_.setting(key); }))
{
  hear_exit_of_this_thread();
  if (!core_.shares_our_libcrypto()) {
    why_inert_ = why::kInert;
    return;
  }
  default_provider_ = std::make_unique<DefaultProvider>();
  if (!default_provider_->loaded()) {
    why_inert_ = "OpenSSL's default provider, which gpuaes builds on, could not be loaded.";
    return;
  }
  build_algorithms();
  if (settings_at_load_.options.startup.when == Startup::When::on_load) engine();
  if (!settings_at_load_.stats.empty()) {
    add_exit_listener(*this);
    hear_exit_before_handlers_so_far();
  }
}

ProviderContext::~ProviderContext()
{
  remove_exit_listener(*this);
  write_stats();
  Engine::dispose(std::move(engine_));
}

void ProviderContext::build_algorithms()
{
  for (std::size_t i = 0; i < kCipherNames.size(); ++i) {
    ciphers_[i] = default_provider_->find_cipher(kCipherNames[i]);
    if (!ciphers_[i].is_complete()) ciphers_[i].names = nullptr;
  }
  for (std::size_t i = 0; i < kSkeyNames.size(); ++i) skey_managements_[i] = default_provider_->find_skey_management(kSkeyNames[i]);
  cipher_functions_ = all_cipher_functions(ciphers_, std::make_index_sequence<kCipherNames.size()>{});
  skey_functions_ = all_skey_functions(skey_managements_, std::make_index_sequence<kSkeyNames.size()>{});
  cipher_algorithms_ = algorithms(ciphers_, cipher_functions_);
  skey_algorithms_ = algorithms(skey_managements_, skey_functions_);
}

Engine& ProviderContext::engine()
{
  std::call_once(engine_once_, [this] {
    auto now = std::make_unique<const Settings>(read_settings([this](const char* key) { return core_.setting(key); }));
    engine_ = std::make_unique<Engine>(
        now->options, now->device == DeviceChoice::host ? make_host_platform() : make_cuda_platform(), calibration(*now));
    settings_at_first_context_ = std::move(now);
    settings_.store(settings_at_first_context_.get(), std::memory_order_release);
    engine_in_use_.store(engine_.get(), std::memory_order_release);
  });
  return *engine_;
}

// The stand-in is no machine to measure, unless a file is named for it.
Calibration ProviderContext::calibration(const Settings& settings) const
{
  const bool automatic = settings.calibration == "auto";
  if (settings.calibration == "off" || (automatic && settings.device == DeviceChoice::host)) return {};
  Calibration calibration{.cipher = [this](AesMode mode, int rounds, const std::uint8_t* from, std::uint8_t* to,
                                           std::size_t bytes) { encrypt_by_default(mode, rounds, from, to, bytes); }};
  const CalibrationFile file(automatic ? default_calibration_file() : settings.calibration);
  if (!file.has_name()) return calibration;
  const std::string versions = std::string(GPUAES_BUILD_INFO) + ", with " + OpenSSL_version(OPENSSL_VERSION) + ", ";
  calibration.recall = [=](const std::string& machine) { return file.recall(versions + machine); };
  calibration.keep = [=](const std::string& machine, const Rates& measured) { return file.keep(versions + machine, measured); };
  return calibration;
}

// With a key of zeros: only how long it takes matters.
void ProviderContext::encrypt_by_default(AesMode mode, int rounds, const std::uint8_t* from, std::uint8_t* to,
                                         std::size_t bytes) const
{
  const std::size_t index = (mode == AesMode::ctr ? 3u : 0u) + static_cast<std::size_t>(14 - rounds) / 2;
  const DefaultCipher& cipher = ciphers_[index];
  const std::unique_ptr<void, OSSL_FUNC_cipher_freectx_fn*> context(cipher.newctx(cipher.provctx), cipher.freectx);
  if (context == nullptr) throw std::bad_alloc();
  const std::uint8_t zeros[32] = {};
  const auto init = mode == AesMode::ecb_decrypt ? cipher.decrypt_init : cipher.encrypt_init;
  const std::size_t iv_bytes = mode == AesMode::ctr ? kBlockBytes : 0;
  std::size_t written = 0;
  init(context.get(), zeros, static_cast<std::size_t>(rounds - 6) * 4, iv_bytes > 0 ? zeros : nullptr, iv_bytes, nullptr);
  cipher.cipher(context.get(), to, &written, bytes, from, bytes);
}

// Where teardown never comes, as in OpenSSL 4 or with a leaked context, this is the last chance.
void ProviderContext::on_exit() noexcept { write_stats(); }

void ProviderContext::write_stats() noexcept
{
  try {
    const std::string& file = settings().stats;
    if (!file.empty() && !wrote_stats_for_good_) wrote_stats_for_good_ = !write_counters(*this, file);
  } catch (const std::exception&) {
    // Nobody is left to tell.
  }
}

}  // namespace gpuaes
