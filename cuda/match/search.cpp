#include "search.h"

#include "accelerator.h"
#include "chunk_queue.h"
#include "chunk_search.h"
#include "core/processors.h"
#include "device_feeder.h"
#include "files.h"
#include "progress.h"
#include "usage_error.h"
#include "workers.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>

namespace gpuaes::match {
namespace {

InputRules input_rules(const Settings& settings, const MatchPlan& plan, const Decryptor* decryptor)
{
  return {.longest = plan.longest(),
          .context = settings.report.context,
          .begin = settings.begin,
          .end = settings.end,
          .fasta = settings.dna,
          .notes_parts = settings.dna && settings.report.answer == Answer::matches,
          .notes_crc16 = settings.dna && settings.report.crc16,
          .decryptor = decryptor};
}

// Threads that there is something to do for.
int useful_threads(const Settings& settings, const std::vector<std::string>& files, const Amount& amount)
{
  const auto cores = static_cast<unsigned>(settings.threads > 0 ? settings.threads : usable_processors());
  const std::uint64_t chunks = amount.bytes / settings.cpu_starts + files.size();
  return static_cast<int>(amount.has_streams ? cores : std::min<std::uint64_t>(cores, std::max<std::uint64_t>(chunks, 1)));
}

// A device that does all the work is there when this returns; otherwise the workers begin it if it is worth it.
std::unique_ptr<Accelerator> make_accelerator(const Settings& settings, const std::shared_ptr<const MatchPlan>& plan,
                                              const FlightSizes& sizes, int threads)
{
  using How = DeviceChoice::How;
  if (settings.device.how == How::cpu) return nullptr;
  auto accelerator =
      std::make_unique<Accelerator>(settings.device.make_platform(), settings.device.ordinals, plan,
                                    settings.cipher.has_value() || settings.report.crc16, sizes, most_feeders(threads));
  if (settings.device.how == How::automatic) return accelerator;
  accelerator->start();
  accelerator->wait();
  if (!accelerator->is_ready())
    throw UsageError("--device: the device can't be used (" + accelerator->reason() + ") Allowed are auto and cpu too");
  return accelerator;
}

template <typename... Values>
std::string formatted(const char* format, Values... values)
{
  char text[256];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

double seconds_since(std::chrono::steady_clock::time_point start)
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string pace_line(std::uint64_t bytes, double seconds)
{
  return formatted("%llu bytes in %.3f s, %.2f GB/s", static_cast<unsigned long long>(bytes), seconds,
                   static_cast<double>(bytes) / seconds / 1e9);
}

std::string stats_line(const Workers& workers, std::uint64_t bytes, double seconds, std::uint64_t matches,
                       const Accelerator* accelerator)
{
  std::string line = pace_line(bytes, seconds) + formatted("; %llu matches; ", static_cast<unsigned long long>(matches));
  const std::uint64_t by_device = workers.bytes_by_device();
  if (by_device == 0) {
    line += "all by the processor";
    if (accelerator != nullptr) line += " (" + accelerator->reason() + ")";
    return line;
  }
  line += formatted("%.0f %% by ", 100 * static_cast<double>(by_device) / static_cast<double>(std::max(bytes, by_device)));
  line += accelerator->name().empty() ? "a device that was lost (" + accelerator->reason() + ")" : accelerator->name();
  const auto up = workers.device_up();
  return line + "; once that was up, " + pace_line(bytes - std::min(bytes, up->bytes), seconds_since(up->time));
}

}  // namespace

Outcome search(const Settings& settings, int output, const std::function<void(const std::string&)>& message)
{
  const auto start = std::chrono::steady_clock::now();
  std::atomic<bool> any_failed{false};
  std::mutex message_mutex;
  const auto failed = [&](const std::string& why) {
    const std::lock_guard lock(message_mutex);
    any_failed.store(true);
    message(why);
  };
  for (const std::string& remark : settings.remarks) message(remark);
  const std::vector<std::string> files = files_to_search(settings.files, settings.recursive, failed);
  const Amount amount = amount_in(files);
  const int threads = useful_threads(settings, files, amount);

  const auto plan = std::make_shared<const MatchPlan>(settings.patterns.patterns);
  const std::unique_ptr<const Decryptor> decryptor =
      settings.cipher ? std::make_unique<const Decryptor>(*settings.cipher) : nullptr;
  const InputRules rules = input_rules(settings, *plan, decryptor.get());
  ChunkQueue queue(files, rules, failed);
  Printer printer(output, settings.print, settings.patterns);
  Report report(settings.report, *plan, settings.patterns, printer, queue);
  const ChunkSearch chunk_search(*plan, decryptor.get(), settings.report.context, report);
  std::unique_ptr<Accelerator> accelerator =
      make_accelerator(settings, plan, flight_sizes(chunk_search, settings.device_starts, rules.overlap()), threads);
  const WindowGuard guard;
  Workers workers(settings, rules.overlap(), queue, chunk_search, report, accelerator.get(), amount.bytes, failed);
  Progress progress(amount.has_streams ? 0 : amount.bytes);
  workers.run(threads, [&] {
    if (settings.progress) progress.show(queue.bytes());
  });
  progress.clear();
  try {
    printer.flush();
  } catch (const std::runtime_error& error) {
    failed(error.what());
  }

  if (settings.device.how == DeviceChoice::How::device && !accelerator->is_ready())
    message((settings.cipher ? "the device failed: " : "the device failed, and the processor did the rest: ") +
            accelerator->reason());
  if (report.left_out() > 0) message(std::to_string(report.left_out()) + " more matches weren't printed because of --max-count");
  if (settings.stats) message(stats_line(workers, queue.bytes(), seconds_since(start), report.total(), accelerator.get()));

  const bool found = report.found_any();
  Outcome outcome{.status = found ? 0 : 1, .device = nullptr};
  if (any_failed.load() && !(found && settings.report.answer == Answer::nothing)) outcome.status = 2;
  if (accelerator != nullptr && accelerator->was_started()) outcome.device = std::move(accelerator);
  return outcome;
}

}  // namespace gpuaes::match
