// The library in a few lines.
#include <iostream>
#include <mtlcap/mtlcap.hpp>

void ask(const char *capability) {
    const mtlcap::Answer answer = mtlcap::query(capability);
    std::cout << capability << ": " << answer.effective.text << " (stock: " << answer.stock.text
              << ")\n";
}

int main() {
    mtlcap::apply("auto"); // before the first Metal client asks
    ask("apple");

    try {
        mtlcap::apply("apple.min=9");
    } catch (const mtlcap::HazardError &error) { // what was in force stays
        std::cout << "refused: " << error.hazard << " (" << error.status << ")\n";
    }

    mtlcap::restore(); // stock answers, for every caller
    ask("apple");
}
