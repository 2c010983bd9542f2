// Messages to the three CRC-16 digests, in pieces, from every kind of memory and whatever fails, against the CRC by its definition.
#include "profiles.h"

#include "support/both.h"
#include "support/crc16_reference.h"
#include "support/digest.h"
#include "support/test_memory.h"

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <optional>

namespace gpuaes::test {
namespace {

// As the RevEng catalogue has them.
struct Variant {
  const char* name;
  std::uint16_t init;
  std::uint16_t xor_at_end;
};
constexpr Variant kVariants[] = {{"CRC16", 0xffff, 0}, {"CRC16-X25", 0xffff, 0xffff}, {"CRC16-KERMIT", 0, 0}};
constexpr MemoryKind kKinds[] = {MemoryKind::ordinary, MemoryKind::ordinary, MemoryKind::pinned, MemoryKind::managed,
                                 MemoryKind::device};

enum class Step : std::uint8_t { update, start, copy, final, kMaxValue = final };

// A message in the making, and what its register must be.
struct Message {
  std::optional<Digesting> digesting;
  std::uint16_t expected = 0;
};

// A piece of any length, as random as need be; nothing in them repeats after 251 bytes, or 256.
Bytes piece(FuzzedDataProvider& input)
{
  const std::size_t bits = input.ConsumeIntegralInRange<std::size_t>(0, 16);
  return random_bytes(input.ConsumeIntegralInRange<std::size_t>(0, std::size_t{1} << bits), input.ConsumeIntegral<std::uint8_t>());
}

void update(Message& message, bool device_memory, FuzzedDataProvider& input)
{
  const Bytes in = piece(input);
  MemoryKind kind = input.PickValueInArray(kKinds);
  if (kind == MemoryKind::device && !device_memory) kind = MemoryKind::ordinary;
  const auto at = input.ConsumeIntegralInRange<std::size_t>(0, 70);
  TestMemory memory(kind, at + in.size());
  memory.upload(in, at);
  if (EVP_DigestUpdate(message.digesting->get(), memory.data() + at, in.size()) != 1) throw Difference("update: " + take_errors());
  message.expected = crc16_by_bits(message.expected, in);
}

void finish(Message& message, const Variant& variant)
{
  const unsigned value = message.expected ^ variant.xor_at_end;
  const Bytes expected = {static_cast<std::uint8_t>(value >> 8), static_cast<std::uint8_t>(value)};
  if (const std::string got = message.digesting->final(); got != to_hex(expected))
    throw Difference(std::string(variant.name) + ": " + got + " instead of " + to_hex(expected));
}

void run(const Library& library, bool device_memory, FuzzedDataProvider& input)
{
  const Variant& variant = input.PickValueInArray(kVariants);
  Message messages[2];
  const auto start = [&](Message& message) {
    message.digesting.emplace(library, variant.name);
    message.expected = variant.init;
  };
  for (Message& message : messages) start(message);
  for (int steps = 0; steps < 60 && input.remaining_bytes() > 0; ++steps) {
    const auto which = input.ConsumeIntegralInRange<std::size_t>(0, 1);
    Message& message = messages[which];
    switch (input.ConsumeEnum<Step>()) {
      case Step::update:
        update(message, device_memory, input);
        break;
      case Step::start:
        message.digesting->start();
        message.expected = variant.init;
        break;
      case Step::copy:
        message.digesting.emplace(*messages[1 - which].digesting);
        message.expected = messages[1 - which].expected;
        break;
      case Step::final:
        finish(message, variant);
        start(message);
        break;
    }
  }
  for (Message& message : messages) finish(message, variant);
}

}  // namespace
}  // namespace gpuaes::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes)
{
  using namespace gpuaes::test;
  FuzzedDataProvider input(data, bytes);
  // A sample is digested by itself, and says nothing of the sum of all.
  const Setup setup(input, SampleFinds::none);
  return must_agree([&] { run(setup.library(), setup.profile().device_memory && !setup.faulty(), input); });
}
