// Device, pinned and managed pointers through EVP, at every size, against the default provider on ordinary memory.
#include "engine/options.h"
#include "support/differential.h"
#include "support/print.h"
#include "support/scale.h"
#include "support/test_memory.h"
#include "variants.h"

#include <openssl/err.h>

#include <tuple>

namespace gpuaes::test {
namespace {

using SafetyOverlap = OnDevice<>;

constexpr MemoryKind kKinds[] = {MemoryKind::ordinary, MemoryKind::pinned, MemoryKind::managed, MemoryKind::device};

// A message in pieces through one context, as an application with data on the device would pass it.
struct Message {
  MemoryKind in = MemoryKind::device;
  MemoryKind out = MemoryKind::device;
  std::size_t in_shift = 0;
  std::size_t out_shift = 0;
  bool in_place = false;
};

class DiffMemory : public OnDevice<::testing::TestWithParam<std::tuple<std::string, MemoryKind, MemoryKind>>> {
 protected:
  void run(const Library& library, const std::string& cipher, bool encrypt, bool padding, const std::vector<std::size_t>& pieces,
           const Message& message)
  {
    const Bytes key = test_key(key_bytes_of(cipher));
    const Bytes iv = from_hex("00112233445566778899aabbfffffffe");
    std::size_t total = 0;
    for (const std::size_t piece : pieces) total += piece;
    const Bytes input = pattern(total);

    Traced expected(reference_, cipher);
    expected.init(&key, &iv, encrypt);
    expected.set_padding(padding);
    std::size_t at = 0;
    for (const std::size_t piece : pieces) {
      expected.update(
          Bytes(input.begin() + static_cast<std::ptrdiff_t>(at), input.begin() + static_cast<std::ptrdiff_t>(at + piece)));
      at += piece;
    }
    const std::size_t before_final = expected.output().size();

    TestMemory in(message.in, total + message.in_shift + 32);
    TestMemory apart(message.out, total + message.out_shift + 32);
    in.upload(input, message.in_shift);
    TestMemory& out = message.in_place ? in : apart;
    const std::size_t out_shift = message.in_place ? message.in_shift : message.out_shift;
    Traced got(library, cipher);
    got.init(&key, &iv, encrypt);
    got.set_padding(padding);
    at = 0;
    std::size_t written = 0;
    for (const std::size_t piece : pieces) {
      int more = -1;
      ASSERT_EQ(EVP_CipherUpdate(got.get(), out.data() + out_shift + written, &more, in.data() + message.in_shift + at,
                                 static_cast<int>(piece)),
                1)
          << take_errors();
      at += piece;
      written += static_cast<std::size_t>(more);
    }
    ASSERT_EQ(written, before_final);
    int more = -1;
    expected.final();
    const int result = EVP_CipherFinal_ex(got.get(), out.data() + out_shift + written, &more);
    const std::string errors = take_errors();
    if (result == 1) written += static_cast<std::size_t>(more);
    EXPECT_EQ(first_difference(out.download(out_shift, written), expected.output()), "");
    EXPECT_NE(expected.trace().back().find("final -> " + std::to_string(result) + errors), std::string::npos) << errors;
  }

  const Library reference_ = Library::with_default();
};

TEST_P(DiffMemory, WholeUpdates)
{
  const auto [cipher, in, out] = GetParam();
  const Library library = Library::with_gpuaes();
  for (const bool encrypt : {true, false})
    for (const std::size_t bytes : {std::size_t{16}, std::size_t{4096}, std::size_t{100'000}, scaled(kLaneBytes + 16, 300'000)}) {
      SCOPED_TRACE(bytes);
      run(library, cipher, encrypt, false, {bytes / 16 * 16}, {.in = in, .out = out});
    }
}

TEST_P(DiffMemory, TinyAndUnevenUpdates)
{
  const auto [cipher, in, out] = GetParam();
  const Library library = Library::with_gpuaes();
  for (const bool encrypt : {true, false})
    for (const bool padding : {true, false})
      for (const std::vector<std::size_t>& pieces : {std::vector<std::size_t>{5},
                                                     {5, 5, 5, 5},
                                                     {1, 15, 16, 17},
                                                     {16, 16, 1},
                                                     {4096, 7, 4096, 25},
                                                     {100, 0, 60'000, 4},
                                                     {32, 32}}) {
        SCOPED_TRACE(::testing::Message() << (encrypt ? "encrypt " : "decrypt ") << padding << ", first " << pieces[0]);
        run(library, cipher, encrypt, padding, pieces, {.in = in, .out = out});
      }
}

TEST_P(DiffMemory, Misaligned)
{
  const auto [cipher, in, out] = GetParam();
  const Library library = Library::with_gpuaes();
  for (const std::size_t shift : {1u, 7u, 15u}) {
    SCOPED_TRACE(shift);
    run(library, cipher, true, false, {1600}, {.in = in, .out = out, .in_shift = shift});
    run(library, cipher, false, false, {1600}, {.in = in, .out = out, .out_shift = shift});
    run(library, cipher, true, true, {1601, 4000}, {.in = in, .out = out, .in_shift = shift, .out_shift = shift});
  }
}

TEST_P(DiffMemory, InPlace)
{
  const auto [cipher, in, out] = GetParam();
  if (in != out) return;
  const Library library = Library::with_gpuaes();
  for (const std::size_t shift : {0u, 9u}) {
    SCOPED_TRACE(shift);
    run(library, cipher, true, false, {16, 4096, 160'000}, {.in = in, .out = out, .in_shift = shift, .in_place = true});
    run(library, cipher, false, false, {160'000, 32}, {.in = in, .out = out, .in_shift = shift, .in_place = true});
  }
}

std::string name_of_case(const ::testing::TestParamInfo<DiffMemory::ParamType>& chosen)
{
  std::string name = std::get<0>(chosen.param);
  std::erase(name, '-');
  return name + "_" + text_of(std::get<1>(chosen.param)) + "_" + text_of(std::get<2>(chosen.param));
}

INSTANTIATE_TEST_SUITE_P(All, DiffMemory,
                         ::testing::Combine(::testing::Values("AES-128-ECB", "AES-256-CTR"), ::testing::ValuesIn(kKinds),
                                            ::testing::ValuesIn(kKinds)),
                         name_of_case);

using DiffMixedMemory = OnDevice<>;

// One stream whose updates change from host to device memory and back.
TEST_F(DiffMixedMemory, WithinOneStream)
{
  const Library library = Library::with_gpuaes();
  const Library reference = Library::with_default();
  const Bytes key = test_key(16);
  const Bytes iv = pattern(16);
  Traced expected(reference, "AES-128-CTR");
  Traced got(library, "AES-128-CTR");
  TestMemory device(MemoryKind::device, 4096);  // CUDA must be running when the context is initialised
  expected.init(&key, &iv, true);
  got.init(&key, &iv, true);
  for (const std::size_t bytes : {7u, 100u, 4096u}) {
    expected.update(pattern(bytes));
    got.update(pattern(bytes));
    device.upload(pattern(bytes));
    int written = 0;
    ASSERT_EQ(EVP_CipherUpdate(got.get(), device.data(), &written, device.data(), static_cast<int>(bytes)), 1) << take_errors();
    const std::size_t before = expected.output().size();
    expected.update(pattern(bytes));
    EXPECT_EQ(device.download(0, bytes),
              Bytes(expected.output().begin() + static_cast<std::ptrdiff_t>(before), expected.output().end()));
  }
}

// Host memory right beside device memory: knowing that one is the host's must not make the other so.
TEST_F(DiffMixedMemory, SideBySide)
{
  const Library library = Library::with_gpuaes();
  const Library reference = Library::with_default();
  const Bytes key = test_key(16);
  const Bytes iv = pattern(16);
  Traced expected(reference, "AES-128-CTR");
  Traced got(library, "AES-128-CTR");
  TestMemory first(MemoryKind::device, pattern(4096));  // CUDA must be running when the context is initialised
  TestMemory pinned(MemoryKind::pinned, pattern(4096));
  TestMemory second(MemoryKind::device, pattern(4096));
  expected.init(&key, &iv, true);
  got.init(&key, &iv, true);
  for (const TestMemory* memory : {&pinned, &first, &pinned, &second}) {
    const std::size_t before = expected.output().size();
    const Bytes input = memory->download(0, 4096);
    expected.update(input);
    int written = 0;
    ASSERT_EQ(EVP_CipherUpdate(got.get(), memory->data(), &written, memory->data(), 4096), 1) << take_errors();
    EXPECT_EQ(memory->download(0, 4096),
              Bytes(expected.output().begin() + static_cast<std::ptrdiff_t>(before), expected.output().end()));
  }
}

// On host memory they go to the default provider. A kernel can't do them; the same bytes and bytes that only touch it can.
TEST_F(SafetyOverlap, InDeviceMemoryIsAnError)
{
  const Library library = Library::with_gpuaes({{"startup", "load"}});
  const std::size_t bytes = std::size_t{1} << 20;
  for (const std::string cipher : {"AES-128-CTR", "AES-128-ECB"}) {
    const CipherPointer fetched = library.fetch(cipher);
    for (const std::size_t shift : {std::size_t{1}, std::size_t{16}, bytes - 1, bytes, std::size_t{0}})
      for (const bool forwards : {false, true})
        for (const bool one_shot : {false, true}) {
          TestMemory memory(MemoryKind::device, 2 * bytes);
          memory.upload(pattern(2 * bytes));
          const ContextPointer context(EVP_CIPHER_CTX_new());
          const Bytes key = test_key(16);
          const Bytes iv(16);
          EVP_EncryptInit_ex2(context.get(), fetched.get(), key.data(), iv.data(), nullptr);
          std::uint8_t* const in = memory.data() + (forwards ? 0 : shift);
          std::uint8_t* const out = memory.data() + (forwards ? shift : 0);
          int written = 0;
          ERR_clear_error();
          const int result = one_shot ? EVP_Cipher(context.get(), out, in, static_cast<unsigned>(bytes))
                                      : EVP_EncryptUpdate(context.get(), out, &written, in, static_cast<int>(bytes));
          const bool overlaps = shift > 0 && shift < bytes;
          EXPECT_EQ(result > 0, !overlaps) << cipher << " " << shift << " " << forwards << one_shot;
          if (!overlaps) continue;
          const char* said = nullptr;
          int flags = 0;
          ERR_peek_error_all(nullptr, nullptr, nullptr, &said, &flags);
          EXPECT_NE(std::string(said).find("overlap"), std::string::npos) << said;
        }
  }
}

}  // namespace
}  // namespace gpuaes::test
