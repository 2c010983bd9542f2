// The command line of gpuaes enc.
#include "enc/options.h"
#include "match/usage_error.h"

#include <gtest/gtest.h>

#include <list>
#include <string>
#include <vector>

namespace gpuaes::enc {
namespace {

// Arguments that can be written to, as main() gets them.
class Line {
 public:
  explicit Line(const std::vector<std::string>& words)
  {
    for (const std::string& word : words) words_.push_back(word);
    for (std::string& word : words_) pointers_.push_back(word.data());
  }
  std::optional<Settings> parse() { return parse_arguments(static_cast<int>(pointers_.size()), pointers_.data()); }
  // As the list of processes shows it now.
  std::string shown() const
  {
    std::string all;
    for (const std::string& word : words_) all += word + " ";
    return all;
  }

 private:
  std::list<std::string> words_;
  std::vector<char*> pointers_;
};

std::string refusal(const std::vector<std::string>& words)
{
  try {
    Line(words).parse();
  } catch (const match::UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(EncOptions, OneDashOrTwo)
{
  for (const std::string dashes : {"-", "--"}) {
    Line line(
        {"enc", dashes + "aes-192-ecb", dashes + "d", dashes + "in", "x", "y", dashes + "out-dir", "/tmp", dashes + "no-sync"});
    const std::optional<Settings> settings = line.parse();
    ASSERT_TRUE(settings);
    EXPECT_STREQ(settings->cipher->name, "aes-192-ecb");
    EXPECT_TRUE(settings->decrypts);
    EXPECT_FALSE(settings->sync);
    EXPECT_EQ(settings->inputs, (std::vector<std::string>{"x", "y"}));
  }
}

TEST(EncOptions, SecretsAreOverwritten)
{
  Line line({"enc", "-aes-256-ctr", "-K", "0123", "-k", "hidden", "-pass", "pass:hidden too", "-iv", "45"});
  const std::optional<Settings> settings = line.parse();
  EXPECT_EQ(line.shown(), "enc -aes-256-ctr -K **** -k ****** -pass pass:********** -iv 45 ");
  EXPECT_EQ(settings->key.key_hex, (SecretBytes{'0', '1', '2', '3'}));
}

TEST(EncOptions, LaterOnesWin)
{
  Line line({"enc", "-aes-256-ctr", "-nosalt", "-salt", "-d", "-e", "-iter", "5", "-pbkdf2", "-kfile", "x", "-k", "y"});
  const std::optional<Settings> settings = line.parse();
  EXPECT_TRUE(settings->key.salted);
  EXPECT_FALSE(settings->decrypts);
  EXPECT_EQ(settings->key.iterations, 5);
  EXPECT_FALSE(settings->key.passphrase_file);
}

TEST(EncOptions, StandardOutputHasSeveralNames)
{
  for (const std::string name : {"-", "/dev/stdout", "/dev/fd/1"})
    EXPECT_EQ(Line({"enc", "-aes-256-ctr", "-out", name}).parse()->output, "-");
  EXPECT_EQ(Line({"enc", "-aes-256-ctr", "-out", "/dev/fd/10"}).parse()->output, "/dev/fd/10");
  EXPECT_NE(refusal({"enc", "-aes-256-ctr", "-out", ""}).find("-out: the name of the file is empty"), std::string::npos);
}

TEST(EncOptions, WhatIsWrongIsNamed)
{
  EXPECT_NE(refusal({"enc"}).find("No cipher was given. There are -aes-128-ctr"), std::string::npos);
  EXPECT_NE(refusal({"enc", "-aes-256-ctr", "-f"}).find("-f: there is no such option"), std::string::npos);
  EXPECT_NE(refusal({"enc", "-aes-256-ctr", "-out"}).find("-out needs an argument"), std::string::npos);
  EXPECT_EQ(refusal({"enc", "first", "--device=cpu", "-out=x", "-aes-256-ctr"}), "accepted");
  for (const std::string cipher : {"-aes-256-cbc", "-aes256", "-aes-128-gcm", "-aes-256", "--aes-512-ctr", "-des3"})
    EXPECT_NE(refusal({"enc", cipher}).find(cipher + ": there is no such cipher here. There are -aes-128-ctr, "),
              std::string::npos);
  EXPECT_NE(refusal({"enc", "-aes-256-ctr", "-iter", "0"}).find("-iter 0: it takes a number from 1"), std::string::npos);
  EXPECT_NE(refusal({"enc", "-aes-256-ctr", "--offset", "4x"}).find("--offset 4x: it takes a number of bytes"), std::string::npos);
  EXPECT_NE(refusal({"enc", "-aes-256-ctr", "--out-dir", "/tmp"}).find("has no name"), std::string::npos);
  EXPECT_NE(refusal({"enc", "-aes-256-ctr", "--out-dir", "/tmp", "-out", "x", "y"}).find("Only one of these"), std::string::npos);
  EXPECT_NE(refusal({"enc", "-aes-256-ctr", "--length", "1k", "-k", "x"}).find("a salt of its own"), std::string::npos);
  EXPECT_EQ(refusal({"enc", "-aes-256-ctr", "--length", "1k", "-k", "x", "-S", "00"}), "accepted");
}

TEST(EncOptions, SeveralFilesNeverShareAKeystream)
{
  const auto with = [](std::initializer_list<std::string> more) {
    std::vector<std::string> words = {"enc", "x", "y", "--out-dir", "/tmp"};
    words.insert(words.end(), more);
    return refusal(words);
  };
  EXPECT_NE(with({"-aes-256-ctr", "-K", "00", "-iv", "00"}).find("share a key and an IV"), std::string::npos);
  EXPECT_NE(with({"-aes-256-ctr", "-k", "x", "-S", "00"}).find("share a key and an IV"), std::string::npos);
  EXPECT_NE(with({"-aes-256-ctr", "-k", "x", "-nosalt"}).find("share a key and an IV"), std::string::npos);
  EXPECT_NE(with({"-aes-256-ctr", "-k", "x", "-K", "00", "-iv", "00"}).find("share a key and an IV"), std::string::npos);
  EXPECT_EQ(with({"-aes-256-ctr", "-k", "x"}), "accepted");
  EXPECT_EQ(with({"-aes-256-ctr", "-k", "x", "-iv", "00"}), "accepted");
  EXPECT_EQ(with({"-aes-256-ctr", "-d", "-K", "00", "-iv", "00"}), "accepted");
  EXPECT_EQ(with({"-aes-256-ecb", "-K", "00"}), "accepted");
}

}  // namespace
}  // namespace gpuaes::enc
