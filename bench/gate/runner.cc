/*
 * runner.cc - runs an ExecuTorch program several times in one process and writes one ETDump.
 *
 *     gate_runner PROGRAM.pte ETDUMP [RUNS] [OPERATOR PERCENT]
 *
 * Uses the libraries of the wheel, without Python, so that a process starts in milliseconds. Inputs are random numbers,
 * the same in each process. It has one thread. With OPERATOR (one of slow_operators) each call of that kernel takes
 * PERCENT longer: a kernel of this program does the same work and then waits for that share of its time.
 */
#include <executorch/devtools/etdump/etdump_flatcc.h>
#include <executorch/extension/module/module.h>
#include <executorch/extension/tensor/tensor_ptr_maker.h>
#include <executorch/extension/threadpool/threadpool_guard.h>
#include <executorch/runtime/core/event_tracer_hooks.h>
#include <executorch/runtime/kernel/kernel_includes.h>
#include <executorch/runtime/kernel/operator_registry.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace executorch::extension;
using namespace executorch::runtime;
using executorch::etdump::ETDumpGen;

[[noreturn]] static void stop(const std::string &what, Error error = Error::Ok) {
    fprintf(stderr, "gate_runner: %s (error %d)\n", what.c_str(), static_cast<int>(error));
    exit(1);
}

/* ---- a slower kernel ------------------------------------------------------------------------- */

namespace torch::executor::native {
Tensor &softmax_out(KernelRuntimeContext &context, const Tensor &in, int64_t dim,
                    bool half_to_float, Tensor &out);
Tensor &addmm_out(KernelRuntimeContext &context, const Tensor &in, const Tensor &mat1,
                  const Tensor &mat2, const Scalar &beta, const Scalar &alpha, Tensor &out);
Tensor &cumsum_out(KernelRuntimeContext &context, const Tensor &in, int64_t dim,
                   std::optional<::executorch::aten::ScalarType> type, Tensor &out);
} // namespace torch::executor::native

static void run_softmax(KernelRuntimeContext &context, Span<EValue *> in) {
    torch::executor::native::softmax_out(context, in[0]->toTensor(), in[1]->toInt(),
                                         in[2]->toBool(), in[3]->toTensor());
}

static void run_addmm(KernelRuntimeContext &context, Span<EValue *> in) {
    torch::executor::native::addmm_out(context, in[0]->toTensor(), in[1]->toTensor(),
                                       in[2]->toTensor(), in[3]->toScalar(), in[4]->toScalar(),
                                       in[5]->toTensor());
}

static void run_cumsum(KernelRuntimeContext &context, Span<EValue *> in) {
    torch::executor::native::cumsum_out(context, in[0]->toTensor(), in[1]->toInt(),
                                        in[2]->toOptional<executorch::aten::ScalarType>(),
                                        in[3]->toTensor());
}

/* Operators of the wheel that can be made slower: their events begin and end inside the kernel. */
static const struct slow_operator {
    const char *name, *event;
    OpFunction run;
} slow_operators[] = {
    {"aten::_softmax.out", "native_call__softmax.out", run_softmax},
    {"aten::addmm.out", "native_call_addmm.out", run_addmm},
    {"aten::cumsum.out", "native_call_cumsum.out", run_cumsum},
};

/* Global, since a pointer to a function has no room for them. */
static const slow_operator *slow;
static double extra;

static void slower_kernel(KernelRuntimeContext &context, Span<EValue *> arguments) {
    internal::EventTracerProfileOpScope event(context.internal_event_tracer(), slow->event);
    auto start = std::chrono::steady_clock::now();
    slow->run(context, arguments);
    auto end = std::chrono::steady_clock::now();
    auto until = end + (end - start) * extra;
    while (std::chrono::steady_clock::now() < until)
        continue;
}

/* Returns the kernels of the runtime, with that of `name` replaced by the slower one. */
static std::vector<Kernel> slow_down(const char *name, double percent) {
    std::vector<Kernel> kernels;
    for (const slow_operator &one : slow_operators) {
        if (strcmp(one.name, name) == 0)
            slow = &one;
    }
    if (!slow)
        stop(std::string("no slower kernel is there for ") + name);
    extra = percent / 100;
    for (const Kernel &kernel : get_registered_kernels()) {
        kernels.push_back(kernel);
        if (strcmp(kernel.name_, name) == 0)
            kernels.back().op_ = slower_kernel;
    }
    return kernels;
}

/* ---- running --------------------------------------------------------------------------------- */

static std::vector<EValue> make_inputs(Module &module, std::vector<TensorPtr> &tensors) {
    auto meta = module.method_meta("forward");
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    std::vector<EValue> inputs;
    if (!meta.ok())
        stop("the program has no method forward", meta.error());
    for (size_t i = 0; i < meta->num_inputs(); i++) {
        auto info = meta->input_tensor_meta(i);
        if (!info.ok() || info->scalar_type() != executorch::aten::ScalarType::Float)
            stop("an input is no tensor of floats", info.error());
        std::vector<float> values(info->nbytes() / sizeof(float));
        for (float &value : values)
            value = normal(random);
        std::vector<executorch::aten::SizesType> sizes(info->sizes().begin(), info->sizes().end());
        tensors.push_back(make_tensor_ptr(std::move(sizes), std::move(values)));
        inputs.emplace_back(*tensors.back());
    }
    return inputs;
}

static void write_dump(ETDumpGen &tracer, const char *path) {
    auto dump = tracer.get_etdump_data();
    FILE *file = fopen(path, "wb");
    if (!dump.buf || !file || fwrite(dump.buf, 1, dump.size, file) != dump.size ||
        fclose(file) != 0)
        stop(std::string("cannot write ") + path);
    free(dump.buf);
}

int main(int argc, char **argv) {
    if (argc < 3 || argc == 5 || argc > 6)
        stop("expected PROGRAM.pte ETDUMP [RUNS] [OPERATOR PERCENT]");
    int n_runs = argc > 3 ? atoi(argv[3]) : 60;
    threadpool::NoThreadPoolGuard one_thread;
    auto owned = std::make_unique<ETDumpGen>();
    ETDumpGen &tracer = *owned;
    Module module(argv[1], Module::LoadMode::File, std::move(owned));
    std::vector<Kernel> kernels;
    if (argc == 6)
        kernels = slow_down(argv[4], atof(argv[5]));
    Error error = module.load_forward(nullptr, nullptr, nullptr, kernels);
    if (error != Error::Ok)
        stop(std::string("cannot load ") + argv[1], error);
    std::vector<TensorPtr> tensors;
    std::vector<EValue> inputs = make_inputs(module, tensors);
    for (int i = 0; i < n_runs; i++) {
        auto result = module.forward(inputs);
        if (!result.ok())
            stop(std::string("cannot run ") + argv[1], result.error());
    }
    write_dump(tracer, argv[2]);
    return 0;
}
