#include "host_kernels.h"

#include "../core/aes_host.h"

namespace gpuaes {
namespace {

template <Direction D, int Rounds>
void run_ecb(const AesJob& job)
{
  const HostTables<D> tables;
  for (std::size_t i = 0; i < job.blocks; ++i) {
    const Block block = load_block(static_cast<const std::uint8_t*>(job.in) + i * kBlockBytes);
    store_block(cipher_block<D, Rounds>(tables, job.keys, block), static_cast<std::uint8_t*>(job.out) + i * kBlockBytes);
  }
}

template <int Rounds>
void run_ctr(const AesJob& job)
{
  const HostTables<Direction::encrypt> tables;
  CounterPrefix prefix{};
  CounterGroup group{};
  for (std::size_t i = 0; i < job.blocks; ++i) {
    const Counter counter = job.counter.plus(i);
    const auto low = static_cast<std::uint32_t>(counter.low);
    if (i == 0 || low % 65536 == 0) prefix = make_counter_prefix(tables, job.keys, counter);
    if (i == 0 || low % 256 == 0) group = make_counter_group(tables, prefix, low / 256 % 256);
    Block block = keystream_block<Rounds>(tables, job.keys, group, low % 256);
    if (job.in != nullptr) block = block ^ load_block(static_cast<const std::uint8_t*>(job.in) + i * kBlockBytes);
    store_block(block, static_cast<std::uint8_t*>(job.out) + i * kBlockBytes);
  }
}

template <int Rounds>
void run_mode(const AesJob& job)
{
  switch (job.mode) {
    case AesMode::ecb_encrypt:
      return run_ecb<Direction::encrypt, Rounds>(job);
    case AesMode::ecb_decrypt:
      return run_ecb<Direction::decrypt, Rounds>(job);
    case AesMode::ctr:
      return run_ctr<Rounds>(job);
  }
}

}  // namespace

void run_on_host(const AesJob& job)
{
  switch (job.rounds) {
    case 10:
      return run_mode<10>(job);
    case 12:
      return run_mode<12>(job);
    case 14:
      return run_mode<14>(job);
  }
}

}  // namespace gpuaes
