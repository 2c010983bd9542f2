// From what the user writes to bytes and masks.
#include "match/patterns.h"

#include "match/usage_error.h"
#include "support/bytes.h"

#include <gtest/gtest.h>

namespace gpuaes::match {
namespace {

using namespace std::string_literals;
using test::from_hex;

BytePattern parse(const std::string& text, Notation notation = Notation::text, bool ignore_case = false)
{
  return parse_pattern({text, text, "here"}, notation, ignore_case);
}

std::string why_refused(const std::string& text, Notation notation)
{
  try {
    parse(text, notation);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Patterns, TextIsItself)
{
  EXPECT_EQ(parse("a b\n\0c\xff"s).value, (test::Bytes{'a', ' ', 'b', '\n', 0, 'c', 0xff}));
  EXPECT_EQ(parse("ab").mask, from_hex("ffff"));
}

TEST(Patterns, EscapesAreBytesAndOtherBackslashesThemselves)
{
  EXPECT_EQ(parse("\\x00\\xfFz").value, from_hex("00ff7a"));
  EXPECT_EQ(parse("\\x5cx41").value, (test::Bytes{'\\', 'x', '4', '1'}));
  EXPECT_EQ(parse("\\n\\\\").value, (test::Bytes{'\\', 'n', '\\', '\\'}));
  EXPECT_EQ(parse("\\x4").value, (test::Bytes{'\\', 'x', '4'}));
  EXPECT_EQ(parse("\\xgg\\").value, (test::Bytes{'\\', 'x', 'g', 'g', '\\'}));
}

TEST(Patterns, IgnoringCaseConcernsLettersOnly)
{
  const BytePattern pattern = parse("aZ[@{\\x61", Notation::text, true);
  EXPECT_EQ(pattern.mask, from_hex("dfdfffffffdf"));
  EXPECT_EQ(pattern.value, (test::Bytes{'A', 'Z', '[', '@', '{', 'A'}));
}

TEST(Patterns, HexadecimalWithAnyBytes)
{
  const BytePattern pattern = parse("00 ff??4A", Notation::hex);
  EXPECT_EQ(pattern.value, from_hex("00ff004a"));
  EXPECT_EQ(pattern.mask, from_hex("ffff00ff"));
}

TEST(Patterns, RefusalsSayWhatIsAllowed)
{
  EXPECT_NE(why_refused("", Notation::text).find("at least one byte"), std::string::npos);
  EXPECT_NE(why_refused("  ", Notation::hex).find("at least one byte"), std::string::npos);
  EXPECT_NE(why_refused("0", Notation::hex).find("two hexadecimal digits"), std::string::npos);
  EXPECT_NE(why_refused("0?", Notation::hex).find("\"0?\""), std::string::npos);
  EXPECT_NE(why_refused("ACGN", Notation::dna).find("\"N\""), std::string::npos);
  EXPECT_NE(why_refused("AC\r", Notation::dna).find("not of \\x0d"), std::string::npos);
  EXPECT_NE(why_refused(std::string(65537, 'x'), Notation::text).find("65537 bytes; at most 65536"), std::string::npos);
  EXPECT_EQ(why_refused(std::string(65536, 'x'), Notation::text), "");
}

TEST(Patterns, FilesHaveOneALine)
{
  const auto patterns = split_patterns("abc\nname\tx y\nlast", "list", Ends::newline);
  ASSERT_EQ(patterns.size(), 3u);
  EXPECT_EQ(patterns[0].text, "abc");
  EXPECT_EQ(patterns[0].label, "abc");
  EXPECT_EQ(patterns[1].text, "x y");
  EXPECT_EQ(patterns[1].label, "name");
  EXPECT_EQ(patterns[2].origin, "list, pattern 3");
  EXPECT_EQ(split_patterns("abc\n\nx\n", "list", Ends::newline).size(), 3u);  // the empty one is refused later
  EXPECT_TRUE(split_patterns("", "list", Ends::newline).empty());
}

TEST(Patterns, CarriageReturnsBelongToTheLineEndOrToThePattern)
{
  const auto without = split_patterns("AC\r\nname\tGT\r\nA\nlast\r", "list", Ends::either_newline);
  ASSERT_EQ(without.size(), 4u);
  EXPECT_EQ(without[0].text, "AC");
  EXPECT_EQ(without[0].label, "AC");
  EXPECT_EQ(without[1].text, "GT");
  EXPECT_EQ(without[2].text, "A");
  EXPECT_EQ(without[3].text, "last");
  EXPECT_FALSE(all_end_with_returns(without));

  const auto with = split_patterns("a\r\nname\tb\r\n", "list", Ends::newline);
  ASSERT_EQ(with.size(), 2u);
  EXPECT_EQ(with[0].text, "a\r");
  EXPECT_EQ(with[1].text, "b\r");
  EXPECT_TRUE(all_end_with_returns(with));
  EXPECT_FALSE(all_end_with_returns(split_patterns("a\r\nb\n", "list", Ends::newline)));
  EXPECT_FALSE(all_end_with_returns({}));
}

TEST(Patterns, FilesMaySeparateByZeroBytes)
{
  const auto patterns = split_patterns("a\nb\0c\0"s, "list", Ends::zero_byte);
  ASSERT_EQ(patterns.size(), 2u);
  EXPECT_EQ(patterns[0].text, "a\nb");
}

TEST(Patterns, DnaIsSoughtOnBothStrands)
{
  const PatternSet set = make_pattern_set({{"x", "aacG", "here"}, {"p", "ACGT", "here"}}, Notation::dna, false);
  ASSERT_EQ(set.patterns.size(), 3u);
  EXPECT_EQ(set.patterns[0].value, (test::Bytes{'A', 'A', 'C', 'G'}));
  EXPECT_EQ(set.patterns[1].value, (test::Bytes{'C', 'G', 'T', 'T'}));
  EXPECT_TRUE(set.needles[1].reverse);
  EXPECT_EQ(set.needles[2].wanted, 1u);  // its own reverse complement
  EXPECT_EQ(set.patterns[0].mask, from_hex("dfdfdfdf"));
}

}  // namespace
}  // namespace gpuaes::match
