# All clients and one, on several devices; names that are cut short, ambiguous, or unknown.
. "$CASES/common"
transcript explain
SIMMETAL_DEVICES=m5 transcript explain
SIMMETAL_DEVICES=intel-amd transcript explain tinygrad
SIMMETAL_DEVICES=paravirt-macos14 transcript explain metal.jl -p auto --allow macos-14-guest
transcript explain OLLAMA --sdk 11.3
SIMMETAL_DEVICES=none transcript explain mlx
transcript explain m
transcript explain torch
transcript explain lama.cpp
transcript explain llama.cpp mlx
# By the name of a program.
"$MTLCAP" explain llama-server | grep versions
"$MTLCAP" explain whisper-cli | grep versions
transcript explain llama-serve
