// A file under a name that nobody looks for, until it is finished. What ends the command takes it away, unless it is SIGKILL, a
// real-time signal or a crash.
#pragma once

#include "file.h"

#include <string>

namespace gpuaes::enc {

// One at a time.
class Unfinished {
 public:
  // Makes an empty file that only its owner may use, in `folder`; `for_name` is for messages.
  Unfinished(const std::string& folder, const std::string& for_name);
  ~Unfinished();
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

  int descriptor() const { return file_.get(); }
  // Gives it its name, at once for all who look. Unless it may replace, throws if there is a file of that name.
  void rename_to(const std::string& target, bool may_replace);

 private:
  std::string path_;
  Descriptor file_;
  bool renamed_ = false;
};

}  // namespace gpuaes::enc
