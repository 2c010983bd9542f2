#include "files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace gpuaes::match {
namespace {

namespace fs = std::filesystem;

void add_folder(const fs::path& folder, std::vector<std::string>& files, const std::function<void(const std::string&)>& failed)
{
  std::error_code error;
  std::vector<fs::directory_entry> entries;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) entries.push_back(*it);
  if (error) failed(folder.string() + ": " + error.message());
  std::sort(entries.begin(), entries.end());
  for (const fs::directory_entry& entry : entries) {
    std::error_code ignored;
    const fs::file_status status = entry.symlink_status(ignored);
    if (fs::is_directory(status))
      add_folder(entry.path(), files, failed);
    else if (fs::is_regular_file(status))
      files.push_back(entry.path().string());
  }
}

}  // namespace

std::vector<std::string> files_to_search(const std::vector<std::string>& named, bool recursive,
                                         const std::function<void(const std::string&)>& failed)
{
  if (!recursive) return named.empty() ? std::vector<std::string>{"-"} : named;
  std::vector<std::string> files;
  for (const std::string& name : named.empty() ? std::vector<std::string>{"."} : named) {
    std::error_code error;
    if (name != "-" && fs::is_directory(name, error))
      add_folder(name, files, failed);
    else
      files.push_back(name);
  }
  return files;
}

Amount amount_in(const std::vector<std::string>& files)
{
  Amount amount;
  for (const std::string& name : files) {
    struct stat status;
    if ((name == "-" ? fstat(STDIN_FILENO, &status) : stat(name.c_str(), &status)) != 0) continue;
    if (S_ISREG(status.st_mode)) amount.bytes += static_cast<std::uint64_t>(status.st_size);
    amount.has_streams = amount.has_streams || S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || S_ISCHR(status.st_mode);
    if (!S_ISBLK(status.st_mode)) continue;
    const int file = open(name.c_str(), O_RDONLY | O_CLOEXEC);
    const off_t size = file < 0 ? -1 : lseek(file, 0, SEEK_END);
    if (size > 0) amount.bytes += static_cast<std::uint64_t>(size);
    if (file >= 0) close(file);
  }
  return amount;
}

}  // namespace gpuaes::match
