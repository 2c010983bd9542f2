// One run of bfmatch, from settings to exit code.
#pragma once

#include "decrypt.h"
#include "demand.h"
#include "device_choice.h"
#include "patterns.h"
#include "printer.h"
#include "report.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuaes::match {

// Whether files are mapped, where they can be, instead of read.
enum class MapFiles {
  automatic,  // by a thread that is alone: mapping is work on what all threads share
  never,
  always
};

struct Settings {
  PatternSet patterns;
  bool dna = false;
  ReportRules report;
  PrintRules print;
  std::uint64_t begin = 0;
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
  std::optional<CipherSettings> cipher;
  DeviceChoice device;
  int threads = 0;  // 0 = one for each core
  MapFiles maps = MapFiles::automatic;
  bool stats = false;
  bool progress = false;
  std::vector<std::string> remarks;  // on the patterns, told before the search
  std::vector<std::string> files;
  bool recursive = false;
  // The places of a chunk that the processor and the device search. What a core's second-level cache holds; what the link needs to
  // be busy.
  std::size_t cpu_starts = std::size_t{512} << 10;
  std::size_t device_starts = std::size_t{4} << 20;
  double must_win = kMustWin;  // seconds, for a device to be begun; below 0 it is at once
};

class Accelerator;

struct Outcome {
  int status = 0;  // 0 found, 1 not found, 2 error
  // The device, if it is up or being brought up. To destroy it takes longer than many a search, and so does exit(): a process that
  // has nothing else to do ends without destructors and exit handlers.
  std::shared_ptr<Accelerator> device;
};

// Prints to the file descriptor `output`, and gives one line at a time to `message`.
Outcome search(const Settings& settings, int output, const std::function<void(const std::string&)>& message);

}  // namespace gpuaes::match
