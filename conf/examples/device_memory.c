/* Data that is on the device already is encrypted there: device pointers go through OpenSSL's EVP API as they are. Next to it the
 * usual way: copied to the host, encrypted by the default provider, copied back. Compares the bytes and the time.
 *
 *   cc -O2 -I/usr/local/cuda/include device_memory.c -o device_memory -lcrypto -L/usr/local/cuda/lib64 -lcudart
 *   ./device_memory [MIB [FOLDER_OF_GPUAES_SO]]
 */
#define _POSIX_C_SOURCE 200809L
#include <cuda_runtime_api.h>
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

/* `in` and `out` may be of the host or of the device. EVP's lengths are ints, so a call does at most 1 GiB. */
static void encrypt(const EVP_CIPHER* cipher, const unsigned char* in, unsigned char* out, size_t bytes)
{
  EVP_CIPHER_CTX* context = EVP_CIPHER_CTX_new();
  size_t done = 0;

  must(context != NULL && EVP_EncryptInit_ex2(context, cipher, key, iv, NULL), "EVP_EncryptInit_ex2");
  while (done < bytes) {
    size_t piece = bytes - done < ((size_t)1 << 30) ? bytes - done : (size_t)1 << 30;
    int written = 0;

    must(EVP_EncryptUpdate(context, out + done, &written, in + done, (int)piece), "EVP_EncryptUpdate");
    done += (size_t)written;
  }
  EVP_CIPHER_CTX_free(context);
}

int main(int count, char** arguments)
{
  size_t bytes = (count > 1 ? strtoull(arguments[1], NULL, 10) : 1024) << 20;
  unsigned char *plain = NULL, *secret = NULL, *host = malloc(bytes), *expected = malloc(bytes);

  must(host != NULL && expected != NULL, "malloc");
  if (cudaMalloc((void**)&plain, bytes) != cudaSuccess || cudaMalloc((void**)&secret, bytes) != cudaSuccess) {
    puts("no GPU, or too little memory on it");
    return 77;
  }
  for (size_t i = 0; i < bytes; i++) host[i] = (unsigned char)(i % 251);
  must(cudaMemcpy(plain, host, bytes, cudaMemcpyDefault) == cudaSuccess, "cudaMemcpy");

  /* CUDA has been used before the first cipher context is made: so gpuaes asks each pointer where it points to. */
  if (count > 2) must(OSSL_PROVIDER_set_default_search_path(NULL, arguments[2]), "OSSL_PROVIDER_set_default_search_path");
  OSSL_PROVIDER* standard = OSSL_PROVIDER_load(NULL, "default");
  OSSL_PROVIDER* gpuaes = OSSL_PROVIDER_load(NULL, "gpuaes");
  must(standard != NULL && gpuaes != NULL, "loading the providers default and gpuaes");
  /* Only gpuaes can read device memory: no question mark, so that nothing else may be fetched. */
  EVP_CIPHER* on_device = EVP_CIPHER_fetch(NULL, "AES-256-CTR", "provider=gpuaes");
  EVP_CIPHER* on_host = EVP_CIPHER_fetch(NULL, "AES-256-CTR", "provider=default");
  must(on_device != NULL && on_host != NULL, "EVP_CIPHER_fetch");

  double start = now();
  must(cudaMemcpy(host, plain, bytes, cudaMemcpyDefault) == cudaSuccess, "cudaMemcpy");
  encrypt(on_host, host, expected, bytes);
  must(cudaMemcpy(secret, expected, bytes, cudaMemcpyDefault) == cudaSuccess, "cudaMemcpy");
  double usual_seconds = now() - start;

  must(cudaMemset(secret, 0, bytes) == cudaSuccess, "cudaMemset");
  encrypt(on_device, plain, secret, 16); /* waits until the device has been tested, once in a process */
  start = now();
  encrypt(on_device, plain, secret, bytes);
  double gpuaes_seconds = now() - start;

  must(cudaMemcpy(host, secret, bytes, cudaMemcpyDefault) == cudaSuccess, "cudaMemcpy");
  int same = memcmp(host, expected, bytes) == 0;

  printf("data            %zu MiB in device memory, AES-256-CTR\n", bytes >> 20);
  printf("the usual way   %.4f s, %.2f GB/s\n", usual_seconds, (double)bytes / usual_seconds * 1e-9);
  printf("gpuaes          %.4f s, %.2f GB/s\n", gpuaes_seconds, (double)bytes / gpuaes_seconds * 1e-9);
  printf("ratio           %.1f\n", usual_seconds / gpuaes_seconds);
  printf("bytes           %s\n", same ? "the same" : "DIFFERENT");

  cudaFree(plain);
  cudaFree(secret);
  free(host);
  free(expected);
  EVP_CIPHER_free(on_device);
  EVP_CIPHER_free(on_host);
  OSSL_PROVIDER_unload(gpuaes);
  OSSL_PROVIDER_unload(standard);
  return same ? 0 : 1;
}
