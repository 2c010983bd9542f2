#include "kept_texts.h"

#include "engine/process.h"

#include <map>
#include <mutex>
#include <set>

namespace gpuaes {

struct KeptTexts::Texts {
  std::mutex mutex;
  std::set<std::string> kept;
  std::map<std::string, std::string> latest;
};

KeptTexts::KeptTexts() : texts_(new Texts), generation_(fork_generation()) {}

KeptTexts::~KeptTexts() { delete texts_.load(); }

// In a forked child another thread of the parent may have held the lock, for ever: it begins anew, and what its parent kept is
// leaked on purpose, for somebody may still point to it.
KeptTexts::Texts& KeptTexts::texts()
{
  const unsigned now = fork_generation();
  if (generation_.load() != now) {
    texts_.store(new Texts);
    generation_.store(now);
  }
  return *texts_.load();
}

const char* KeptTexts::keep(const std::string& text)
{
  Texts& texts = this->texts();
  const std::lock_guard lock(texts.mutex);
  return texts.kept.insert(text).first->c_str();
}

const char* KeptTexts::keep_latest(const std::string& parameter, const std::string& text)
{
  Texts& texts = this->texts();
  const std::lock_guard lock(texts.mutex);
  return (texts.latest[parameter] = text).c_str();
}

}  // namespace gpuaes
