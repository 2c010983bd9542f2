// Hands the chunks of all inputs, one input after the other, to whichever thread asks for work.
#pragma once

#include "input.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace gpuaes::match {

class ChunkQueue {
 public:
  // `failed` gets the message of every input that can't be opened or read, from whichever thread found out.
  ChunkQueue(std::vector<std::string> paths, const InputRules& rules, std::function<void(const std::string&)> failed);

  // The next chunk, read into a buffer that holds `starts` + rules.overlap() bytes and padding; false if there is none left. An
  // input that fails ends with a last chunk as if it were over. With a window, the chunk is shown there instead where that can be
  // done.
  bool next(Chunk& chunk, std::uint8_t* buffer, std::size_t starts, FileWindow* window = nullptr);

  // Reads a chunk that was shown in a window.
  void read(Chunk& chunk, std::uint8_t* buffer);

  // Nothing further is of interest: next() returns false from now on.
  void stop() { stopped_.store(true); }

  // Bytes handed out so far.
  std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  bool open_next();

  const std::vector<std::string> paths_;
  const InputRules& rules_;
  const std::function<void(const std::string&)> failed_;
  std::mutex mutex_;
  std::size_t next_path_ = 0;
  std::shared_ptr<Input> input_;
  std::uint64_t next_number_ = 0;
  std::atomic<std::uint64_t> bytes_{0};
  std::atomic<bool> stopped_{false};
};

}  // namespace gpuaes::match
