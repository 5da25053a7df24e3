"""Writes a small model of llama's architecture with random weights: two layers, width 256, a
vocabulary of bytes, Q4_0. The same one every time.

Usage: model.py OUTPUT
"""

import sys

import gguf
import numpy

LAYERS, WIDTH, FORWARD, HEADS, HEADS_KV, CONTEXT = 2, 256, 512, 4, 2, 512


def add_vocabulary(writer):
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    kinds = [gguf.TokenType.UNKNOWN] + [gguf.TokenType.CONTROL] * 2 + [gguf.TokenType.BYTE] * 256
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types(kinds)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_vocab_size(len(tokens))
    return len(tokens)


def main():
    random = numpy.random.default_rng(1)
    writer = gguf.GGUFWriter(sys.argv[1], "llama")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(FORWARD)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS_KV)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q4_0)
    vocabulary = add_vocabulary(writer)

    def matrix(name, rows, columns):
        weights = random.normal(0, 0.02, (rows, columns)).astype(numpy.float32)
        kind = gguf.GGMLQuantizationType.Q4_0
        writer.add_tensor(f"{name}.weight", gguf.quants.quantize(weights, kind), raw_dtype=kind)

    def norm(name):
        writer.add_tensor(f"{name}.weight", numpy.ones(WIDTH, numpy.float32))

    matrix("token_embd", vocabulary, WIDTH)
    for layer in (f"blk.{number}." for number in range(LAYERS)):
        norm(layer + "attn_norm")
        matrix(layer + "attn_q", WIDTH, WIDTH)
        matrix(layer + "attn_k", WIDTH * HEADS_KV // HEADS, WIDTH)
        matrix(layer + "attn_v", WIDTH * HEADS_KV // HEADS, WIDTH)
        matrix(layer + "attn_output", WIDTH, WIDTH)
        norm(layer + "ffn_norm")
        matrix(layer + "ffn_gate", FORWARD, WIDTH)
        matrix(layer + "ffn_up", FORWARD, WIDTH)
        matrix(layer + "ffn_down", WIDTH, FORWARD)
    norm("output_norm")
    matrix("output", vocabulary, WIDTH)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


main()
