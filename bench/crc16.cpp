// How fast is a CRC-16 of a whole message, by size and kind of memory, beside what else there is and beside reading alone?
//
// Names are memory/bytes/engine. "gpuaes", "table" and "null" are whole
// digests through EVP, from EVP_DigestInit_ex2 to EVP_DigestFinal_ex, the latter two from rival_digests.cpp; "boost" and the units
// of core/crc16_host.h are bare functions; "scan" reads the message and adds it up, which is the ceiling for all of them. On the
// device each digest is of the next message of at least 1 GiB of them, so that no cache holds it; "warm" is one message over and
// over.
#include "crc16_reference.h"
#include "memory.h"
#include "session.h"

#include "core/crc16_host.h"

#ifdef GPUAES_BENCH_BOOST
#include <boost/crc.hpp>
#endif

#include <openssl/evp.h>
#include <openssl/provider.h>

#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

namespace gpuaes::bench {
namespace {

constexpr std::size_t kInCache[] = {64, 1 << 10, 8 << 10, 16 << 10, 1 << 20};
constexpr std::size_t kInMemory = std::size_t{1} << 30;
constexpr std::size_t kOnDevice[] = {std::size_t{1} << 20, std::size_t{16} << 20, std::size_t{1} << 30, std::size_t{8} << 30};
constexpr std::size_t kPinned[] = {std::size_t{1} << 20, std::size_t{16} << 20, std::size_t{256} << 20, std::size_t{1} << 30};

// Device memory that is digested in turn, to get past the device's caches.
constexpr std::size_t kPastCaches = std::size_t{1} << 30;

// Returns something of the message, so that nothing is left out; of those that digest, the CRC.
using Engine = std::function<std::uint64_t(const std::uint8_t* data, std::size_t bytes)>;

#define WIDEST [[gnu::target_clones("avx512f", "avx2", "default")]]

WIDEST std::uint64_t scan(const std::uint8_t* data, std::size_t bytes)
{
  // As wide and as many at once as the widest fold.
  typedef std::uint64_t Vector __attribute__((vector_size(64), aligned(1), may_alias));
  Vector sums[4] = {};
  for (std::size_t i = 0; i + sizeof sums <= bytes; i += sizeof sums) {
    const auto* const next = reinterpret_cast<const Vector*>(data + i);
    for (int k = 0; k < 4; ++k) sums[k] ^= next[k];
  }
  const Vector sum = sums[0] ^ sums[1] ^ sums[2] ^ sums[3];
  return sum[0] ^ sum[3] ^ sum[7];
}

#ifdef GPUAES_BENCH_BOOST
std::uint64_t by_boost(const std::uint8_t* data, std::size_t bytes)
{
  boost::crc_optimal<16, 0x1021, 0xffff, 0, true, true> crc;
  crc.process_bytes(data, bytes);
  return crc.checksum();
}
#endif

// A digest of OpenSSL, with one context for all messages, as a program that has many would have.
Engine through_evp(const char* name)
{
  std::shared_ptr<EVP_MD> digest(EVP_MD_fetch(nullptr, name, nullptr), EVP_MD_free);
  std::shared_ptr<EVP_MD_CTX> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  if (digest == nullptr) throw std::runtime_error(std::string("no digest ") + name);
  return [digest, context](const std::uint8_t* data, std::size_t bytes) -> std::uint64_t {
    std::uint8_t value[EVP_MAX_MD_SIZE] = {};
    const bool good = EVP_DigestInit_ex2(context.get(), digest.get(), nullptr) == 1 &&
                      EVP_DigestUpdate(context.get(), data, bytes) == 1 && EVP_DigestFinal_ex(context.get(), value, nullptr) == 1;
    if (!good) throw std::runtime_error("a digest failed");
    return static_cast<std::uint64_t>(value[0]) << 8 | value[1];
  };
}

// Each is made once: pinning takes long, and the library runs a case several times.
const std::uint8_t* message(Memory kind, std::size_t bytes)
{
  static std::map<std::pair<Memory, std::size_t>, std::unique_ptr<Block>> blocks;
  auto& made = blocks[{kind, bytes}];
  if (made == nullptr) made = std::make_unique<Block>(kind, bytes);
  return made->data();
}

struct Place {
  const char* where;
  Memory kind;
  std::size_t bytes;
  bool cold;
};

void add(const Place& place, const std::string& engine_name, const Engine& engine)
{
  const std::string name = std::string(place.where) + "/" + std::to_string(place.bytes) + "/" + engine_name;
  const auto run = [=](benchmark::State& state) {
    const std::size_t bytes = place.bytes;
    const std::size_t messages = place.cold ? std::max<std::size_t>(kPastCaches / bytes, 1) : 1;
    const std::uint8_t* const data = message(place.kind, bytes * messages);
    const bool digests = engine_name != "scan" && engine_name != "null";
    try {
      if (digests && !gives_right_output(name, [&] { return engine(data, bytes) == crc16_of_equal_bytes(kFill, bytes); }))
        return fail(state, name + ": wrong output");
      engine(data, bytes);  // what is made at the first call
      std::size_t next = 0;
      for (auto _ : state) {
        benchmark::DoNotOptimize(engine(data + next * bytes, bytes));
        next = next + 1 < messages ? next + 1 : 0;
      }
    } catch (const std::exception& error) {
      fail(state, name + ": " + error.what());
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * static_cast<std::int64_t>(state.iterations()));
  };
  benchmark::RegisterBenchmark(name.c_str(), run)->UseRealTime();
}

void add_on_processor(const char* where, std::size_t bytes)
{
  const auto add_here = [&](const std::string& name, const Engine& engine) {
    add({where, Memory::ordinary, bytes, false}, name, engine);
  };
  add_here("gpuaes", through_evp("CRC16"));
  add_here("scan", scan);
  if (bytes < kInMemory) {  // nothing new is seen of these on a gigabyte
    add_here("null", through_evp("CRC16-NULL"));
    add_here("table", through_evp("CRC16-TABLE"));
#ifdef GPUAES_BENCH_BOOST
    add_here("boost", by_boost);
#endif
  }
  for (const Crc16Unit& unit : crc16_units())
    if (unit.available())
      add_here(unit.name,
               [&unit](const std::uint8_t* data, std::size_t n) -> std::uint64_t { return unit.update(0xffff, data, n); });
}

}  // namespace
}  // namespace gpuaes::bench

int main(int argc, char** argv)
{
  using namespace gpuaes::bench;
  if (!start_session()) return 1;
  OSSL_PROVIDER_set_default_search_path(nullptr, GPUAES_RIVALS_DIR);
  if (OSSL_PROVIDER_load(nullptr, "rival_digests") == nullptr) {
    std::fprintf(stderr, "rival_digests could not be loaded from %s\n", GPUAES_RIVALS_DIR);
    return 1;
  }
  benchmark::AddCustomContext("processor's unit", gpuaes::crc16_unit().name);

  for (const std::size_t bytes : kInCache) add_on_processor("cache", bytes);
  add_on_processor("memory", kInMemory);
  if (has_device()) {
    for (const std::size_t bytes : kOnDevice) add({"device", Memory::device, bytes, true}, "gpuaes", through_evp("CRC16"));
    add({"device-warm", Memory::device, kOnDevice[1], false}, "gpuaes", through_evp("CRC16"));
    for (const std::size_t bytes : kPinned) add({"pinned", Memory::pinned, bytes, false}, "gpuaes", through_evp("CRC16"));
  }
  return run_session(argc, argv);
}
