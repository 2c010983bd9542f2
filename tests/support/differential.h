// Runs one piece of application code on the default provider and on gpuaes, and compares all that it could see.
#pragma once

#include "cipher_trace.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace gpuaes::test {

inline const std::string kCipherNames[] = {"AES-128-ECB", "AES-192-ECB", "AES-256-ECB",
                                           "AES-128-CTR", "AES-192-CTR", "AES-256-CTR"};

inline bool is_counter_mode(const std::string& name) { return name.ends_with("CTR"); }
inline std::size_t key_bytes_of(const std::string& name) { return std::stoul(name.substr(4, 3)) / 8; }

inline void expect_same(const Traced& got, const Traced& expected)
{
  EXPECT_EQ(got.trace(), expected.trace());
  EXPECT_EQ(first_difference(got.output(), expected.output()), "");
}

// `application` gets a context of the cipher that is set and has no key yet.
inline void compare(const Library& gpuaes, const std::string& cipher, const std::function<void(Traced&)>& application)
{
  static const Library reference = Library::with_default();
  Traced expected(reference, cipher);
  application(expected);
  Traced got(gpuaes, cipher);
  application(got);
  expect_same(got, expected);
}

}  // namespace gpuaes::test
