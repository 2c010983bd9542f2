// The output of one input: a file that gets its name when it is complete, or whatever else can be written to.
#pragma once

#include "sink.h"
#include "source.h"
#include "unfinished.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace gpuaes::enc {

class Target {
 public:
  // `path` "-" is standard output. Throws std::runtime_error that says why it can't be the output of this source.
  Target(const std::string& path, const Source& source, bool force, bool sync);

  const std::string& name() const { return name_; }
  bool is_standard_output() const { return standard_output_; }
  // Whether it is a file that can be read again before it is finished.
  bool is_unfinished() const { return unfinished_ != nullptr; }

  // Goes before everything else.
  void write_head(std::span<const std::uint8_t> head);
  // For the data, of which the first byte is at position `first`.
  std::unique_ptr<Sink> make_sink(std::uint64_t first) const;
  // Where in the output that byte goes, as far as there are places.
  std::uint64_t base() const { return base_; }
  // What was written so far, for reading it again, without the head, as make_sink() has placed it. Only of what is unfinished.
  Source reopened(std::uint64_t first) const;
  // All has been written, `bytes` of it beside the head.
  void finish(std::uint64_t bytes);

 private:
  void refuse_input(const struct stat& status, const Source& source) const;
  void open_standard_output(const Source& source);
  void open_path(const Source& source);
  void use_special();

  std::string path_;
  std::string name_;
  const bool standard_output_;
  const bool sync_;
  const bool force_;
  std::optional<struct stat> replaced_;
  mode_t input_mode_;
  std::unique_ptr<Unfinished> unfinished_;
  Descriptor special_;
  int file_ = -1;           // one of the two
  bool placed_ = false;     // written at any place, else one piece after the other
  std::uint64_t base_ = 0;  // where the next byte goes, if placed
};

}  // namespace gpuaes::enc
