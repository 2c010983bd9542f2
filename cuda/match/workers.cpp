#include "workers.h"

#include "aligned_secret.h"
#include "crew.h"
#include "device_feeder.h"
#include "feeders.h"

#include <algorithm>
#include <chrono>

namespace gpuaes::match {
void Workers::run(int threads, const std::function<void()>& look)
{
  const bool alone = settings_.device.how == DeviceChoice::How::device;
  const int feeders = accelerator_ == nullptr ? 0 : alone ? std::min(threads, kMostFeeders) : feeders_among(threads);
  if (alone) threads = feeders;
  threads_ = threads;
  if (threads == 1 && !settings_.progress) return work(0, feeders);
  run_crew(
      threads, [this, feeders](int index) { work(index, feeders); }, look);
}

void Workers::work(int index, int feeders)
{
  try {
    if (index < feeders) {
      if (settings_.device.how == DeviceChoice::How::automatic) search_until([this] { return may_prepare_feeding(); });
      if (accelerator_->is_ready()) feed();
      if (settings_.device.how == DeviceChoice::How::device && search_.decryptor() != nullptr) return;
    }
    search_until([] { return false; });
  } catch (const std::exception& error) {
    failed_(error.what());
    queue_.stop();
    report_.abandon();
  }
}

// Pinned memory takes milliseconds, and the driver hands it to one thread after the other: until it is a thread's turn, it
// searches.
bool Workers::may_prepare_feeding() { return accelerator_->is_ready() && !preparing_.exchange(true); }

// Without memory for its flights, a thread searches by itself. But when a device was asked for to decrypt, plaintext must not come
// here, whatever happens there.
void Workers::feed()
{
  const bool may_help = settings_.device.how == DeviceChoice::How::automatic || search_.decryptor() == nullptr;
  std::unique_ptr<DeviceFeeder> feeder;
  try {
    feeder = std::make_unique<DeviceFeeder>(*accelerator_, search_, settings_.device_starts, overlap_);
  } catch (const DeviceError&) {
    preparing_ = false;
    if (!may_help) throw;
    return;
  }
  preparing_ = false;
  feeder->run(queue_, may_help);
  bytes_by_device_.fetch_add(feeder->bytes());
}

void Workers::search_until(const std::function<bool()>& enough)
{
  using Clock = std::chrono::steady_clock;
  start_device_if_worthwhile();
  AlignedSecret buffer(settings_.cpu_starts + overlap_ + kTextPadding);  // plaintext where the input is encrypted
  Chunk chunk;
  while (!enough()) {
    const Clock::time_point start = Clock::now();
    if (!queue_.next(chunk, buffer.data(), settings_.cpu_starts)) return;
    // To wait for a stream's data isn't work.
    const Clock::time_point read = chunk.input->reads_anywhere() ? start : Clock::now();
    search_.search(chunk, buffer.data());
    pace_.note(chunk.text.to - chunk.text.from, Clock::now() - read);
    start_device_if_worthwhile();
  }
}

// What a stream still has nobody knows: as much again as it had is a good guess.
void Workers::start_device_if_worthwhile()
{
  if (accelerator_ == nullptr || settings_.device.how != DeviceChoice::How::automatic || accelerator_->was_started()) return;
  const std::uint64_t done = queue_.bytes();
  const std::uint64_t left = done < expected_ ? expected_ - done : done;
  if (seconds_won(pace_.of_one_thread(), threads_, left) > settings_.must_win) accelerator_->start();
}

}  // namespace gpuaes::match
