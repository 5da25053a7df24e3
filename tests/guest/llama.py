"""llama.cpp on a model with random weights:  llama.py make [--quick] MODEL
                                              llama.py run [--cpu] MODEL

make writes the model. run evaluates a fixed prompt, on the GPU or on the CPU, and prints as JSON
what the Metal backend logged, into how many parts the graph was split between GPU and CPU, the time,
and the logits of the last token, by which two runs are compared. The weights mean nothing; the
operations are those of a real model.
"""

import ctypes
import json
import re
import sys
import time

PROMPT = 512 # tokens


def make(path, quick):
    import gguf
    import numpy

    width, inner, heads, layers = (256, 768, 4, 2) if quick else (1024, 2816, 8, 4)
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    random = numpy.random.default_rng(7)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(2 * PROMPT)
    writer.add_embedding_length(width)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(heads)
    writer.add_head_count_kv(heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(width // heads)
    writer.add_vocab_size(len(tokens))
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q4_0)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types([2, 3, 3] + [6] * 256) # unknown, control, byte

    def weights(name, rows, columns):
        data = random.standard_normal((rows, columns), dtype=numpy.float32) / columns ** 0.5
        kind = gguf.GGMLQuantizationType.Q4_0
        writer.add_tensor(name, gguf.quants.quantize(data, kind), raw_dtype=kind)

    def norm(name):
        writer.add_tensor(name, numpy.ones(width, dtype=numpy.float32))

    weights("token_embd.weight", len(tokens), width)
    weights("output.weight", len(tokens), width)
    norm("output_norm.weight")
    for layer in range(layers):
        norm(f"blk.{layer}.attn_norm.weight")
        norm(f"blk.{layer}.ffn_norm.weight")
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            weights(f"blk.{layer}.{part}.weight", width, width)
        weights(f"blk.{layer}.ffn_gate.weight", inner, width)
        weights(f"blk.{layer}.ffn_up.weight", inner, width)
        weights(f"blk.{layer}.ffn_down.weight", width, inner)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def run(path, cpu):
    import llama_cpp

    log = []

    @llama_cpp.llama_log_callback
    def keep(level, text, user_data):
        log.append(text.decode("utf-8", "replace"))

    llama_cpp.llama_log_set(keep, ctypes.c_void_p())
    # Without offload_kqv and op_offload, the CPU does all of it.
    model = llama_cpp.Llama(path, n_gpu_layers=0 if cpu else -1, n_ctx=2 * PROMPT, n_batch=PROMPT,
                            n_ubatch=PROMPT, flash_attn=True, offload_kqv=not cpu,
                            op_offload=not cpu, verbose=True)
    llama_cpp.llama_log_set(keep, ctypes.c_void_p()) # the constructor sets one of its own
    prompt = [1] + [3 + index * 37 % 256 for index in range(PROMPT - 1)]
    seconds = []
    for _ in range(4): # the first one compiles shaders
        model.reset()
        start = time.monotonic()
        model.eval(prompt)
        logits = llama_cpp.llama_get_logits(model.ctx)[:model.n_vocab()]
        seconds.append(time.monotonic() - start)
    text = "".join(log)
    splits = re.findall(r"graph splits = (\d+)|splits = (\d+)", text)
    print(json.dumps({
        "client": f"llama-cpp-python {llama_cpp.__version__}",
        "prompt_tokens": PROMPT,
        "prompt_seconds": round(min(seconds[1:]), 4),
        "splits": int(next(filter(None, splits[-1]))) if splits else None,
        "log": [line for line in text.splitlines()
                if line.startswith(("ggml_metal_device_init:", "ggml_metal_init:"))],
        "logits": [round(value, 5) for value in logits],
    }))
    model.close()


def main():
    verb, *rest = sys.argv[1:] or [""]
    options = {word for word in rest if word.startswith("--")}
    paths = [word for word in rest if not word.startswith("--")]
    if verb == "make" and len(paths) == 1 and options <= {"--quick"}:
        make(paths[0], "--quick" in options)
    elif verb == "run" and len(paths) == 1 and options <= {"--cpu"}:
        run(paths[0], "--cpu" in options)
    else:
        sys.exit(__doc__)


main()
