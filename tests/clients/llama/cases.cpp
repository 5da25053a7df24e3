/* llama.cpp's own test cases, driven through its Metal backend. */
#include "cases.h"

#define main test_backend_ops
#include TEST_CASES
#undef main

#include "ggml-metal.h"

#include <fcntl.h>
#include <unistd.h>

static void print_log(ggml_log_level level, const char * text, void * file) {
    if (level != GGML_LOG_LEVEL_DEBUG) {
        fputs(text, (FILE *) file);
    }
}

static void print_errors(ggml_log_level level, const char * text, void *) {
    if (level == GGML_LOG_LEVEL_ERROR) {
        fputs(text, stderr);
    }
}

static ggml_backend_t open_backend() {
    static ggml_backend_ptr backend(ggml_backend_metal_init());
    if (!backend) {
        fprintf(stderr, "llama-metal-client: the Metal backend cannot be opened\n");
    }
    return backend.get();
}

bool llama_log(void) {
    ggml_log_set(print_log, stdout);
    bool ok = open_backend() != nullptr;
    ggml_log_set(print_errors, nullptr);
    fflush(stdout);
    return ok;
}

bool llama_support(void) {
    ggml_log_set(print_errors, nullptr);
    const char * arguments[] = { "test-backend-ops", "support", "--output", "csv" };
    int status = test_backend_ops(4, (char **) arguments);
    fflush(stdout);
    return status == 0;
}

static ggml_backend_buffer_t allocate(ggml_context * ctx, ggml_backend_t backend) {
    ggml_backend_buffer_t buffer = ggml_backend_alloc_ctx_tensors(ctx, backend);
    if (!buffer) {
        fprintf(stderr, "llama-metal-client: the backend has no memory for tensors\n");
        exit(1);
    }
    return buffer;
}

/* Builds a case's graph as test-backend-ops does, but for the data: nothing is computed. */
static bool encode(ggml_backend_t backend, test_case & test, const std::string & mark, int trace) {
    const size_t nodes = 8192;
    ggml_init_params params = {
        ggml_tensor_overhead()*128 + ggml_graph_overhead_custom(nodes, false), nullptr, true,
    };
    const bool use_weights = test.use_weight_context();
    ggml_context_ptr ctx(ggml_init(params));
    ggml_context_ptr ctx_weights(use_weights ? ggml_init(params) : nullptr);

    test.mode = MODE_SUPPORT; // no sentinels
    test.gf   = ggml_new_graph_custom(ctx.get(), nodes, false);
    ggml_tensor * out = test.build_graph(ctx.get(), ctx_weights.get());
    for (ggml_tensor * t = ggml_get_first_tensor(ctx.get()); t; t = ggml_get_next_tensor(ctx.get(), t)) {
        if (!ggml_backend_supports_op(backend, t)) {
            return false;
        }
    }

    ggml_backend_buffer_ptr weights(use_weights ? allocate(ctx_weights.get(), backend) : nullptr);
    if (weights) {
        ggml_backend_buffer_set_usage(weights.get(), GGML_BACKEND_BUFFER_USAGE_WEIGHTS);
    }
    ggml_backend_buffer_ptr buffer(allocate(ctx.get(), backend));
    ggml_build_forward_expand(test.gf, out);
    if (trace >= 0) {
        std::string line = mark + " " + test.op_desc(out) + "(" + test.vars() + ")\n";
        if (write(trace, line.data(), line.size()) != (ssize_t) line.size()) {
            perror("llama-metal-client: the record of dispatches");
            exit(1);
        }
    }
    return ggml_backend_graph_compute(backend, test.gf) == GGML_STATUS_SUCCESS;
}

bool llama_encode(void) {
    ggml_log_set(print_errors, nullptr);
    ggml_backend_t backend = open_backend();
    if (!backend) {
        return false;
    }
    const char * path = getenv("SIMMETAL_TRACE");
    int trace = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
    if (path && trace < 0) {
        perror(path);
        return false;
    }
    auto tests = make_test_cases_eval();
    size_t graphs = 0;
    for (size_t i = 0; i < tests.size(); i++) {
        graphs += encode(backend, *tests[i], "case " + std::to_string(i), trace);
    }
    printf("graphs %zu of %zu\n", graphs, tests.size());
    fflush(stdout);
    close(trace);
    return true;
}

int llama_family(void) {
    ggml_log_set(print_errors, nullptr);
    ggml_backend_t backend = open_backend();
    for (int family = 20; backend && family > 0; family--) {
        if (ggml_backend_metal_supports_family(backend, family)) {
            return family;
        }
    }
    return 0;
}
