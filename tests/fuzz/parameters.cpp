#include "parameters.h"

#include <openssl/core_names.h>
#include <openssl/params.h>

#include <array>
#include <cstring>

namespace gpuaes::test {
namespace {

struct Question {
  const char* key;
  unsigned type;
  std::size_t bytes;
};

constexpr const char* kNames[] = {OSSL_CIPHER_PARAM_IV,
                                  OSSL_CIPHER_PARAM_UPDATED_IV,
                                  OSSL_CIPHER_PARAM_NUM,
                                  OSSL_CIPHER_PARAM_PADDING,
                                  OSSL_CIPHER_PARAM_KEYLEN,
                                  OSSL_CIPHER_PARAM_IVLEN,
                                  "unknown"};
constexpr unsigned kTypes[] = {OSSL_PARAM_OCTET_STRING, OSSL_PARAM_OCTET_PTR, OSSL_PARAM_UNSIGNED_INTEGER, OSSL_PARAM_INTEGER,
                               OSSL_PARAM_UTF8_STRING};
constexpr std::size_t kSizes[] = {16, 4, 8, 0, 1, 15, 17, 32};
constexpr std::size_t kMost = 4;

Question any_question(FuzzedDataProvider& input)
{
  Question question{.key = input.PickValueInArray(kNames), .type = OSSL_PARAM_OCTET_STRING, .bytes = 16};
  const bool is_number = std::strstr(question.key, "iv") == nullptr || std::strcmp(question.key, OSSL_CIPHER_PARAM_IVLEN) == 0;
  if (is_number) question = {question.key, OSSL_PARAM_UNSIGNED_INTEGER, 8};
  // Mostly as it should be: what is wrong is refused, and nothing after it is answered.
  switch (input.ConsumeIntegralInRange(0, 7)) {
    case 0:
      question.type = input.PickValueInArray(kTypes);
      break;
    case 1:
      question.bytes = input.PickValueInArray(kSizes);
      break;
    case 2:
      if (!is_number) question.type = OSSL_PARAM_OCTET_PTR;
      break;
    default:
      break;
  }
  return question;
}

Seen ask(EVP_CIPHER_CTX* context, const std::vector<Question>& questions)
{
  std::array<std::array<std::uint8_t, 32>, kMost> answers{};
  std::array<OSSL_PARAM, kMost + 1> params{};
  for (std::size_t i = 0; i < questions.size(); ++i)
    params[i] = {questions[i].key, questions[i].type, answers[i].data(), questions[i].bytes, OSSL_PARAM_UNMODIFIED};
  params[questions.size()] = OSSL_PARAM_construct_end();
  Seen seen{{EVP_CIPHER_CTX_get_params(context, params.data())}, {}};
  for (std::size_t i = 0; i < questions.size(); ++i) {
    seen.numbers.push_back(static_cast<long long>(params[i].return_size));
    const std::uint8_t* answer = answers[i].data();
    std::size_t bytes = answers[i].size();
    if (questions[i].type == OSSL_PARAM_OCTET_PTR) {
      // Where it points to is each provider's own.
      std::memcpy(&answer, answers[i].data(), sizeof answer);
      bytes = answer == nullptr ? 0 : 16;
    }
    seen.bytes.insert(seen.bytes.end(), answer, answer + bytes);
  }
  return seen;
}

}  // namespace

void get_parameters(Both& both, FuzzedDataProvider& input)
{
  std::vector<Question> questions(input.ConsumeIntegralInRange<std::size_t>(1, kMost));
  for (Question& question : questions) question = any_question(input);
  std::string what = "get_params";
  for (const Question& question : questions)
    what += std::string(" ") + question.key + " as " + std::to_string(question.type) + " of " + std::to_string(question.bytes);
  both.call(what, [&](EVP_CIPHER_CTX* context, bool) { return ask(context, questions); });
}

SettingParameters::SettingParameters(FuzzedDataProvider& input)
{
  constexpr const char* kSettable[] = {OSSL_CIPHER_PARAM_PADDING,      OSSL_CIPHER_PARAM_NUM,
                                       OSSL_CIPHER_PARAM_KEYLEN,       OSSL_CIPHER_PARAM_IVLEN,
                                       OSSL_CIPHER_PARAM_USE_BITS,     OSSL_CIPHER_PARAM_TLS_VERSION,
                                       OSSL_CIPHER_PARAM_TLS_MAC_SIZE, OSSL_CIPHER_PARAM_IV,
                                       OSSL_CIPHER_PARAM_UPDATED_IV,   "unknown"};
  constexpr std::uint64_t kValues[] = {0, 1, 2, 5, 12, 15, 16, 24, 32, 20, 0x0301, 0xfeff};
  for (std::size_t left = input.ConsumeIntegralInRange<std::size_t>(1, 3); left > 0; --left) {
    const char* const key = input.PickValueInArray(kSettable);
    std::uint64_t& number = numbers_.emplace_back(input.PickValueInArray(kValues));
    OSSL_PARAM param{key, OSSL_PARAM_UNSIGNED_INTEGER, &number, sizeof number, OSSL_PARAM_UNMODIFIED};
    if (std::strcmp(key, OSSL_CIPHER_PARAM_NUM) == 0) number %= 16;
    if (input.ConsumeIntegralInRange(0, 7) == 0) param.data_type = input.PickValueInArray(kTypes);
    if (param.data_type == OSSL_PARAM_OCTET_PTR) param.data_type = OSSL_PARAM_OCTET_STRING;
    steps_so_far().push_back(std::string("parameter ") + key + " = " + std::to_string(number) + " as " +
                             std::to_string(param.data_type));
    params_.push_back(param);
  }
  params_.push_back(OSSL_PARAM_construct_end());
}

}  // namespace gpuaes::test
