#include "passphrase.h"

#include "match/usage_error.h"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace gpuaes::enc {
namespace {

// As many bytes as OpenSSL's command takes, with the zero at the end.
constexpr int kMostInFile = 128, kMostFromSource = 1024, kMostTyped = 512;

SecretBytes as_secret(std::string_view text) { return {text.begin(), text.end()}; }

// The first line. A BIO on a descriptor takes no byte more than that: the data may follow.
SecretBytes first_line(BIO* bio, int most, const std::string& name)
{
  const OpenSslPtr<BIO> owner(bio);
  SecretBytes line(static_cast<std::size_t>(most));
  if (bio != nullptr) errno = 0;
  // 0 is an error as well as the end: an empty line has a line end.
  const int bytes = bio == nullptr ? -1 : BIO_gets(bio, reinterpret_cast<char*>(line.data()), most);
  if (bytes <= 0)
    throw std::runtime_error("the passphrase can't be read from " + name + ": " +
                             (errno != 0 ? std::strerror(errno) : "it is empty"));
  line.resize(static_cast<std::size_t>(bytes));
  return line;
}

SecretBytes from_file(const std::string& path, int most)
{
  if (path == "-") return first_line(BIO_new_fd(STDIN_FILENO, BIO_NOCLOSE), most, "standard input");
  return first_line(BIO_new_file(path.c_str(), "r"), most, path);
}

void drop_line_end(SecretBytes& line)
{
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
}

SecretBytes up_to_newline(SecretBytes line)
{
  if (const void* end = std::memchr(line.data(), '\n', line.size()); end != nullptr)
    line.resize(static_cast<std::size_t>(static_cast<const std::uint8_t*>(end) - line.data()));
  return line;
}

SecretBytes from_descriptor(std::string_view number)
{
  int descriptor = -1;
  const auto parsed = std::from_chars(number.data(), number.data() + number.size(), descriptor);
  if (parsed.ec != std::errc() || parsed.ptr != number.data() + number.size() || descriptor < 0)
    throw match::UsageError("-pass fd:" + std::string(number) + ": what follows fd: isn't the number of a file descriptor");
  return first_line(BIO_new_fd(descriptor, BIO_NOCLOSE), kMostFromSource, "file descriptor " + std::string(number));
}

SecretBytes from_source(std::string_view source)
{
  const auto rest_after = [&](std::string_view kind) { return source.substr(kind.size()); };
  if (source.starts_with("pass:")) return as_secret(rest_after("pass:"));
  if (source.starts_with("env:")) {
    const std::string name(rest_after("env:"));
    const char* const value = std::getenv(name.c_str());
    if (value == nullptr) throw std::runtime_error("-pass env:" + name + ": there is no such variable in the environment");
    return as_secret(value);
  }
  if (source.starts_with("file:")) return up_to_newline(from_file(std::string(rest_after("file:")), kMostFromSource));
  if (source.starts_with("fd:")) return up_to_newline(from_descriptor(rest_after("fd:")));
  if (source == "stdin") return up_to_newline(from_file("-", kMostFromSource));
  throw match::UsageError(
      "-pass: what is given says no source. Allowed are pass:TEXT, env:VARIABLE, file:PATH, fd:NUMBER and stdin");
}

SecretBytes from_terminal(const CipherKind& cipher, bool decrypts)
{
  const std::string prompt = std::string("enter ") + cipher.title + " " + (decrypts ? "decryption" : "encryption") + " password:";
  SecretBytes typed(kMostTyped);
  auto* const text = reinterpret_cast<char*>(typed.data());
  if (EVP_read_pw_string(text, kMostTyped, prompt.c_str(), decrypts ? 0 : 1) != 0)
    throw std::runtime_error(
        "no passphrase could be read from the terminal. -pass and -kfile are other ways to give one, and --key-file and -K give a "
        "key");
  typed.resize(std::strlen(text));
  if (typed.empty()) throw std::runtime_error("the passphrase is empty");
  return typed;
}

}  // namespace

SecretBytes read_passphrase(const KeySettings& settings, const CipherKind& cipher, bool decrypts)
{
  if (settings.passphrase) return *settings.passphrase;
  if (settings.passphrase_file) {
    SecretBytes line = from_file(*settings.passphrase_file, kMostInFile);
    drop_line_end(line);
    if (line.empty()) throw std::runtime_error("-kfile " + *settings.passphrase_file + ": its first line is empty");
    return line;
  }
  if (settings.passphrase_source) {
    const SecretBytes& source = *settings.passphrase_source;
    return from_source({reinterpret_cast<const char*>(source.data()), source.size()});
  }
  return from_terminal(cipher, decrypts);
}

}  // namespace gpuaes::enc
