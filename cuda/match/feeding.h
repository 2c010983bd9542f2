// How many threads of a search feed the device, while the others search: as many as do most together, by what each has been seen to
// do and until then by what the reference machine did.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace gpuaes::match {

// Bytes a second.
struct FeedingRates {
  double searching = 0;    // that one thread searches by itself
  double feeding = 5.3e9;  // that one thread reads into pinned memory
  double device = 42e9;    // that the device takes, from however many
};

// What they all do together.
double bytes_a_second(const FeedingRates& rates, int feeders, int threads);

// Of numbers from 1 to `threads` that do equally much, the least.
int best_feeders(const FeedingRates& rates, int threads);

// Those that may come to feed, where devices and processors differ from the reference machine's.
int most_feeders(int threads);

// What feeders have been seen to do. Functions may be called from any thread.
class Feeding {
 public:
  // `known` holds until more is known.
  explicit Feeding(const FeedingRates& known = {}) : known_(known) {}

  // Count a feeder more, or one less; the second two only where that is better than not, and say so.
  void join();
  void leave();
  bool join_if_too_few(double searching, int threads);
  bool leave_if_too_many(double searching, int threads);
  // A feeder has done so many bytes, working and waiting for the device so long.
  void note(std::size_t bytes, std::chrono::nanoseconds working, std::chrono::nanoseconds waiting);

 private:
  int best(double searching, int threads) const;
  void change(int by);

  std::mutex mutex_;
  FeedingRates known_;
  bool is_limit_ = false;  // the device has been waited for, so what it takes is known, and isn't just what it was given
  int feeders_ = 0;
  // A stretch of work with always the same number of feeders.
  double bytes_ = 0;
  double working_ = 0;  // seconds
  double waiting_ = 0;
};

}  // namespace gpuaes::match
