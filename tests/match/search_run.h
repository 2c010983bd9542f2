// Whole searches from settings to output, on files that exist in memory only.
#pragma once

#include "host/host_faults.h"
#include "match/search.h"
#include "support/crc16_reference.h"
#include "support/match_reference.h"
#include "support/test_device.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace gpuaes::match {

// A file that its path leads to as long as this lives.
class MemoryFile {
 public:
  explicit MemoryFile(const test::Bytes& contents = {}) : file_(memfd_create("bfmatch test", 0)) { write(0, contents); }
  ~MemoryFile() { close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return file_; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }
  void write(std::uint64_t at, const test::Bytes& bytes) const
  {
    if (pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(at)) != static_cast<ssize_t>(bytes.size()))
      throw std::runtime_error("pwrite failed");
  }
  void resize(std::uint64_t bytes) const
  {
    if (ftruncate(file_, static_cast<off_t>(bytes)) != 0) throw std::runtime_error("ftruncate failed");
  }
  std::string contents() const
  {
    std::string text(static_cast<std::size_t>(lseek(file_, 0, SEEK_END)), '\0');
    if (pread(file_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) throw std::runtime_error("pread failed");
    return text;
  }

 private:
  const int file_;
};

// The same contents through a pipe, which a thread fills.
class Pipe {
 public:
  explicit Pipe(test::Bytes contents) : contents_(std::move(contents))
  {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("pipe failed");
    out_ = ends[0];
    thread_ = std::thread([this, in = ends[1]] {
      for (std::size_t at = 0; at < contents_.size();) {
        const ssize_t written = ::write(in, contents_.data() + at, std::min<std::size_t>(contents_.size() - at, 977));
        if (written <= 0) break;
        at += static_cast<std::size_t>(written);
      }
      close(in);
    });
  }
  ~Pipe()
  {
    char rest[4096];
    while (read(out_, rest, sizeof rest) > 0) {
    }
    thread_.join();
    close(out_);
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(out_); }

 private:
  const test::Bytes contents_;
  int out_ = -1;
  std::thread thread_;
};

struct Ran {
  int status = -1;
  std::string output;
  std::vector<std::string> messages;
};

inline Ran run(const Settings& settings)
{
  Ran ran;
  const MemoryFile output;
  ran.status = search(settings, output.descriptor(), [&](const std::string& line) { ran.messages.push_back(line); }).status;
  ran.output = output.contents();
  return ran;
}

// Whoever does the work: the processor, the device that is tested, or both as they come.
enum class Who { cpu, device, both };

inline std::string name_of_pattern(std::size_t index)
{
  std::string name = "p";
  return name += std::to_string(index);
}

inline Settings settings_for(Who who, const std::vector<BytePattern>& patterns)
{
  Settings settings;
  for (std::uint32_t i = 0; i < patterns.size(); ++i) {
    settings.patterns.wanted.push_back({name_of_pattern(i), patterns[i]});
    settings.patterns.needles.push_back({i, false});
    settings.patterns.patterns.push_back(patterns[i]);
  }
  settings.threads = 3;
  settings.device.make_platform = test::make_test_platform;
  settings.device.how = who == Who::cpu      ? DeviceChoice::How::cpu
                        : who == Who::device ? DeviceChoice::How::device
                                             : DeviceChoice::How::automatic;
  settings.must_win = -1;
  settings.cpu_starts = settings.device_starts = 100;
  return settings;
}

// What a search for all matches prints of one file.
inline std::string expected_output(const test::Bytes& text, const std::vector<BytePattern>& patterns)
{
  std::string output;
  for (const MatchHit& hit : test::reference_hits(text, patterns, 0, text.size()))
    output += std::to_string(hit.at) + ":" + name_of_pattern(hit.pattern) + "\n";
  return output;
}

// What it prints behind the rest with ReportRules::crc16, if it searches this part.
inline std::string expected_crc16(const test::Bytes& text, std::size_t from, std::size_t to)
{
  char line[16];
  std::snprintf(line, sizeof line, "crc16:%04x\n", test::crc16_by_bits(0xffff, std::span(text).subspan(from, to - from)));
  return line;
}

// Tests that do the same for everybody.
class SearchTest : public test::OnDevice<testing::TestWithParam<Who>> {
 protected:
  void TearDown() override { host_faults::set({}); }
};

inline std::string name_of_who(const testing::TestParamInfo<Who>& info)
{
  constexpr const char* kNames[] = {"Cpu", "Device", "Both"};
  return kNames[static_cast<std::size_t>(info.param)];
}

}  // namespace gpuaes::match
