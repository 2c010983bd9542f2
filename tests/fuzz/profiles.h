// The ways the provider is set up for fuzzing: so that rings, offloaded calls and their boundaries are reached with few bytes.
#pragma once

#include "support/library.h"

#include <fuzzer/FuzzedDataProvider.h>

#include <functional>

namespace gpuaes::test {

struct Profile {
  Settings settings;
  bool device_memory = true;  // there is a device: calls may be given memory that only it reaches
  bool faults = true;         // a device that fails costs time and nothing else
  bool offers_host = true;    // calls on host memory may be given to the device, which they then wait for
};

// Which wrong result of a job a sample finds.
enum class SampleFinds { every, none };

// How one input wants it: a profile, and a fault that its library's stand-in has while this lives, or none.
class Setup {
 public:
  Setup(FuzzedDataProvider& input, SampleFinds sample_finds);
  ~Setup();
  Setup(const Setup&) = delete;
  Setup& operator=(const Setup&) = delete;

  const Profile& profile() const { return profile_; }
  bool faulty() const { return faulty_; }
  // With its device ready. Made when first needed, and again when it has lost its device. Faulty ones are kept apart, since an
  // error may be seen later than the call that it was put into.
  const Library& library() const { return *library_; }

 private:
  const Profile& profile_;
  const bool faulty_;
  const Library* library_ = nullptr;
};

// Does `work` and returns 0. If it throws Difference, ends the process as libFuzzer wants it, with all steps that led there.
int must_agree(const std::function<void()>& work);

}  // namespace gpuaes::test
