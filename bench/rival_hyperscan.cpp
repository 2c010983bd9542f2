// How fast does Hyperscan find the same patterns in a file that is in memory already? Prints GB/s, of the faster of two scans.
// Usage: rival_hyperscan FILE PATTERNS, of which there is one a line. Only the scan is timed.
#include <hs/hs.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // it counts in 32 bits

int count_match(unsigned, unsigned long long, unsigned long long, unsigned, void* count)
{
  ++*static_cast<unsigned long long*>(count);
  return 0;
}

hs_database_t* compile(const char* path)
{
  std::ifstream file(path);
  std::vector<std::string> patterns;
  for (std::string line; std::getline(file, line);) patterns.push_back(line);
  std::vector<const char*> texts;
  std::vector<std::size_t> lengths;
  std::vector<unsigned> ids;
  for (const std::string& pattern : patterns) {
    texts.push_back(pattern.data());
    lengths.push_back(pattern.size());
    ids.push_back(static_cast<unsigned>(ids.size()));
  }
  hs_database_t* database = nullptr;
  hs_compile_error_t* error = nullptr;
  const std::vector<unsigned> flags(patterns.size(), 0);
  hs_compile_lit_multi(texts.data(), flags.data(), ids.data(), lengths.data(), static_cast<unsigned>(texts.size()), HS_MODE_BLOCK,
                       nullptr, &database, &error);
  return database;
}

}  // namespace

int main(int argc, char** argv)
{
  if (argc != 3) return 2;
  hs_database_t* const database = compile(argv[2]);
  hs_scratch_t* scratch = nullptr;
  if (database == nullptr || hs_alloc_scratch(database, &scratch) != HS_SUCCESS) return 2;
  const int file = open(argv[1], O_RDONLY);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) return 2;
  const auto bytes = static_cast<std::size_t>(status.st_size);
  const void* const text = mmap(nullptr, bytes, PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0);
  if (text == MAP_FAILED) return 2;
  double best = 0;
  for (int turn = 0; turn < 2; ++turn) {
    unsigned long long count = 0;
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t at = 0; at < bytes; at += kMostAtOnce)
      hs_scan(database, static_cast<const char*>(text) + at, static_cast<unsigned>(std::min(bytes - at, kMostAtOnce)), 0, scratch,
              count_match, &count);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    best = std::max(best, static_cast<double>(bytes) / elapsed.count() / 1e9);
    if (turn == 0) std::fprintf(stderr, "%llu matches\n", count);
  }
  std::printf("%.2f", best);
  return 0;
}
