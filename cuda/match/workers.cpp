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

// Eight threads read from the page cache as fast as the link takes it.
constexpr int kMostFeeders = 8;

constexpr auto kLookEvery = std::chrono::milliseconds(200);

// Whoever reads the output may go away: that ends the command, unless it was started with SIGPIPE ignored. The signal goes to the
// thread that writes.
void hear_closed_output()
{
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
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
  const int feeders = accelerator_ == nullptr ? 0 : std::min(alone ? threads : std::max(threads / 2, 1), kMostFeeders);
  if (alone) threads = feeders;
  if (threads == 1 && !settings_.progress) return work(0, feeders);
  working_ = threads;
  std::vector<std::thread> all;
  {
    const BlockedSignals blocked;
    for (int i = 0; i < threads; ++i)
      all.emplace_back([this, i, feeders] {
        hear_closed_output();
        work(i, feeders);
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

void Workers::work(int index, int feeders)
{
  try {
    if (index < feeders) {
      if (settings_.device.how == DeviceChoice::How::automatic) search_until([this] { return accelerator_->is_ready(); });
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

// Without memory for its flights, a thread searches by itself. But when a device was asked for to decrypt, plaintext must not come
// here, whatever happens there.
void Workers::feed()
{
  const bool may_help = settings_.device.how == DeviceChoice::How::automatic || search_.decryptor() == nullptr;
  std::unique_ptr<DeviceFeeder> feeder;
  try {
    feeder = std::make_unique<DeviceFeeder>(*accelerator_, search_, settings_.device_starts, overlap_);
  } catch (const DeviceError&) {
    if (!may_help) throw;
    return;
  }
  feeder->run(queue_, may_help);
  bytes_by_device_.fetch_add(feeder->bytes());
}

void Workers::search_until(const std::function<bool()>& enough)
{
  ChunkBuffer buffer(settings_.cpu_starts + overlap_);
  Chunk chunk;
  while (!enough() && queue_.next(chunk, buffer.data(), settings_.cpu_starts)) {
    start_device_if_worthwhile();
    search_.search(chunk, buffer.data());
  }
}

// For streams, whose size is only known when they have gone by.
void Workers::start_device_if_worthwhile()
{
  if (accelerator_ == nullptr || settings_.device.how != DeviceChoice::How::automatic) return;
  const int threads = std::max(working_.load(), 1);
  if (cpu_seconds(search_.plan(), search_.decryptor() != nullptr, threads, queue_.bytes()) > settings_.worth_starting)
    accelerator_->start();
}

}  // namespace gpuaes::match
