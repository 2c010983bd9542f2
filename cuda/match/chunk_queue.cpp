#include "chunk_queue.h"

#include <stdexcept>
#include <utility>

namespace gpuaes::match {

ChunkQueue::ChunkQueue(std::vector<std::string> paths, const InputRules& rules, std::function<void(const std::string&)> failed)
    : paths_(std::move(paths)), rules_(rules), failed_(std::move(failed))
{
}

bool ChunkQueue::open_next()
{
  while (input_ == nullptr && next_path_ < paths_.size()) {
    try {
      input_ = std::make_shared<Input>(paths_[next_path_++], rules_);
    } catch (const std::runtime_error& error) {
      failed_(error.what());
    }
  }
  return input_ != nullptr;
}

bool ChunkQueue::next(Chunk& chunk, std::uint8_t* buffer, std::size_t starts, FileWindow* window)
{
  {
    const std::lock_guard lock(mutex_);
    if (stopped_.load() || !open_next()) return false;
    chunk.number = next_number_++;
    chunk.input = input_;
    try {
      input_->take(chunk, buffer, starts, stopped_);
    } catch (const std::runtime_error& error) {
      failed_(error.what());
      chunk.text = {.bytes = buffer};
      chunk.loaded = 0;
      chunk.last = true;
      input_->give_up();
    }
    chunk.begin = chunk.text.from;
    if (chunk.last) input_ = nullptr;
  }
  bytes_.fetch_add(chunk.text.to - chunk.text.from, std::memory_order_relaxed);
  if (!chunk.input->reads_anywhere()) return true;
  if (window == nullptr || !chunk.input->show(chunk, *window)) read(chunk, buffer);
  return true;
}

void ChunkQueue::read(Chunk& chunk, std::uint8_t* buffer)
{
  try {
    if (chunk.input->read(chunk, buffer)) return;
    if (chunk.input->give_up()) failed_(chunk.input->name() + ": became shorter while it was searched");
  } catch (const std::runtime_error& error) {
    failed_(error.what());
    chunk.window = nullptr;
    chunk.text = {.bytes = buffer};
    chunk.loaded = 0;
    chunk.input->give_up();
  }
}

}  // namespace gpuaes::match
