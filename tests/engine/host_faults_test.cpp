// Faults of the stand-in: whom they are for.
#include "host/host_faults.h"

#include "support/test_device.h"

#include <gtest/gtest.h>

namespace gpuaes {
namespace {

class HostFaultsTest : public test::OnStandIn {
 protected:
  void TearDown() override { host_faults::set({}); }

  std::unique_ptr<Platform> platform_ = make_host_platform();
  std::unique_ptr<Device> other_ = platform_->open({}, [] {});
  std::unique_ptr<Device> device_ = platform_->open({}, [] {});
  const std::size_t number_ = host_faults::last_device();  // the latter's
};

TEST_F(HostFaultsTest, APlanForOneDeviceIsNoOtherOnes)
{
  host_faults::set({.device = number_, .fail_at = 2, .kind = DeviceError::Kind::lost});
  for (int i = 0; i < 3; ++i) EXPECT_NO_THROW(other_->make_stream());
  EXPECT_EQ(host_faults::calls(), 0u);
  EXPECT_NO_THROW(device_->make_stream());
  EXPECT_THROW(device_->make_stream(), DeviceError);
  EXPECT_NO_THROW(other_->make_stream());
  EXPECT_EQ(host_faults::calls(), 2u);
}

TEST_F(HostFaultsTest, WhileOneDeviceIsHeldOthersGoOn)
{
  const std::unique_ptr<Stream> held = device_->make_stream();
  const std::unique_ptr<Stream> free = other_->make_stream();
  std::uint8_t bytes[2] = {1, 1};
  host_faults::set({.device = number_, .hold = true});
  held->clear(&bytes[0], 1);
  free->clear(&bytes[1], 1);
  free->wait();
  EXPECT_EQ(bytes[1], 0);
  EXPECT_FALSE(held->done());
  host_faults::set({});
  held->wait();
  EXPECT_EQ(bytes[0], 0);
}

TEST_F(HostFaultsTest, APlanForNoneInParticularIsEveryOnes)
{
  host_faults::set({.fail_at = 2});
  EXPECT_NO_THROW(other_->make_stream());
  EXPECT_THROW(device_->make_stream(), DeviceError);
}

}  // namespace
}  // namespace gpuaes
