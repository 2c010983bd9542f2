#include "accelerator.h"

#include "device_check.h"
#include "engine/known_answers.h"

#include <algorithm>
#include <utility>

namespace gpuaes::match {

Accelerator::Accelerator(std::unique_ptr<Platform> platform, std::vector<int> ordinals, std::shared_ptr<const MatchPlan> plan,
                         bool more_than_matching)
    : platform_(std::move(platform)),
      plan_(std::move(plan)),
      more_than_matching_(more_than_matching),
      bring_up_(
          *platform_, std::move(ordinals), [this](Device& device) { try_out(device); }, [] {})
{
}

void Accelerator::try_out(Device& device)
{
  if (more_than_matching_) run_known_answer_tests(device);
  check_matching(device);
  tables_ = upload(device, plan_->memory());
}

}  // namespace gpuaes::match
