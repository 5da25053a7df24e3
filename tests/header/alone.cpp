// The header for C++ with nothing before it, twice, and in two files of a program.
#include <mtlcap/mtlcap.hpp>
// A second time.
#include <mtlcap/mtlcap.hpp>

mtlcap::Report apply();

mtlcap::Report apply() {
    const mtlcap::Scope scope("auto");
    return mtlcap::report();
}
