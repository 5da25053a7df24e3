/* A scope without a name ends where it begins: compilers say so. */
#include <mtlcap/mtlcap.hpp>

int main() {
    mtlcap::Scope("auto");
}
