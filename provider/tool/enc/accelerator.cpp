#include "accelerator.h"

#include "engine/known_answers.h"

#include <utility>

namespace gpuaes::enc {

Accelerator::Accelerator(std::unique_ptr<Platform> platform, std::vector<int> ordinals, std::size_t bytes)
    : platform_(std::move(platform)), bytes_(bytes), bring_up_(*platform_, std::move(ordinals), run_known_answer_tests, [] {})
{
}

std::unique_ptr<Flights> Accelerator::borrow()
{
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<Flights> flights = std::move(idle_.back());
      idle_.pop_back();
      return flights;
    }
  }
  return std::make_unique<Flights>(*bring_up_.device(), bytes_);
}

void Accelerator::give_back(std::unique_ptr<Flights> flights)
{
  flights->wipe();  // the process may end without destructors
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(flights));
}

}  // namespace gpuaes::enc
