#include "feeding.h"

#include <algorithm>

namespace gpuaes::match {
namespace {

// Bytes: some milliseconds of work for several threads.
constexpr double kStretch = 256 << 20;

// Of their time that feeders wait where the device is what they wait for.
constexpr double kWaits = 0.1;

// How much more a device may take that nobody waits for yet.
constexpr double kRoom = 1.15;

}  // namespace

double bytes_a_second(const FeedingRates& rates, int feeders, int threads)
{
  return std::min(feeders * rates.feeding, rates.device) + (threads - feeders) * rates.searching;
}

int best_feeders(const FeedingRates& rates, int threads)
{
  int best = 1;
  for (int feeders = 2; feeders <= threads; ++feeders)
    if (bytes_a_second(rates, feeders, threads) > bytes_a_second(rates, best, threads)) best = feeders;
  return best;
}

int most_feeders(int threads) { return std::min(threads, best_feeders({}, threads) * 3 / 2); }

void Feeding::change(int by)
{
  feeders_ += by;
  bytes_ = working_ = waiting_ = 0;
}

void Feeding::join()
{
  const std::lock_guard lock(mutex_);
  change(1);
}

void Feeding::leave()
{
  const std::lock_guard lock(mutex_);
  change(-1);
}

bool Feeding::join_if_too_few(double searching, int threads)
{
  const std::lock_guard lock(mutex_);
  if (feeders_ >= best(searching, threads)) return false;
  change(1);
  return true;
}

bool Feeding::leave_if_too_many(double searching, int threads)
{
  const std::lock_guard lock(mutex_);
  if (feeders_ <= best(searching, threads)) return false;
  change(-1);
  return true;
}

int Feeding::best(double searching, int threads) const
{
  FeedingRates rates = known_;
  rates.searching = searching;
  return best_feeders(rates, threads);
}

void Feeding::note(std::size_t bytes, std::chrono::nanoseconds working, std::chrono::nanoseconds waiting)
{
  const std::lock_guard lock(mutex_);
  bytes_ += static_cast<double>(bytes);
  working_ += std::chrono::duration<double>(working).count();
  waiting_ += std::chrono::duration<double>(waiting).count();
  if (bytes_ < kStretch) return;
  if (working_ > 0) known_.feeding = bytes_ / working_;
  const double taken = feeders_ * bytes_ / (working_ + waiting_);
  const bool waits = waiting_ > kWaits * (working_ + waiting_);
  if (waits && !is_limit_)
    known_.device = taken;
  else
    known_.device = std::max(known_.device, is_limit_ ? taken : kRoom * taken);
  is_limit_ = is_limit_ || waits;
  change(0);
}

}  // namespace gpuaes::match
