#include "workers.h"

#include "feeder.h"
#include "match/aligned_secret.h"
#include "match/crew.h"

#include <algorithm>
#include <chrono>

namespace gpuaes::enc {

using How = match::DeviceChoice::How;

namespace {

// Eight threads read from the page cache as fast as the link takes it.
constexpr int kMostFeeders = 8;

// Where the processor encrypts too.
int feeders_among(int threads) { return std::min(std::max(threads / 2, 1), kMostFeeders); }

}  // namespace

void Workers::run(int threads, const std::function<void()>& look)
{
  const bool alone = accelerator_ != nullptr && settings_.device.how == How::device;
  const int feeders = accelerator_ == nullptr ? 0 : alone ? std::min(threads, kMostFeeders) : feeders_among(threads);
  threads_ = alone ? feeders : threads;
  if (threads_ == 1 && !settings_.progress)
    work(0, feeders);
  else
    match::run_crew(
        threads_, [this, feeders](int index) { work(index, feeders); }, look);
  if (failure_ != nullptr) std::rethrow_exception(failure_);
}

void Workers::work(int index, int feeders)
{
  try {
    if (index < feeders) {
      if (settings_.device.how == How::automatic) encrypt_until([this] { return may_prepare_feeding(); });
      if (accelerator_->is_ready()) feed();
    }
    encrypt_until([] { return false; });
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (failure_ == nullptr) failure_ = std::current_exception();
    transfer_.stop();
  }
}

// Pinned memory takes milliseconds, and the driver hands it to one thread after the other: until it is a thread's turn, it
// encrypts.
bool Workers::may_prepare_feeding() { return accelerator_->is_ready() && !preparing_.exchange(true); }

// Without memory for its flights, a thread encrypts by itself.
void Workers::feed()
{
  std::unique_ptr<Flights> flights;
  try {
    flights = accelerator_->borrow();
  } catch (const DeviceError&) {
  }
  preparing_ = false;
  if (flights == nullptr) return;
  Feeder(*accelerator_, transfer_, *flights).run();
  accelerator_->give_back(std::move(flights));
}

void Workers::encrypt_until(const std::function<bool()>& enough)
{
  using Clock = std::chrono::steady_clock;
  const Cipher::Context context = transfer_.cipher().make_context();
  match::AlignedSecret buffer(settings_.cpu_bytes + Transfer::kMostPadding);
  Piece piece;
  while (!enough()) {
    start_device_if_worthwhile();
    const Clock::time_point start = Clock::now();
    if (!transfer_.take(piece, buffer.data(), settings_.cpu_bytes)) return;
    const Clock::time_point taken = Clock::now();
    transfer_.process(context.get(), piece, buffer.data(), buffer.data());
    const Clock::time_point processed = Clock::now();
    transfer_.put(piece, buffer.data());
    pace_.note(piece.bytes, Clock::now() - start, processed - taken);
  }
}

void Workers::start_device_if_worthwhile()
{
  if (accelerator_ == nullptr || settings_.device.how != How::automatic || accelerator_->was_started()) return;
  if (settings_.must_win < 0 || pace_.seconds_won(threads_, left_()) > settings_.must_win) accelerator_->start();
}

}  // namespace gpuaes::enc
