#include "known_answers.h"

#include "../core/aes_host.h"
#include "buffer.h"
#include "known_crc16.h"
#include "names.h"
#include "why_unusable.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace gpuaes {
namespace {

using Bytes16 = std::array<std::uint8_t, kBlockBytes>;

struct KnownAnswer {
  AesMode mode;
  std::size_t key_bytes;
  std::array<std::uint8_t, 32> key;
  Bytes16 counter;
  Bytes16 in;
  Bytes16 out;
};

// FIPS 197 appendix C: key 00 01 02 .., plaintext 00 11 22 ..
constexpr std::array<std::uint8_t, 32> kFipsKey = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a,
                                                   0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15,
                                                   0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f};
constexpr Bytes16 kFipsPlain = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
constexpr Bytes16 kFips128 = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
constexpr Bytes16 kFips192 = {0xdd, 0xa9, 0x7c, 0xa4, 0x86, 0x4c, 0xdf, 0xe0, 0x6e, 0xaf, 0x70, 0xa0, 0xec, 0x0d, 0x71, 0x91};
constexpr Bytes16 kFips256 = {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60, 0x89};

// SP 800-38A sections F.5.1, F.5.3 and F.5.5, first block.
constexpr Bytes16 kCtrCounter = {0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff};
constexpr Bytes16 kCtrPlain = {0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96, 0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a};

constexpr KnownAnswer kKnownAnswers[] = {
    {AesMode::ecb_encrypt, 16, kFipsKey, {}, kFipsPlain, kFips128},
    {AesMode::ecb_encrypt, 24, kFipsKey, {}, kFipsPlain, kFips192},
    {AesMode::ecb_encrypt, 32, kFipsKey, {}, kFipsPlain, kFips256},
    {AesMode::ecb_decrypt, 16, kFipsKey, {}, kFips128, kFipsPlain},
    {AesMode::ecb_decrypt, 24, kFipsKey, {}, kFips192, kFipsPlain},
    {AesMode::ecb_decrypt, 32, kFipsKey, {}, kFips256, kFipsPlain},
    {AesMode::ctr,
     16,
     {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c},
     kCtrCounter,
     kCtrPlain,
     {0x87, 0x4d, 0x61, 0x91, 0xb6, 0x20, 0xe3, 0x26, 0x1b, 0xef, 0x68, 0x64, 0x99, 0x0d, 0xb6, 0xce}},
    {AesMode::ctr,
     24,
     {0x8e, 0x73, 0xb0, 0xf7, 0xda, 0x0e, 0x64, 0x52, 0xc8, 0x10, 0xf3, 0x2b,
      0x80, 0x90, 0x79, 0xe5, 0x62, 0xf8, 0xea, 0xd2, 0x52, 0x2c, 0x6b, 0x7b},
     kCtrCounter,
     kCtrPlain,
     {0x1a, 0xbc, 0x93, 0x24, 0x17, 0x52, 0x1c, 0xa2, 0x4f, 0x2b, 0x04, 0x59, 0xfe, 0x7e, 0x6e, 0x0b}},
    {AesMode::ctr,
     32,
     {0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe, 0x2b, 0x73, 0xae, 0xf0, 0x85, 0x7d, 0x77, 0x81,
      0x1f, 0x35, 0x2c, 0x07, 0x3b, 0x61, 0x08, 0xd7, 0x2d, 0x98, 0x10, 0xa3, 0x09, 0x14, 0xdf, 0xf4},
     kCtrCounter,
     kCtrPlain,
     {0x60, 0x1e, 0xc3, 0x13, 0x77, 0x57, 0x89, 0xa5, 0xb7, 0xa7, 0xf5, 0x04, 0xbb, 0xf3, 0xd2, 0x28}},
};

template <int Rounds>
Block expected_block(const AesJob& job, const Block& in, std::size_t index)
{
  if (job.mode == AesMode::ecb_decrypt)
    return cipher_block<Direction::decrypt, Rounds>(HostTables<Direction::decrypt>{}, job.keys, in);
  const HostTables<Direction::encrypt> tables;
  if (job.mode == AesMode::ecb_encrypt) return cipher_block<Direction::encrypt, Rounds>(tables, job.keys, in);
  return in ^ cipher_block<Direction::encrypt, Rounds>(tables, job.keys, counter_block(job.counter.plus(index)));
}

Block expected_block(const AesJob& job, const Block& in, std::size_t index)
{
  return job.rounds == 10   ? expected_block<10>(job, in, index)
         : job.rounds == 12 ? expected_block<12>(job, in, index)
                            : expected_block<14>(job, in, index);
}

void note(const Device& device, const std::string& test, bool right, std::vector<TestResult>& results)
{
  results.push_back({test, right});
  if (!right)
    throw DeviceError(DeviceError::Kind::absent, device.info().name + why::kFailedTest + " of " + test + " and is not used.");
}

}  // namespace

void run_known_answer_tests(Device& device)
{
  std::vector<TestResult> ignored;
  note_known_answer_tests(device, ignored);
}

void note_known_answer_tests(Device& device, std::vector<TestResult>& results)
{
  constexpr std::size_t kBlocks = 4096;
  constexpr std::size_t kBytes = kBlocks * kBlockBytes;
  const Buffer on_device(device, MemoryKind::device, 2 * kBytes);
  const Buffer pinned(device, MemoryKind::pinned, kBytes);
  // After the buffers, so that it has waited for its work before they go.
  const std::unique_ptr<Stream> stream = device.make_stream();

  for (const KnownAnswer& known : kKnownAnswers) {
    std::vector<std::uint8_t> input(kBytes);
    for (std::size_t i = 0; i < kBytes; ++i) input[i] = static_cast<std::uint8_t>(i % 251);
    std::copy(known.in.begin(), known.in.end(), input.begin());

    const AesKey key(std::span(known.key).first(known.key_bytes));
    std::uint8_t counter[kBlockBytes];
    std::copy(known.counter.begin(), known.counter.end(), counter);
    const AesJob job{.mode = known.mode,
                     .rounds = key.rounds(),
                     .keys = key.schedule(known.mode),
                     .counter = load_counter(counter),
                     .in = on_device.data(),
                     .out = on_device.data() + kBytes,
                     .blocks = kBlocks};
    std::copy(input.begin(), input.end(), pinned.data());
    stream->copy(on_device.data(), pinned.data(), kBytes);
    stream->run(job);
    stream->copy(pinned.data(), on_device.data() + kBytes, kBytes);
    stream->wait();

    bool right = std::equal(known.out.begin(), known.out.end(), pinned.data());
    for (std::size_t i = 0; i < kBlocks; ++i) {
      std::uint8_t expected[kBlockBytes];
      store_block(expected_block(job, load_block(input.data() + i * kBlockBytes), i), expected);
      right = right && std::equal(expected, expected + kBlockBytes, pinned.data() + i * kBlockBytes);
    }
    note(device, name_of(known.mode, key.rounds()), right, results);
  }
  note(device, "CRC-16", passes_crc16_known_answers(device), results);
}

}  // namespace gpuaes
