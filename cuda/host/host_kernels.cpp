#include "host_kernels.h"

#include "../core/aes_host.h"

#include <cstring>

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

// Rows go to blocks, as on a GPU, and are more than there are.
constexpr std::size_t kCrc16Blocks = 3;
constexpr Crc16Weights kCrc16Weights = make_crc16_weights();

std::uint16_t sum_of_block(const std::uint8_t* columns, std::size_t count, std::size_t first_row, std::size_t rows)
{
  std::uint16_t sum = 0;
  for (std::size_t c = 0; c < kCrc16Columns; ++c) {
    Crc16Column column;
    for (std::size_t row = 0; row < rows; ++row) {
      std::uint32_t words[4] = {};
      const std::size_t at = (first_row + row) * kCrc16Columns + c;
      if (at < count) std::memcpy(words, columns + at * kCrc16ColumnBytes, sizeof words);
      column.append(words[0], words[1], words[2], words[3]);
      if ((row + 1) % kCrc16RowsUnsettled == 0) column.settle();
    }
    column.settle();
    sum ^= crc16_multiply(column.value(), kCrc16Weights.column[c]);
  }
  return sum;
}

}  // namespace

void run_on_host(const Crc16Job& job)
{
  const auto* const data = static_cast<const std::uint8_t*>(job.data);
  const Crc16Layout layout = crc16_layout(job.data, job.bytes);
  const std::size_t rows_each = (layout.rows() + kCrc16Blocks - 1) / kCrc16Blocks;
  Crc16Answer& answer = *job.answer;
  answer.rows = kCrc16Blocks * rows_each;
  answer.sum = 0;
  for (std::size_t block = 0; block < kCrc16Blocks; ++block) {
    const std::uint16_t sum = sum_of_block(data + layout.head, layout.columns, block * rows_each, rows_each);
    answer.sum ^= crc16_multiply(sum, kCrc16Weights.rows_below((kCrc16Blocks - 1 - block) * rows_each));
  }
  std::memcpy(answer.head.at, data, layout.head);
  std::memcpy(answer.tail.at, data + job.bytes - layout.tail, layout.tail);
}

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
