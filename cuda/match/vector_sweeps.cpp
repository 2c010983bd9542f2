#include "vector_sweeps.h"

#include "core/processor.h"

#include <atomic>

namespace gpuaes::match {
namespace {

Vectors widest()
{
#ifdef __x86_64__
  if (CPU_FEATURE_ACTIVE(AVX512F) && CPU_FEATURE_ACTIVE(AVX512BW)) return Vectors::avx512;
  if (CPU_FEATURE_ACTIVE(AVX2)) return Vectors::avx2;
#endif
  return Vectors::none;
}

std::atomic<Vectors> allowed{Vectors::avx512};

}  // namespace

Vectors usable_vectors()
{
  static const Vectors had = widest();
  return std::min(had, allowed.load(std::memory_order_relaxed));
}

void limit_vectors(Vectors most) { allowed.store(most); }

}  // namespace gpuaes::match
