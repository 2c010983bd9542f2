#include "errors.h"

#include "engine/device.h"

namespace gpuaes {
namespace {

ErrorReason reason_of(DeviceError::Kind kind)
{
  switch (kind) {
    case DeviceError::Kind::absent:
      return ErrorReason::device_absent;
    case DeviceError::Kind::out_of_memory:
      return ErrorReason::device_out_of_memory;
    case DeviceError::Kind::lost:
      return ErrorReason::device_lost;
    case DeviceError::Kind::failed:
      break;
  }
  return ErrorReason::device_failed;
}

constexpr unsigned number(ErrorReason reason) { return static_cast<unsigned>(reason); }

}  // namespace

const OSSL_ITEM* reason_strings()
{
  static char absent[] = "no device can be used";
  static char out_of_memory[] = "device out of memory";
  static char failed[] = "device operation failed";
  static char lost[] = "device lost";
  static char bad_setting[] = "bad setting";
  static const OSSL_ITEM kItems[] = {
      {number(ErrorReason::device_absent), absent},    {number(ErrorReason::device_out_of_memory), out_of_memory},
      {number(ErrorReason::device_failed), failed},    {number(ErrorReason::device_lost), lost},
      {number(ErrorReason::bad_setting), bad_setting}, {0, nullptr}};
  return kItems;
}

void raise_current_exception(const Core& core) noexcept
{
  try {
    throw;
  } catch (const DeviceError& error) {
    core.raise(number(reason_of(error.kind())), error.what());
  } catch (const std::bad_alloc&) {
    core.raise(default_provider_reason(ERR_R_MALLOC_FAILURE));
  } catch (const std::exception& error) {
    core.raise(default_provider_reason(ERR_R_INTERNAL_ERROR), error.what());
  }
}

}  // namespace gpuaes
