/* One large buffer through OpenSSL's EVP API, encrypted by whatever "?provider=gpuaes" picks and by the default provider alone:
 * compares the bytes and the time, and shows what gpuaes says about itself.
 *
 *   cc -O2 large_buffer.c -o large_buffer -lcrypto
 *   ./large_buffer [MIB [FOLDER_OF_GPUAES_SO]]
 */
#define _POSIX_C_SOURCE 200809L
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const unsigned char key[32] = "an example's key, 32 bytes long.";
static const unsigned char iv[16] = {0};

static void must(int ok, const char* what)
{
  if (ok) return;
  fprintf(stderr, "%s failed\n", what);
  ERR_print_errors_fp(stderr);
  exit(1);
}

static double now(void)
{
  struct timespec time;

  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static const char* text_parameter(const OSSL_PROVIDER* provider, const char* name)
{
  const char* text = NULL;
  OSSL_PARAM wanted[] = {OSSL_PARAM_construct_utf8_ptr(name, (char**)&text, 0), OSSL_PARAM_construct_end()};

  return OSSL_PROVIDER_get_params(provider, wanted) && text != NULL ? text : "";
}

static unsigned long long count_parameter(const OSSL_PROVIDER* provider, const char* name)
{
  uint64_t count = 0;
  OSSL_PARAM wanted[] = {OSSL_PARAM_construct_uint64(name, &count), OSSL_PARAM_construct_end()};

  return OSSL_PROVIDER_get_params(provider, wanted) ? count : 0;
}

/* Encrypts `bytes` bytes in calls of at most 1 GiB, since EVP's lengths are ints. Returns the seconds it took. */
static double encrypt(const EVP_CIPHER* cipher, const unsigned char* in, unsigned char* out, size_t bytes)
{
  EVP_CIPHER_CTX* context = EVP_CIPHER_CTX_new();
  double start = now();
  size_t done = 0;

  must(context != NULL && EVP_EncryptInit_ex2(context, cipher, key, iv, NULL), "EVP_EncryptInit_ex2");
  while (done < bytes) {
    size_t piece = bytes - done < ((size_t)1 << 30) ? bytes - done : (size_t)1 << 30;
    int written = 0;

    must(EVP_EncryptUpdate(context, out + done, &written, in + done, (int)piece), "EVP_EncryptUpdate");
    done += (size_t)written;
  }
  EVP_CIPHER_CTX_free(context);
  return now() - start;
}

/* The better of three times: the first also pays for memory that is touched for the first time. */
static double best_time(const EVP_CIPHER* cipher, const unsigned char* in, unsigned char* out, size_t bytes)
{
  double best = encrypt(cipher, in, out, bytes);

  for (int i = 0; i < 2; i++) {
    double seconds = encrypt(cipher, in, out, bytes);

    best = seconds < best ? seconds : best;
  }
  return best;
}

int main(int count, char** arguments)
{
  size_t bytes = (count > 1 ? strtoull(arguments[1], NULL, 10) : 1024) << 20;

  /* Neither the search path nor the loading is needed where openssl.cnf activates both providers. */
  if (count > 2) must(OSSL_PROVIDER_set_default_search_path(NULL, arguments[2]), "OSSL_PROVIDER_set_default_search_path");
  OSSL_PROVIDER* standard = OSSL_PROVIDER_load(NULL, "default");
  OSSL_PROVIDER* gpuaes = OSSL_PROVIDER_load(NULL, "gpuaes");
  must(standard != NULL && gpuaes != NULL, "loading the providers default and gpuaes");

  /* The question mark makes it a preference: without gpuaes, this fetch gives the default provider's cipher. */
  EVP_CIPHER* preferred = EVP_CIPHER_fetch(NULL, "AES-256-CTR", "?provider=gpuaes");
  EVP_CIPHER* plain = EVP_CIPHER_fetch(NULL, "AES-256-CTR", "provider=default");
  must(preferred != NULL && plain != NULL, "EVP_CIPHER_fetch");

  unsigned char *in = malloc(bytes), *out = malloc(bytes), *expected = malloc(bytes);
  must(in != NULL && out != NULL && expected != NULL, "malloc");
  for (size_t i = 0; i < bytes; i++) in[i] = (unsigned char)(i % 251);

  /* gpuaes starts its device in the background, when enough large work has come or, with startup = load, at once. A long-running
   * program need not wait for it; this one wants to show it at work. */
  encrypt(preferred, in, out, bytes);
  for (int i = 0; i < 1000 && strcmp(text_parameter(gpuaes, "gpuaes.state"), "starting") == 0; i++)
    nanosleep(&(struct timespec){0, 10000000}, NULL);

  double gpuaes_seconds = best_time(preferred, in, out, bytes);
  double plain_seconds = best_time(plain, in, expected, bytes);
  int same = memcmp(out, expected, bytes) == 0;

  const char* device = text_parameter(gpuaes, "gpuaes.device");

  printf("buffer              %zu MiB\n", bytes >> 20);
  printf("default provider    %.2f GB/s\n", (double)bytes / plain_seconds * 1e-9);
  printf("gpuaes              %.2f GB/s, %s\n", (double)bytes / gpuaes_seconds * 1e-9,
         same ? "byte for byte the same" : "DIFFERENT BYTES");
  printf("state               %s\n", text_parameter(gpuaes, "gpuaes.state"));
  printf("device              %s\n", *device != '\0' ? device : "none");
  printf("reason              %s\n", text_parameter(gpuaes, "gpuaes.reason"));
  printf("bytes by            device %llu, keystream %llu, default %llu\n", count_parameter(gpuaes, "gpuaes.bytes.device"),
         count_parameter(gpuaes, "gpuaes.bytes.keystream"), count_parameter(gpuaes, "gpuaes.bytes.default"));

  free(in);
  free(out);
  free(expected);
  EVP_CIPHER_free(preferred);
  EVP_CIPHER_free(plain);
  OSSL_PROVIDER_unload(gpuaes);
  OSSL_PROVIDER_unload(standard);
  return same ? 0 : 1;
}
