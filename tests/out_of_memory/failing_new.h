// This program's operator new, which can be made to fail.
#pragma once

namespace gpuaes::test {

// The n-th allocation from now on, by any thread, throws std::bad_alloc; 0: none does.
void fail_allocation(long n);

}  // namespace gpuaes::test
