// What one loaded instance of the provider owns. OpenSSL hands it to our functions as provctx.
#pragma once

#include "core.h"
#include "default_provider.h"
#include "kept_texts.h"
#include "program_heap.h"
#include "settings.h"

#include "engine/engine.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace gpuaes {

inline constexpr std::array kCipherNames = {"AES-256-ECB", "AES-192-ECB", "AES-128-ECB",
                                            "AES-256-CTR", "AES-192-CTR", "AES-128-CTR"};
inline constexpr std::array kSkeyNames = {"AES", "GENERIC-SECRET"};

class ProviderContext final : private ExitListener {
 public:
  ProviderContext(const OSSL_CORE_HANDLE* handle, const OSSL_DISPATCH* functions);
  ~ProviderContext();
  ProviderContext(const ProviderContext&) = delete;
  ProviderContext& operator=(const ProviderContext&) = delete;

  const Core& core() const { return core_; }
  // Inert: nothing can be offered, and `why` says why.
  bool inert() const { return !why_inert_.empty(); }
  const std::string& why_inert() const { return why_inert_; }

  const DefaultCipher& cipher(std::size_t index) const { return ciphers_[index]; }
  const DefaultSkeyManagement& skey_management(std::size_t index) const { return skey_managements_[index]; }
  const OSSL_ALGORITHM* cipher_algorithms() const { return cipher_algorithms_.data(); }
  const OSSL_ALGORITHM* skey_algorithms() const { return skey_algorithms_.data(); }

  // As read when the provider was loaded, or at the first context if that was later. Takes no lock, which a thread of a forked
  // child's parent might have held.
  const Settings& settings() const { return *settings_.load(std::memory_order_acquire); }
  // Made at the first call, from the settings as they are then: OpenSSL 3.5 delivers -provparam after loading.
  Engine& engine();
  // The engine if there is one already.
  Engine* engine_so_far() const { return engine_in_use_.load(std::memory_order_acquire); }

  const ProgramHeap& program_heap() const { return program_heap_; }

  KeptTexts& texts() { return texts_; }

 private:
  void on_exit() noexcept override;
  void write_stats() noexcept;
  void build_algorithms();
  Calibration calibration(const Settings& settings) const;
  void encrypt_by_default(AesMode mode, int rounds, const std::uint8_t* from, std::uint8_t* to, std::size_t bytes) const;

  const Core core_;
  const ProgramHeap program_heap_;
  std::string why_inert_;
  std::unique_ptr<DefaultProvider> default_provider_;
  std::array<DefaultCipher, kCipherNames.size()> ciphers_{};
  std::array<DefaultSkeyManagement, kSkeyNames.size()> skey_managements_{};
  std::array<std::vector<OSSL_DISPATCH>, kCipherNames.size()> cipher_functions_;
  std::array<std::vector<OSSL_DISPATCH>, kSkeyNames.size()> skey_functions_;
  std::vector<OSSL_ALGORITHM> cipher_algorithms_;
  std::vector<OSSL_ALGORITHM> skey_algorithms_;

  const Settings settings_at_load_;
  std::unique_ptr<const Settings> settings_at_first_context_;
  std::atomic<const Settings*> settings_{&settings_at_load_};
  std::once_flag engine_once_;
  std::unique_ptr<Engine> engine_;
  std::atomic<Engine*> engine_in_use_{nullptr};
  KeptTexts texts_;
  bool wrote_stats_for_good_ = false;
};

}  // namespace gpuaes
