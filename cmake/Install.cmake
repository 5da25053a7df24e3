# What `cmake --install` puts where. Everything is found relative to itself, so the tree can move.
