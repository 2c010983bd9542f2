// Texts that are handed out by pointer, as parameters of type utf8_ptr are.
#pragma once

#include <atomic>
#include <string>

namespace gpuaes {

class KeptTexts {
 public:
  KeptTexts();
  ~KeptTexts();
  KeptTexts(const KeptTexts&) = delete;
  KeptTexts& operator=(const KeptTexts&) = delete;

  // A copy that lives as long as this object.
  const char* keep(const std::string& text);
  // The same until the next call for that parameter: for texts without end.
  const char* keep_latest(const std::string& parameter, const std::string& text);

 private:
  struct Texts;
  Texts& texts();

  std::atomic<Texts*> texts_;
  std::atomic<unsigned> generation_;
};

}  // namespace gpuaes
