// The files that the command line names, with those in folders.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gpuaes::match {

// With `recursive`, folders become the regular files in them and below, by name, without following links; none at all means the
// current folder. Otherwise none means standard input. `failed` gets a message for each folder that can't be read.
std::vector<std::string> files_to_search(const std::vector<std::string>& named, bool recursive,
                                         const std::function<void(const std::string&)>& failed);

// How much there is to search, as far as that can be known beforehand.
struct Amount {
  std::uint64_t bytes = 0;
  bool has_streams = false;  // of unknown size, which `bytes` leaves out
};

Amount amount_in(const std::vector<std::string>& files);

}  // namespace gpuaes::match
