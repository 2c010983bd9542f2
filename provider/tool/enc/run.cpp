#include "run.h"

#include "accelerator.h"
#include "core/processors.h"
#include "key_source.h"
#include "match/files.h"
#include "match/progress.h"
#include "match/usage_error.h"
#include "report.h"
#include "sink.h"
#include "source.h"
#include "target.h"
#include "transfer.h"
#include "workers.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stdexcept>

namespace gpuaes::enc {
namespace {

using How = match::DeviceChoice::How;

// A device that does all the work is there when this returns; otherwise the workers begin it if it is worth it.
std::unique_ptr<Accelerator> make_accelerator(const Settings& settings)
{
  if (settings.device.how == How::cpu) return nullptr;
  auto accelerator =
      std::make_unique<Accelerator>(settings.device.make_platform(), settings.device.ordinals, settings.device_bytes);
  if (settings.device.how == How::automatic) return accelerator;
  accelerator->start();
  accelerator->wait();
  if (!accelerator->is_ready())
    throw match::UsageError("--device: the device can't be used (" + accelerator->reason() + ") Allowed are auto and cpu too");
  return accelerator;
}

std::string output_for(const Settings& settings, const std::string& input)
{
  if (!settings.output_folder) return settings.output;
  return (std::filesystem::path(*settings.output_folder) / std::filesystem::path(input).filename()).string();
}

class Run {
 public:
  Run(const Settings& settings, const Library& library, std::FILE* print, const Tell& tell)
      : settings_(settings),
        library_(library),
        print_(print),
        tell_(tell),
        keys_(library, settings, tell),
        accelerator_(make_accelerator(settings)),
        amount_(match::amount_in(settings.inputs)),
        progress_(amount_.has_streams || settings.is_part() ? 0 : amount_.bytes * passes())
  {
  }

  Outcome all()
  {
    Outcome outcome;
    for (const std::string& input : settings_.inputs) {
      try {
        one(input);
      } catch (const match::UsageError&) {
        throw;
      } catch (const std::exception& error) {
        progress_.clear();
        tell_(error.what());
        outcome.status = 2;
      }
    }
    if (settings_.device.how == How::device && !accelerator_->is_ready())
      tell_("the device failed, and the processor did the rest: " + accelerator_->reason());
    if (accelerator_ != nullptr && accelerator_->was_started()) outcome.device = std::move(accelerator_);
    return outcome;
  }

 private:
  // The salt's, where there is one: read from the input, or to be written to the output.
  struct Head {
    bool present = false;
    Header bytes{};
  };

  void one(const std::string& input);
  Done encrypt(const KeyAndIv& key, const Head& head, Source& source, Target& target);
  void move(Transfer& transfer, Source& source, Accelerator* accelerator);
  void verify(const Cipher& inverse, Source& source, const Target& target);
  void tell_of(Done& done, const Target& target) const;
  int useful_threads(const Source& source) const;
  std::uint64_t passes() const { return settings_.verify ? 2 : 1; }

  const Settings& settings_;
  const Library& library_;
  std::FILE* const print_;
  const Tell& tell_;
  const KeySource keys_;
  std::unique_ptr<Accelerator> accelerator_;
  const match::Amount amount_;
  match::Progress progress_;
  std::uint64_t done_before_ = 0;  // by earlier transfers
};

void Run::one(const std::string& input)
{
  const auto start = std::chrono::steady_clock::now();
  Source source(input);
  Head head{.present = keys_.has_header()};
  if (head.present && settings_.decrypts) source.read_head(head.bytes);
  const Salt salt = head.present && settings_.decrypts ? salt_in(head.bytes, source.name()) : keys_.make_salt();
  head.bytes = header_with(salt);
  const KeyAndIv key = keys_.make_key(salt);
  if (settings_.print_key != PrintKey::no) {
    std::fputs(keys_.describe(key, salt).c_str(), stdout);
    std::fflush(stdout);
    if (settings_.print_key == PrintKey::only) return;
  }
  source.select(settings_.offset, settings_.length);
  Target target(output_for(settings_, input), source, settings_.force, settings_.sync);
  if (settings_.verify && (!target.is_unfinished() || !source.is_sized()))
    throw std::runtime_error(target.name() + ": --verify needs files, which can be read again, as input and output");

  const std::uint64_t by_device_before = accelerator_ == nullptr ? 0 : accelerator_->bytes_done();
  Done done = encrypt(key, head, source, target);
  if (accelerator_ != nullptr) done.bytes_by_device = accelerator_->bytes_done() - by_device_before;
  done.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  tell_of(done, target);
}

Done Run::encrypt(const KeyAndIv& key, const Head& head, Source& source, Target& target)
{
  Checksums checksums(source.first());
  Done done{.input = source.name(), .output = target.name(), .verified = settings_.verify};
  if (head.present && settings_.decrypts) {
    done.bytes_in = kHeaderBytes;
    if (!settings_.is_part()) checksums.in.add_head(head.bytes.data(), kHeaderBytes);
  } else if (head.present) {
    done.bytes_out = kHeaderBytes;
    target.write_head(head.bytes);
    checksums.out.add_head(head.bytes.data(), kHeaderBytes);
  }
  const Cipher cipher(library_, *settings_.cipher, settings_.decrypts, key);
  const std::unique_ptr<Sink> sink = target.make_sink(source.first());
  source.end_at_pages(target.base());
  Transfer transfer(cipher, settings_.padding, source, *sink, settings_.crc16 ? &checksums : nullptr);
  move(transfer, source, accelerator_.get());
  source.check_unchanged();
  if (settings_.verify) verify(Cipher(library_, *settings_.cipher, !settings_.decrypts, key), source, target);
  target.finish(transfer.written());

  done.bytes_in += source.taken();
  done.bytes_out += transfer.written();
  if (settings_.crc16) {
    done.crc16_in = checksums.in.value();
    done.crc16_out = checksums.out.value();
  }
  return done;
}

void Run::move(Transfer& transfer, Source& source, Accelerator* accelerator)
{
  // What a stream still has nobody knows: as much again as it had is a good guess.
  const auto left = [&] {
    const std::uint64_t done = done_before_ + source.taken();
    return done < amount_.bytes ? amount_.bytes - done : done;
  };
  Workers workers(settings_, transfer, accelerator, left);
  workers.run(useful_threads(source), [&] {
    if (settings_.progress) progress_.show(done_before_ + source.taken());
  });
  progress_.clear();
  done_before_ += source.taken();
}

// By the processor, whoever did it before.
void Run::verify(const Cipher& inverse, Source& source, const Target& target)
{
  Source written = target.reopened(source.first());
  Comparison comparison(source, target.name());
  Transfer transfer(inverse, settings_.padding, written, comparison, nullptr);
  move(transfer, written, nullptr);
  comparison.check_complete();
  source.check_unchanged();
}

// Threads that there is something to do for.
int Run::useful_threads(const Source& source) const
{
  const int cores = settings_.threads > 0 ? settings_.threads : usable_processors();
  if (!source.is_sized()) return cores;
  const std::uint64_t pieces = source.bytes().value_or(0) / settings_.cpu_bytes + 1;
  return static_cast<int>(std::min(pieces, static_cast<std::uint64_t>(cores)));
}

void Run::tell_of(Done& done, const Target& target) const
{
  if (accelerator_ != nullptr) {
    done.device = accelerator_->name();
    if (done.device.empty()) done.reason = accelerator_->reason();
  }
  std::FILE* const print = target.is_standard_output() ? stderr : print_;
  if (settings_.json)
    std::fprintf(print, "%s\n", json_of(done, settings_.decrypts).c_str());
  else
    std::fputs(checksums_of(done, settings_.decrypts).c_str(), print);
  std::fflush(print);
  if (settings_.stats) tell_(stats_of(done));
}

}  // namespace

Outcome run(const Settings& settings, const Library& library, std::FILE* print, const Tell& tell)
{
  return Run(settings, library, print, tell).all();
}

}  // namespace gpuaes::enc
