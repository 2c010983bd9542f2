// The crossover table says of every size what the policy does with it.
#include "engine/crossover.h"
#include "engine/names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace gpuaes {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

Policy policy_with_helpers()
{
  Policy policy;
  policy.helpers = 4;
  return policy;
}

CrossoverRow row_of(const std::vector<CrossoverRow>& table, const std::string& algorithm, MemoryKind in, MemoryKind out,
                    bool in_place = false)
{
  const auto row = std::find_if(table.begin(), table.end(), [&](const CrossoverRow& each) {
    return each.algorithm == algorithm && each.in == in && each.out == out && each.in_place == in_place;
  });
  EXPECT_NE(row, table.end()) << algorithm;
  return *row;
}

std::string route_in(const CrossoverRow& row, std::size_t bytes)
{
  const auto after = std::find_if(row.steps.begin(), row.steps.end(), [&](const auto& step) { return step.bytes > bytes; });
  return std::prev(after)->route;
}

TEST(Crossover, AgreesWithThePolicyAtEverySize)
{
  const Policy policy = policy_with_helpers();
  const std::vector<CrossoverRow> table = crossover_table(policy);
  std::mt19937 random(1);
  for (const AesMode mode : {AesMode::ctr, AesMode::ecb_encrypt, AesMode::ecb_decrypt})
    for (const int rounds : {10, 12, 14})
      for (const CrossoverRow& row : table) {
        if (row.algorithm != name_of(mode, rounds)) continue;
        std::vector<std::size_t> sizes;
        for (const CrossoverStep& step : row.steps) sizes.insert(sizes.end(), {step.bytes, step.bytes + kBlockBytes});
        for (int i = 0; i < 100; ++i) sizes.push_back((std::size_t{1} << (4 + random() % 27)) + random() % 16 * kBlockBytes);
        for (const std::size_t bytes : sizes) {
          const Offer offer{.mode = mode, .rounds = rounds, .bytes = bytes, .in = row.in, .out = row.out, .in_place = row.in_place};
          Route route;
          const bool by_device = policy.find_route(offer, route) && policy.prefers(offer, route);
          EXPECT_EQ(route_in(row, bytes), by_device ? name_of(route) : "") << row.algorithm << " of " << bytes;
        }
      }
}

TEST(Crossover, StepsAreInOrderAndDiffer)
{
  for (const CrossoverRow& row : crossover_table(policy_with_helpers())) {
    ASSERT_FALSE(row.steps.empty());
    EXPECT_EQ(row.steps.front().bytes, kBlockBytes);
    for (std::size_t i = 1; i < row.steps.size(); ++i) {
      EXPECT_LT(row.steps[i - 1].bytes, row.steps[i].bytes);
      EXPECT_NE(row.steps[i - 1].route, row.steps[i].route);
      EXPECT_GT(row.steps[i].cpu_seconds, 0);
    }
  }
}

// What the provider compares before all else mustn't keep the device from a call that is the device's.
TEST(Crossover, NothingBelowTheSmallestOfferIsTheDevices)
{
  const Policy policy = policy_with_helpers();
  const std::vector<CrossoverRow> table = crossover_table(policy);
  for (const MemoryKind kind : {MemoryKind::ordinary, MemoryKind::pinned}) {
    const CrossoverRow row = row_of(table, "AES-256-CTR", kind, kind);
    ASSERT_GE(row.steps.size(), 2u);
    EXPECT_EQ(row.steps[0].route, "");
    EXPECT_GE(row.steps[1].bytes, policy.smallest_offer(AesMode::ctr, 14, kind));
    // It takes a tenth less where it begins to be preferred.
    EXPECT_NEAR(row.steps[1].device_seconds / row.steps[1].cpu_seconds, 0.9, 0.01);
  }
}

TEST(Crossover, SettingsShow)
{
  Policy policy;
  policy.options.mode = Mode::never;
  for (const CrossoverRow& row : crossover_table(policy)) {
    EXPECT_EQ(row.steps.size(), 1u);
    EXPECT_EQ(row.steps[0].route, "");
  }
  policy.options.mode = Mode::automatic;
  policy.options.min_bytes_ctr = kMiB;
  policy.options.min_bytes_crc16 = kMiB;
  const std::vector<CrossoverRow> table = crossover_table(policy);
  EXPECT_EQ(row_of(table, "AES-128-CTR", MemoryKind::pinned, MemoryKind::pinned).steps[1].bytes, kMiB);
  EXPECT_EQ(row_of(table, "CRC-16", MemoryKind::pinned, MemoryKind::pinned).steps[1].bytes, kMiB);
}

TEST(Crossover, EveryRateIsNamedOnce)
{
  Rates rates = kBuiltInRates;
  rates.cpu[static_cast<std::size_t>(AesMode::ctr)][2] = 12345;
  const std::vector<NamedRate> named = named_rates(rates);
  EXPECT_EQ(named.size() * sizeof(double), sizeof(Rates));
  std::set<std::string> names;
  for (const NamedRate& rate : named) {
    names.insert(rate.name);
    EXPECT_GT(rate.value, 0) << rate.name;
    EXPECT_EQ(rate.value == 12345, rate.name == "cpu AES-256-CTR") << rate.name;
  }
  EXPECT_EQ(names.size(), named.size());
}

}  // namespace
}  // namespace gpuaes
