#include "workers.h"

#include "aligned_secret.h"
#include "crew.h"
#include "device_feeder.h"

#include <algorithm>
#include <chrono>

namespace gpuaes::match {
void Workers::run(int threads, const std::function<void()>& look)
{
  const bool alone = settings_.device.how == DeviceChoice::How::device;
  if (alone) threads = best_feeders({}, threads);
  threads_ = threads;
  maps_ = settings_.maps == MapFiles::always || (settings_.maps == MapFiles::automatic && threads == 1);
  if (threads == 1 && !settings_.progress) return work();
  run_crew(
      threads, [this](int) { work(); }, look);
}

void Workers::work()
{
  try {
    if (settings_.device.how == DeviceChoice::How::device) {
      feeding_.join();
      feed();
      if (search_.decryptor() != nullptr) return;
    } else if (accelerator_ != nullptr && search_until([this] { return may_feed(); })) {
      feed();
    }
    search_until([] { return false; });
  } catch (const std::exception& error) {
    failed_(error.what());
    queue_.stop();
    report_.abandon();
  }
}

bool Workers::may_feed() { return accelerator_->is_ready() && feeding_.join_if_too_few(pace_.of_one_thread(), threads_); }

// For whom there is no memory on the device, a thread searches by itself. But when a device was asked for to decrypt, plaintext
// must not come here, whatever happens there.
void Workers::feed()
{
  const bool shares = settings_.device.how == DeviceChoice::How::automatic;
  const bool may_help = shares || search_.decryptor() == nullptr;
  std::call_once(first_feeder_, [this] { device_up_ = {std::chrono::steady_clock::now(), queue_.bytes()}; });
  DeviceFeeder feeder(*accelerator_, search_, feeding_, settings_.device_starts);
  if (!feeder.has_memory()) return feeding_.leave();
  feeder.run(queue_, may_help, [this, shares] { return shares && feeding_.leave_if_too_many(pace_.of_one_thread(), threads_); });
  bytes_by_device_.fetch_add(feeder.bytes());
}

bool Workers::search_until(const std::function<bool()>& enough)
{
  using Clock = std::chrono::steady_clock;
  start_device_if_worthwhile();
  AlignedSecret buffer(settings_.cpu_starts + overlap_ + kTextPadding);  // plaintext where the input is encrypted
  FileWindow window;
  Chunk chunk;
  while (!enough()) {
    const Clock::time_point start = Clock::now();
    if (!queue_.next(chunk, buffer.data(), settings_.cpu_starts, maps_ ? &window : nullptr)) return false;
    // To wait for a stream's data isn't work.
    const Clock::time_point read = chunk.input->reads_anywhere() ? start : Clock::now();
    const std::size_t places = chunk.text.to - chunk.text.from;
    if (!search_.search(chunk, buffer.data())) {
      queue_.read(chunk, buffer.data());
      search_.search(chunk, buffer.data());
    }
    pace_.note(places, Clock::now() - read);
    start_device_if_worthwhile();
  }
  return true;
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
