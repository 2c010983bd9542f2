#!/usr/bin/python3
"""Loads an encrypted file of weights into device memory: reads and decrypts it straight to where it is wanted, next to the usual way.

    encrypted_weights.py [MIB [FOLDER_OF_GPUAES_SO]]

The usual way is one thread that reads a piece, decrypts it with OpenSSL's default provider and copies it to the device. With gpuaes a
few threads read into pinned memory, and EVP_DecryptUpdate gets device memory as its output: what crosses the link is ciphertext, and
plaintext never is in host memory. Both go through the system's libcrypto by ctypes, which lets go of Python's lock in each call; a
tensor of PyTorch or CuPy has the address that is wanted in data_ptr() or data.ptr. Without a GPU everything stays in host memory.

Key and IV are in the program because it is an example. Makes its file in TMPDIR, else in /dev/shm, and removes it.
"""
import argparse
import concurrent.futures
import ctypes
import mmap
import os
import sys
import tempfile
import time
from ctypes import byref, c_int, c_size_t, c_uint, c_void_p

KEY = b"an example's key, 32 bytes long."
IV = bytes(15) + b"\xf0"
PIECE = 8 << 20
MOST_MEBIBYTES = 1 << 20
THREADS = min(8, os.cpu_count() or 1)


class Host:
    """Stands in for the device where there is none."""

    name = "no CUDA device: everything stays in host memory"

    def __init__(self):
        self.mappings = []

    def allocate(self, size):
        self.mappings.append(mmap.mmap(-1, size))
        return ctypes.addressof(ctypes.c_ubyte.from_buffer(self.mappings[-1]))

    pinned = allocate

    def use(self):
        pass

    def copy_in(self, to, source, size):
        ctypes.memmove(to, source, size)

    copy_out = copy_in


class Cuda:
    """The few functions of CUDA's driver that are needed. The primary context is also what the runtime, PyTorch and CuPy use."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        self.context = c_void_p()
        device, name = c_int(), ctypes.create_string_buffer(256)
        self.call("cuInit", c_uint(0))
        self.call("cuDeviceGet", byref(device), c_int(0))
        self.call("cuDeviceGetName", name, c_int(len(name)), device)
        self.call("cuDevicePrimaryCtxRetain", byref(self.context), device)
        self.name = name.value.decode()
        self.use()

    def call(self, function, *arguments):
        code = getattr(self.library, function)(*arguments)
        if code != 0:
            raise OSError(f"{function} failed with CUDA's error {code}")

    def use(self):
        """For each thread that calls CUDA by itself."""
        self.call("cuCtxSetCurrent", self.context)

    def allocate(self, size):
        memory = c_void_p()
        self.call("cuMemAlloc_v2", byref(memory), c_size_t(size))
        return memory.value

    def pinned(self, size):
        memory = c_void_p()
        self.call("cuMemHostAlloc", byref(memory), c_size_t(size), c_uint(1))  # 1: for all contexts
        return memory.value

    def copy_in(self, to, source, size):
        self.call("cuMemcpyHtoD_v2", c_void_p(to), c_void_p(source), c_size_t(size))

    def copy_out(self, to, source, size):
        self.call("cuMemcpyDtoH_v2", c_void_p(to), c_void_p(source), c_size_t(size))


class Crypto:
    """AES-256-CTR by OpenSSL, from a position in the stream on."""

    def __init__(self, modules):
        self.library = ctypes.CDLL("libcrypto.so.3")
        for name in ("EVP_CIPHER_fetch", "EVP_CIPHER_CTX_new", "OSSL_PROVIDER_load"):
            getattr(self.library, name).restype = c_void_p
        if modules:
            self.library.OSSL_PROVIDER_set_default_search_path(None, modules.encode())
        for provider in (b"default", b"gpuaes"):
            if not self.library.OSSL_PROVIDER_load(None, provider):
                raise OSError(f"OpenSSL can't load its provider {provider.decode()}")

    def cipher(self, properties):
        return c_void_p(self.library.EVP_CIPHER_fetch(None, b"AES-256-CTR", properties))

    def decrypt(self, cipher, position, to, source, size):
        """From and to addresses. In CTR mode encrypting is the same."""
        counter = (int.from_bytes(IV, "big") + position // 16) % (1 << 128)
        context, written = c_void_p(self.library.EVP_CIPHER_CTX_new()), c_int()
        good = self.library.EVP_DecryptInit_ex2(context, cipher, KEY, counter.to_bytes(16, "big"), None) == 1 and \
            self.library.EVP_DecryptUpdate(context, c_void_p(to), byref(written), c_void_p(source), c_int(size)) == 1
        self.library.EVP_CIPHER_CTX_free(context)
        if not good or written.value != size:
            raise OSError("OpenSSL failed to decrypt")


def read_piece(file, buffer, position, size):
    view = memoryview((ctypes.c_ubyte * size).from_address(buffer))
    done = 0
    while done < size:
        count = os.preadv(file, [view[done:]], position + done)
        if count == 0:
            raise OSError("the file became shorter")
        done += count


def write_encrypted(crypto, file, size):
    """Makes the file: weights that nobody trained."""
    host = Host()
    plain, secret = host.allocate(PIECE), host.allocate(PIECE)
    block = os.urandom(1 << 20)
    for at in range(0, PIECE, len(block)):
        ctypes.memmove(plain + at, block, len(block))
    for position in range(0, size, PIECE):
        count = min(PIECE, size - position)
        crypto.decrypt(crypto.cipher(b"provider=default"), position, secret, plain, count)
        os.pwrite(file, (ctypes.c_ubyte * count).from_address(secret), position)


def load_as_usual(crypto, device, file, size, to):
    host = Host()
    secret, plain = host.allocate(PIECE), host.allocate(PIECE)
    cipher = crypto.cipher(b"provider=default")
    for position in range(0, size, PIECE):
        count = min(PIECE, size - position)
        read_piece(file, secret, position, count)
        crypto.decrypt(cipher, position, plain, secret, count)
        device.copy_in(to + position, plain, count)


def load_with_gpuaes(crypto, device, file, size, to, buffers):
    cipher = crypto.cipher(b"provider=gpuaes")

    def load_every(first):
        for position in range(first * PIECE, size, len(buffers) * PIECE):
            count = min(PIECE, size - position)
            read_piece(file, buffers[first], position, count)
            crypto.decrypt(cipher, position, to + position, buffers[first], count)

    with concurrent.futures.ThreadPoolExecutor(len(buffers)) as pool:
        list(pool.map(load_every, range(len(buffers))))


def timed(function, *arguments):
    start = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - start


def equal(device, one, other, size):
    """Whether two pieces of the device's memory are the same."""
    host = Host()
    left, right = host.allocate(PIECE), host.allocate(PIECE)
    compare = ctypes.CDLL(None).memcmp
    for position in range(0, size, PIECE):
        count = min(PIECE, size - position)
        device.copy_out(left, one + position, count)
        device.copy_out(right, other + position, count)
        if compare(c_void_p(left), c_void_p(right), c_size_t(count)) != 0:
            return False
    return True


def mebibytes(text):
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= MOST_MEBIBYTES:
        raise argparse.ArgumentTypeError(f"{text!r} isn't a number of MiB: whole numbers from 1 to {MOST_MEBIBYTES} are allowed")
    return int(text)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("size", metavar="MIB", nargs="?", type=mebibytes, default=1024, help="size of the file; 1024 without it")
    parser.add_argument("modules", metavar="FOLDER_OF_GPUAES_SO", nargs="?", help="where OpenSSL finds gpuaes, if it isn't installed")
    return parser.parse_args()


def main(size, modules):
    size <<= 20
    try:
        device = Cuda()
    except (OSError, AttributeError):
        device = Host()
    crypto = Crypto(modules)
    usual, direct = device.allocate(size), device.allocate(size)
    buffers = [device.pinned(PIECE) for _ in range(THREADS)]
    with tempfile.TemporaryFile(dir=os.environ.get("TMPDIR", "/dev/shm")) as secret:
        file = secret.fileno()
        write_encrypted(crypto, file, size)
        # Once a process: gpuaes has kernels to load and tests itself.
        start = timed(crypto.decrypt, crypto.cipher(b"provider=gpuaes"), 0, direct, buffers[0], 16)
        seconds = timed(load_as_usual, crypto, device, file, size, usual)
        gpuaes_seconds = timed(load_with_gpuaes, crypto, device, file, size, direct, buffers)
    same = equal(device, usual, direct, size)
    print(f"device          {device.name}")
    print(f"weights         {size >> 20} MiB, AES-256-CTR")
    print(f"the usual way   {seconds:.3f} s, {size / seconds / 1e9:.2f} GB/s")
    print(f"gpuaes          {gpuaes_seconds:.3f} s, {size / gpuaes_seconds / 1e9:.2f} GB/s, with {len(buffers)} threads")
    print(f"ratio           {seconds / gpuaes_seconds:.1f}; starting gpuaes took {start:.3f} s, once")
    print("bytes           " + ("the same" if same else "DIFFERENT"))
    return 0 if same else 1


if __name__ == "__main__":
    try:
        sys.exit(main(**vars(parse_arguments())))
    except OSError as error:
        sys.exit(f"encrypted_weights.py: {error}")
