// Fork and exit at every moment: the child or the exit handlers find everything in a state they can live with.
#include "../../provider/kept_texts.h"

#include "support/child.h"
#include "support/differential.h"
#include "support/test_device.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace gpuaes::test {
namespace {

using SafetyProcess = OnDevice<>;

struct Moment {
  const char* name;
  Settings settings;
  bool used;  // the device has done work
};

const Moment kMoments[] = {
    {"idle", {}, false},
    {"never", {{"mode", "never"}}, false},
    {"starting", {{"startup", "load"}, {"min_bytes", "1"}}, false},
    {"ready", {{"startup", "load"}, {"min_bytes", "1"}}, true},
};

// A context in mid-stream, beside one of the default provider that has done the same.
class Pair {
 public:
  explicit Pair(const Library& library) : got_(library, "AES-128-CTR")
  {
    const Bytes key = test_key(16);
    const Bytes iv = pattern(16);
    for (Traced* context : {&expected_, &got_}) context->init(&key, &iv, true);
    go_on();
  }
  // Whether both do the same from here.
  bool go_on()
  {
    const Bytes iv = pattern(16, 50);
    for (Traced* context : {&expected_, &got_}) {
      context->update(pattern(100'003));
      context->parameters();
      context->init(nullptr, &iv, true);
      context->update(pattern(77));
    }
    return expected_.output() == got_.output() && expected_.trace() == got_.trace();
  }

 private:
  const Library reference_ = Library::with_default();
  Traced expected_{reference_, "AES-128-CTR"};
  Traced got_;
};

TEST_F(SafetyProcess, ForkedChildrenGoOnAndExit)
{
  for (const Moment& moment : kMoments) {
    SCOPED_TRACE(moment.name);
    auto library = std::make_unique<Library>(Library::with_gpuaes(moment.settings));
    if (moment.used) {
      EXPECT_EQ(library->settled_state(), "ready");
    }
    auto pair = std::make_unique<Pair>(*library);
    // Leaving everything alive, and taking everything down.
    EXPECT_TRUE(succeeds_in_child([&] { return pair->go_on() && pair->go_on(); }));
    EXPECT_TRUE(succeeds_in_child([&] {
      const bool right = pair->go_on();
      const std::string state = library->text("gpuaes.state");
      pair.reset();
      library.reset();
      return right && (state == "forked" || state == "idle");
    }));
    // New contexts of the inherited provider, and a provider of its own.
    EXPECT_TRUE(succeeds_in_child([&] { return Pair(*library).go_on(); }));
    EXPECT_TRUE(succeeds_in_child([&] {
      const Library own = Library::with_gpuaes({{"mode", "never"}});
      return Pair(own).go_on();
    }));
    EXPECT_TRUE(pair->go_on());
  }
}

// The child of an idle parent may use the device for itself.
TEST_F(SafetyProcess, AChildOfAnIdleParentHasADevice)
{
  if (on_cuda()) GTEST_SKIP() << "this process has used CUDA already, so that its children can't";
  const Library library = Library::with_gpuaes({{"mode", "always"}});
  EXPECT_TRUE(succeeds_in_child([&] { return Pair(library).go_on() && library.text("gpuaes.state") == "ready"; }));
}

// Another thread of the parent may have held the lock that they are kept under.
TEST(SafetyProcessTexts, AForkedChildKeepsItsOwn)
{
  KeptTexts texts;
  const char* const of_parent = texts.keep("text");
  EXPECT_EQ(texts.keep("text"), of_parent);
  EXPECT_TRUE(succeeds_in_child([&] {
    const char* const own = texts.keep("text");
    return own != of_parent && std::string(own) == "text" && std::string(of_parent) == "text";
  }));
}

TEST_F(SafetyProcess, ForkedGrandchildren)
{
  const Library library = Library::with_gpuaes({{"startup", "load"}, {"min_bytes", "1"}});
  library.settled_state();
  Pair pair(library);
  EXPECT_TRUE(succeeds_in_child([&] { return pair.go_on() && succeeds_in_child([&] { return pair.go_on(); }); }));
}

TEST_F(SafetyProcess, ForkWhileOtherThreadsWork)
{
  if (on_cuda()) GTEST_SKIP() << "forks a process with a CUDA context";
  const Library library = Library::with_gpuaes({{"startup", "load"}, {"min_bytes", "1"}});
  library.settled_state();
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      Pair pair(library);
      while (!stop.load()) pair.go_on();
    });
  Pair pair(library);
  // The stand-in's list of memory has a lock, which another thread may hold now: the child asks for nothing that needs it.
  int failed = 0;
  for (int i = 0; i < 10; ++i)
    if (!succeeds_in_child([&] { return library.text("gpuaes.state") == "forked"; })) ++failed;
  stop.store(true);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failed, 0);
}

TEST_F(SafetyProcess, ExitWithLiveContexts)
{
  for (const Moment& moment : kMoments) {
    SCOPED_TRACE(moment.name);
    for (const bool module : {false, true})
      for (int i = 0; i < (on_cuda() ? 1 : 5); ++i)
        EXPECT_TRUE(succeeds_in_child([&] {
          auto* library = new Library(module ? Library::with_module(moment.settings) : Library::with_gpuaes(moment.settings));
          if (moment.used) library->settled_state();
          return (new Pair(*library))->go_on();
        })) << module;
  }
}

TEST_F(SafetyProcess, ExitDuringBringUp)
{
  for (const bool module : {false, true})
    for (int i = 0; i < (on_cuda() ? 12 : 30); ++i)
      EXPECT_TRUE(succeeds_in_child([&] {
        const Settings settings = {{"startup", "load"}};
        auto* library = new Library(module ? Library::with_module(settings) : Library::with_gpuaes(settings));
        std::this_thread::sleep_for(std::chrono::microseconds((on_cuda() ? 30'000 : 300) * i));
        return library->status() == 1;
      })) << module;
}

}  // namespace
}  // namespace gpuaes::test
