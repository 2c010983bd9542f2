#include "both.h"

#include "cipher_trace.h"
#include "test_memory.h"

#include <openssl/core_names.h>
#include <openssl/params.h>

#include <algorithm>
#include <atomic>
#include <optional>

namespace gpuaes::test {
namespace {

// More than any call may write beyond its input's length, so that it shows.
constexpr std::size_t kBeyond = 32;
constexpr std::uint8_t kUntouched = 0xee;

const Library& reference()
{
  // Not freed at the end: OpenSSL may be gone when static objects are destroyed.
  static const auto& library = *new Library(Library::with_default());
  return library;
}

unsigned next_number()
{
  static std::atomic<unsigned> made{0};
  return ++made;
}

void note_step(const std::string& step) { steps_so_far().push_back(step); }

std::string in_words(const Placement& placement)
{
  const auto end = [](MemoryKind kind, std::size_t at) {
    constexpr const char* kNames[] = {"ordinary", "pinned", "managed", "device", "peer"};
    return std::string(kNames[static_cast<std::size_t>(kind)]) + " + " + std::to_string(at);
  };
  std::string text = ", ";
  text.append(end(placement.in, placement.in_at)).append(placement.one_buffer ? " to the same + " : " to ");
  return text.append(end(placement.out, placement.out_at));
}

std::string in_words(const Seen& seen)
{
  std::string text;
  for (const long long number : seen.numbers) text.append(" ").append(std::to_string(number));
  return text + ", " + std::to_string(seen.bytes.size()) + " bytes";
}

}  // namespace

std::vector<std::string>& steps_so_far()
{
  thread_local std::vector<std::string> steps;
  return steps;
}

Both::Both(const Library& gpuaes, const std::string& cipher)
    : gpuaes_(gpuaes), number_(next_number()), contexts_{ContextPointer(EVP_CIPHER_CTX_new()), ContextPointer(EVP_CIPHER_CTX_new())}
{
  init(&cipher, nullptr, nullptr, 1, nullptr);
}

Both::Both(const Both& other)
    : gpuaes_(other.gpuaes_),
      number_(next_number()),
      held_back_(other.held_back_),
      contexts_{ContextPointer(EVP_CIPHER_CTX_new()), ContextPointer(EVP_CIPHER_CTX_new())}
{
  call("copy", [&](EVP_CIPHER_CTX* context, bool of_gpuaes) {
    return Seen{{EVP_CIPHER_CTX_copy(context, other.contexts_[of_gpuaes ? 0 : 1].get())}, {}};
  });
}

bool Both::call(const std::string& what, const std::function<Seen(EVP_CIPHER_CTX* context, bool of_gpuaes)>& call)
{
  note_step(std::to_string(number_) + ": " + what);
  Seen seen[2];
  std::string errors[2];
  for (const int i : {1, 0}) {
    take_errors();
    seen[i] = call(contexts_[i].get(), i == 0);
    errors[i] = take_errors();
  }
  if (seen[0] != seen[1] || errors[0] != errors[1])
    throw Difference(what + ": gpuaes" + in_words(seen[0]) + errors[0] + "; default" + in_words(seen[1]) + errors[1] + "; " +
                     first_difference(seen[0].bytes, seen[1].bytes));
  note_step(std::string("  ").append(in_words(seen[1])).append(errors[1]));
  return seen[0].numbers.at(0) == 1;
}

bool Both::init(const std::string* cipher, const Bytes* key, const Bytes* iv, int encrypt, const OSSL_PARAM* params)
{
  held_back_ = 0;
  const auto pointer = [](const Bytes* bytes) { return bytes == nullptr ? nullptr : bytes->data(); };
  const std::string what = "init, encrypt " + std::to_string(encrypt) + (cipher == nullptr ? "" : ", " + *cipher) +
                           (key == nullptr ? "" : ", key " + to_hex(*key)) + (iv == nullptr ? "" : ", iv " + to_hex(*iv));
  return call(what, [&](EVP_CIPHER_CTX* context, bool of_gpuaes) {
    const CipherPointer fetched = cipher == nullptr ? nullptr : (of_gpuaes ? gpuaes_ : reference()).fetch(*cipher);
    return Seen{{EVP_CipherInit_ex2(context, fetched.get(), pointer(key), pointer(iv), encrypt, params)}, {}};
  });
}

bool Both::reset(const std::string& cipher)
{
  call("reset", [](EVP_CIPHER_CTX* context, bool) { return Seen{{EVP_CIPHER_CTX_reset(context)}, {}}; });
  return init(&cipher, nullptr, nullptr, 1, nullptr);
}

void Both::compare_position()
{
  call("position", [](EVP_CIPHER_CTX* context, bool) {
    Seen seen{{}, Bytes(32)};
    unsigned num = 77;
    OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_IV, seen.bytes.data(), 16),
                           OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, seen.bytes.data() + 16, 16),
                           OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_NUM, &num), OSSL_PARAM_construct_end()};
    seen.numbers = {EVP_CIPHER_CTX_get_params(context, params), num};
    return seen;
  });
}

bool Both::pass(const std::string& what, std::span<const std::uint8_t> in, const Placement& placement,
                const std::function<int(EVP_CIPHER_CTX*, std::uint8_t* out, int* written, const std::uint8_t* in)>& call)
{
  return this->call(what + " of " + std::to_string(in.size()) + in_words(placement), [&](EVP_CIPHER_CTX* context, bool of_gpuaes) {
    const auto kind = [&](MemoryKind wanted) { return of_gpuaes ? wanted : MemoryKind::ordinary; };
    const std::size_t end_of_out = placement.out_at + in.size() + kBeyond;
    const std::size_t end_of_in = placement.in_at + in.size();
    TestMemory to(kind(placement.out), placement.one_buffer ? std::max(end_of_in, end_of_out) : end_of_out);
    to.upload(Bytes(end_of_out, kUntouched));
    std::optional<TestMemory> apart;
    if (!placement.one_buffer) apart.emplace(kind(placement.in), end_of_in);
    TestMemory& from = apart ? *apart : to;
    from.upload(Bytes(in.begin(), in.end()), placement.in_at);
    int written = -7;
    const int result = call(context, to.data() + placement.out_at, &written, from.data() + placement.in_at);
    Seen seen{{result, written}, {}};
    if (result > 0) seen.bytes = to.download(0, end_of_out);  // what a call that failed has written is nobody's business
    return seen;
  });
}

bool Both::update(std::span<const std::uint8_t> in, Placement placement)
{
  // In place, with bytes held back, output goes over input that is still to be read. What comes of that is the default provider's
  // own, which is asked about host memory only.
  if (!host_can_access(placement.out) && held_back_ != 0) placement.one_buffer = false;
  return pass("update", in, placement, [&](EVP_CIPHER_CTX* context, std::uint8_t* out, int* written, const std::uint8_t* from) {
    const int result = EVP_CipherUpdate(context, out, written, from, static_cast<int>(in.size()));
    if (result == 1 && context == contexts_[0].get()) held_back_ += static_cast<int>(in.size()) - *written;
    return result;
  });
}

bool Both::one_shot(std::span<const std::uint8_t> in, const Placement& placement)
{
  return pass("one-shot", in, placement, [&](EVP_CIPHER_CTX* context, std::uint8_t* out, int*, const std::uint8_t* from) {
    return EVP_Cipher(context, out, from, static_cast<unsigned>(in.size()));
  });
}

bool Both::final(MemoryKind out)
{
  return pass("final", {}, {.in = out, .out = out},
              [](EVP_CIPHER_CTX* context, std::uint8_t* to, int* written, const std::uint8_t*) {
                return EVP_CipherFinal_ex(context, to, written);
              });
}

}  // namespace gpuaes::test
