#include "workers.h"

#include "core/secret_bytes.h"
#include "device_feeder.h"
#include "engine/blocked_signals.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

namespace gpuaes::match {
namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(200);

// Whoever reads the output may go away: that ends the command, unless it was started with SIGPIPE ignored. The signal goes to the
// thread that writes.
//
// A SIGBUS that is blocked ends the process, whoever would hear it.
void hear_own_signals()
{
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  sigaddset(&signals, SIGBUS);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

// A thread's buffer. It holds plaintext where the input is encrypted, so it is wiped.
class ChunkBuffer {
 public:
  explicit ChunkBuffer(std::size_t bytes) : bytes_(bytes + kTextPadding + kAlignment) {}
  std::uint8_t* data()
  {
    const auto address = reinterpret_cast<std::uintptr_t>(bytes_.data());
    return bytes_.data() + (kAlignment - address % kAlignment) % kAlignment;
  }

 private:
  static constexpr std::size_t kAlignment = 64;
  SecretBytes bytes_;
};

}  // namespace

void Workers::run(int threads, const std::function<void()>& look)
{
  const bool alone = settings_.device.how == DeviceChoice::How::device;
  if (alone) threads = best_feeders({}, threads);
  threads_ = threads;
  maps_ = settings_.maps == MapFiles::always || (settings_.maps == MapFiles::automatic && threads == 1);
  if (threads == 1 && !settings_.progress) return work();
  working_ = threads;
  std::vector<std::thread> all;
  {
    const BlockedSignals blocked;
    for (int i = 0; i < threads; ++i)
      all.emplace_back([this] {
        hear_own_signals();
        work();
        const std::lock_guard lock(mutex_);
        --working_;
        ended_.notify_all();
      });
  }
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kLookEvery, [this] { return working_ == 0; })) {
    lock.unlock();
    look();
    lock.lock();
  }
  lock.unlock();
  for (std::thread& thread : all) thread.join();
}

void Workers::work()
{
  try {
    if (settings_.device.how == DeviceChoice::How::device) {
      feeding_.join();
      feed();
      if (search_.decryptor() != nullptr) return;
    } else if (accelerator_ != nullptr && search_until([this] { return may_prepare_feeding(); })) {
      feed();
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
bool Workers::may_prepare_feeding()
{
  if (!accelerator_->is_ready() || preparing_.exchange(true)) return false;
  if (feeding_.join_if_too_few(pace_.of_one_thread(), threads_)) return true;
  preparing_ = false;
  return false;
}

// Without memory for its flights, a thread searches by itself. But when a device was asked for to decrypt, plaintext must not come
// here, whatever happens there.
void Workers::feed()
{
  const bool shares = settings_.device.how == DeviceChoice::How::automatic;
  const bool may_help = shares || search_.decryptor() == nullptr;
  std::call_once(first_feeder_, [this] { device_up_ = {std::chrono::steady_clock::now(), queue_.bytes()}; });
  std::unique_ptr<DeviceFeeder> feeder;
  try {
    feeder = std::make_unique<DeviceFeeder>(*accelerator_, search_, feeding_, settings_.device_starts, overlap_);
  } catch (const DeviceError&) {
    feeding_.leave();
    preparing_ = false;
    if (!may_help) throw;
    return;
  }
  preparing_ = false;
  feeder->run(queue_, may_help, [this, shares] { return shares && feeding_.leave_if_too_many(pace_.of_one_thread(), threads_); });
  bytes_by_device_.fetch_add(feeder->bytes());
}

bool Workers::search_until(const std::function<bool()>& enough)
{
  using Clock = std::chrono::steady_clock;
  start_device_if_worthwhile();
  ChunkBuffer buffer(settings_.cpu_starts + overlap_);
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
