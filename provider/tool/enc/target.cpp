#include "target.h"

#include "match/usage_error.h"

#include <fcntl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <stdexcept>

namespace gpuaes::enc {
namespace {

constexpr mode_t kPermissions = 0777;

bool is_null_device(const struct stat& status) { return S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3); }

std::string folder_of(const std::string& path)
{
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// What the file system doesn't support, it needn't do.
void sync_or_fail(int file, const std::string& name)
{
  if (fsync(file) != 0 && errno != EINVAL && errno != EROFS) fail(name);
}

// The input's; what comes from a stream gets what every new file gets. Nothing that the umask forbids, as cp has it.
mode_t mode_of_new_file(const struct stat& input)
{
  const mode_t mask = umask(0);
  umask(mask);
  return (S_ISREG(input.st_mode) ? input.st_mode & kPermissions : 0666) & ~mask;
}

}  // namespace

Target::Target(const std::string& path, const Source& source, bool force, bool sync)
    : path_(path),
      name_(path == "-" ? "(standard output)" : path),
      standard_output_(path == "-"),
      sync_(sync),
      force_(force),
      input_mode_(mode_of_new_file(source.status()))
{
  if (standard_output_)
    open_standard_output(source);
  else
    open_path(source);
}

void Target::open_standard_output(const Source& source)
{
  special_ = Descriptor(dup(STDOUT_FILENO));
  refuse_input(status_of(special_.get(), name_), source);
  use_special();
}

void Target::open_path(const Source& source)
{
  struct stat status;
  if (stat(path_.c_str(), &status) == 0) {
    refuse_input(status, source);
    if (S_ISDIR(status.st_mode)) throw std::runtime_error(name_ + ": is a folder; --out-dir is for those");
    if ((S_ISREG(status.st_mode) || S_ISBLK(status.st_mode)) && !force_)
      throw std::runtime_error(name_ + ": is there already; --force replaces it");
    if (!S_ISREG(status.st_mode)) {
      special_ = Descriptor(open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
      return use_special();
    }
    replaced_ = status;
    path_ = std::filesystem::canonical(path_).string();  // a link stays a link
  } else if (errno != ENOENT) {
    fail(name_);
  } else if (lstat(path_.c_str(), &status) == 0) {
    throw std::runtime_error(name_ + ": is a link to a file that isn't there; remove it, or name that file");
  }
  if (!std::filesystem::is_directory(folder_of(path_)))
    throw std::runtime_error(name_ + ": there is no folder " + folder_of(path_));
  unfinished_ = std::make_unique<Unfinished>(folder_of(path_), name_);
  file_ = unfinished_->descriptor();
  placed_ = true;
}

void Target::refuse_input(const struct stat& status, const Source& source) const
{
  if ((S_ISREG(status.st_mode) || S_ISBLK(status.st_mode)) && is_same_file(status, source.status()))
    throw std::runtime_error(name_ + ": is the input itself, which isn't changed in place");
}

void Target::use_special()
{
  file_ = special_.get();
  if (file_ < 0) fail(name_);
  const struct stat status = status_of(file_, name_);
  const int flags = fcntl(file_, F_GETFL);
  if ((flags & O_ACCMODE) == O_RDONLY) {
    errno = EBADF;
    fail(name_);
  }
  const bool appends = (flags & O_APPEND) != 0;
  placed_ = is_null_device(status) || ((S_ISREG(status.st_mode) || S_ISBLK(status.st_mode)) && !appends);
  const off_t at = placed_ ? lseek(file_, 0, SEEK_CUR) : 0;
  if (at > 0) base_ = static_cast<std::uint64_t>(at);
}

void Target::write_head(std::span<const std::uint8_t> head)
{
  if (!placed_) return write_next(file_, head.data(), head.size(), name_);
  write_at(file_, head.data(), head.size(), base_, name_);
  base_ += head.size();
}

// Who waits for the disk in the end is done sooner by direct writes; who doesn't is done when the page cache has it.
std::unique_ptr<Sink> Target::make_sink(std::uint64_t first) const
{
  if (placed_)
    return std::make_unique<PlacedSink>(file_, sync_ && is_unfinished() ? reopened_for_direct_writes(file_) : Descriptor(), name_,
                                        base_, first);
  return std::make_unique<OrderedSink>(file_, name_);
}

Source Target::reopened(std::uint64_t first) const { return Source(Descriptor(dup(file_)), name_, base_, first); }

void Target::finish(std::uint64_t bytes)
{
  if (unfinished_ == nullptr) {
    // Whoever writes to the same file next goes on behind it.
    if (placed_) lseek(file_, static_cast<off_t>(base_ + bytes), SEEK_SET);
    return;
  }
  if (replaced_ && fchown(file_, replaced_->st_uid, replaced_->st_gid) != 0) {
    // Then it is whose run this is, as with any new file.
  }
  if (fchmod(file_, replaced_ ? replaced_->st_mode & kPermissions : input_mode_) != 0) fail(name_);
  if (sync_) sync_or_fail(file_, name_);
  unfinished_->rename_to(path_, force_);
  if (!sync_) return;
  const Descriptor folder(open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) sync_or_fail(folder.get(), folder_of(path_));
}

}  // namespace gpuaes::enc
