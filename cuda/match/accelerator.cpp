#include "accelerator.h"

#include "device_check.h"
#include "device_feeder.h"
#include "engine/known_answers.h"

#include <algorithm>
#include <utility>

namespace gpuaes::match {

Accelerator::Accelerator(std::unique_ptr<Platform> platform, std::vector<int> ordinals, std::shared_ptr<const MatchPlan> plan,
                         bool more_than_matching, const FlightSizes& sizes, int feeders)
    : platform_(std::move(platform)),
      plan_(std::move(plan)),
      more_than_matching_(more_than_matching),
      sizes_(sizes),
      feeders_(feeders),
      bring_up_(
          *platform_, std::move(ordinals), [this](Device& device) { try_out(device); }, [] {})
{
}

void Accelerator::try_out(Device& device)
{
  if (more_than_matching_) run_known_answer_tests(device);
  check_matching(device);
  tables_ = upload(device, plan_->memory());
  flights_.emplace(device, sizes_, kFlights, kFlights * static_cast<std::size_t>(feeders_));
}

}  // namespace gpuaes::match
