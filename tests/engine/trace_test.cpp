// The trace's lines, and the ranges for tools: one for each call that was decided upon.
#include "engine/trace.h"

#include "engine/engine.h"
#include "support/default_aes.h"
#include "support/print.h"
#include "support/test_device.h"
#include "support/test_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <regex.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace gpuaes::test {
namespace {

class TraceTest : public OnStandIn {
 protected:
  TraceTest()
  {
    char name[] = "/tmp/gpuaes-test-XXXXXX";
    folder_ = mkdtemp(name);
  }
  ~TraceTest() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name) const { return folder_ / name; }
  std::vector<std::string> lines(const std::string& name) const
  {
    std::vector<std::string> all;
    std::ifstream from(folder_ / name);
    for (std::string line; std::getline(from, line);) all.push_back(line);
    return all;
  }

  std::filesystem::path folder_;
};

// By POSIX's regular expressions: g++ 12 finds faults in its own library's where sanitizers are on.
bool is_line(const std::string& line)
{
  constexpr const char* kLine =
      "^time=[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}Z thread=[0-9]+ algorithm=[^ ]+ bytes=[0-9]+ "
      "in=[a-z]+ out=[a-z]+ route=[a-z-]+ reason=[a-z_]+ device=[0-9]+[.][0-9]{9} cpu=[0-9]+[.][0-9]{9} took=[0-9]+[.][0-9]{9}$";
  regex_t compiled;
  EXPECT_EQ(regcomp(&compiled, kLine, REG_EXTENDED | REG_NOSUB), 0);
  const bool matches = regexec(&compiled, line.c_str(), 0, nullptr, 0) == 0;
  regfree(&compiled);
  return matches;
}

// Counts the ranges that are open, and those there have been.
class MarkedDevice final : public Device {
 public:
  MarkedDevice(std::unique_ptr<Device> device, int& open, int& all) : device_(std::move(device)), open_(open), all_(all) {}
  const DeviceInfo& info() const noexcept override { return device_->info(); }
  std::unique_ptr<Stream> make_stream() override { return device_->make_stream(); }
  void* allocate(MemoryKind kind, std::size_t bytes) override { return device_->allocate(kind, bytes); }
  void release(MemoryKind kind, void* memory) noexcept override { device_->release(kind, memory); }
  void begin_range(const char* name, std::size_t) noexcept override
  {
    EXPECT_EQ(std::string(name).substr(0, 7), "gpuaes ");
    ++open_;
    ++all_;
  }
  void end_range() noexcept override { --open_; }

 private:
  const std::unique_ptr<Device> device_;
  int& open_;
  int& all_;
};

class MarkedPlatform final : public Platform {
 public:
  MarkedPlatform(int& open, int& all) : open_(open), all_(all) {}
  DevicePointers device_pointers() const noexcept override { return real_->device_pointers(); }
  MemoryPlace place_of(const void* memory) const noexcept override { return real_->place_of(memory); }
  Software software() const override { return real_->software(); }
  std::unique_ptr<Device> open(std::span<const int> ordinals, const std::function<void()>& between_stages) override
  {
    return std::make_unique<MarkedDevice>(real_->open(ordinals, between_stages), open_, all_);
  }

 private:
  const std::unique_ptr<Platform> real_ = make_host_platform();
  int& open_;
  int& all_;
};

TEST_F(TraceTest, OffUnlessAFileCanBeOpened)
{
  EXPECT_FALSE(Trace("").on());
  EXPECT_FALSE(Trace(file("no-such-folder/trace")).on());
  EXPECT_TRUE(Trace(file("trace-%p")).on());
  EXPECT_TRUE(std::filesystem::exists(file("trace-" + std::to_string(getpid()))));
}

TEST_F(TraceTest, LinesOfSeveralThreadsStayWhole)
{
  {
    const Trace trace(file("trace"));
    const Decision decision{.algorithm = "AES-256-CTR", .bytes = 1 << 20, .route = "copied-copied", .reason = Reason::forced};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (int line = 0; line < 500; ++line) trace.write(decision, std::chrono::microseconds(1500));
      });
    for (std::thread& thread : threads) thread.join();
  }
  const std::vector<std::string> all = lines("trace");
  EXPECT_EQ(all.size(), 2000u);
  for (const std::string& line : all) {
    ASSERT_TRUE(is_line(line)) << line;
    ASSERT_NE(line.find(" took=0.001500000"), std::string::npos) << line;
  }
}

TEST_F(TraceTest, EachCallHasALineARangeAndAReason)
{
  int open = 0, all = 0;
  Options options;
  options.min_bytes_ctr = options.min_bytes_ecb = 16;
  options.helper_threads = 0;
  options.trace = file("trace");
  {
    Engine engine(options, std::make_unique<MarkedPlatform>(open, all));
    const DefaultAes reference(AesMode::ecb_decrypt, test_key(24));
    const AesKey key = reference.engine_key();
    const TestMemory in(MemoryKind::pinned, 4096), out(MemoryKind::pinned, 4096);
    const auto work = [&] { engine.process(reference.request(key, in.data(), out.data(), 4096)); };
    work();
    ASSERT_TRUE(engine.start_and_wait(std::chrono::seconds(30)));
    EXPECT_EQ(all, 1) << "the known-answer tests";
    work();
    EXPECT_EQ(all, 2);
    EXPECT_EQ(open, 0);
    engine.crc16(0, out.data(), 4096, MemoryKind::pinned);
    const auto count = [&](Reason reason) { return engine.counters().reasons[static_cast<std::size_t>(reason)].load(); };
    EXPECT_EQ(count(Reason::not_ready), 1u);
    EXPECT_EQ(count(Reason::min_bytes), 1u);
    EXPECT_EQ(count(Reason::cpu_faster), 1u);
  }
  const std::vector<std::string> written = lines("trace");
  ASSERT_EQ(written.size(), 3u);
  for (const std::string& line : written) EXPECT_TRUE(is_line(line)) << line;
  const auto has = [&](std::size_t line, const std::string& text) { return written[line].find(text) != std::string::npos; };
  EXPECT_TRUE(has(0, "algorithm=AES-192-ECB-decrypt bytes=4096 in=pinned out=pinned route=default reason=not_ready")) << written[0];
  EXPECT_TRUE(has(1, "algorithm=AES-192-ECB-decrypt bytes=4096 in=pinned out=pinned route=direct-direct reason=min_bytes"))
      << written[1];
  EXPECT_TRUE(has(2, "algorithm=CRC-16 bytes=4096 in=pinned out=pinned route=default reason=cpu_faster")) << written[2];
}

}  // namespace
}  // namespace gpuaes::test
