// Runs a method of an ExecuTorch program, with the flags of upstream's executor_runner, and writes the ETDump and the outputs.
// `etinspect record` compiles this file for the installed package executorch.
#include <executorch/devtools/etdump/etdump_flatcc.h>
#include <executorch/extension/module/module.h>

#include <dlfcn.h>
#include <link.h>
#include <time.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

using executorch::aten::TensorImpl;
using executorch::etdump::ETDumpGen;
using executorch::extension::Module;
using executorch::runtime::Error;
using executorch::runtime::EValue;
using executorch::runtime::Tag;

// The package has no header for the pool of threads.
namespace executorch::extension::threadpool {
class ThreadPool {
  public:
    bool _unsafe_reset_threadpool(uint32_t n_threads);
};
ThreadPool *get_threadpool();
} // namespace executorch::extension::threadpool

// ---- clock ----------------------------------------------------------------------------------------

static bool uses_cpu_time;
static uint64_t n_reads;                       // of the CPU time
static uintptr_t delegate_begin, delegate_end; // addresses of XNNPACK, which reads the clock itself

extern "C" int clock_gettime(clockid_t clock, struct timespec *out) noexcept {
    using function = int (*)(clockid_t, struct timespec *);
    static const function real = reinterpret_cast<function>(dlsym(RTLD_NEXT, "clock_gettime"));
    auto caller = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    if (uses_cpu_time && caller >= delegate_begin && caller < delegate_end) {
        clock = CLOCK_PROCESS_CPUTIME_ID;
        __atomic_fetch_add(&n_reads, 1, __ATOMIC_RELAXED);
    }
    return real(clock, out);
}

// Replaces the weak function of the runtime, whose ticks are nanoseconds, too.
extern "C" uint64_t et_pal_current_ticks(void) {
    struct timespec now;
    if (uses_cpu_time)
        __atomic_fetch_add(&n_reads, 1, __ATOMIC_RELAXED);
    clock_gettime(uses_cpu_time ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

static int find_delegate(struct dl_phdr_info *info, size_t, void *) {
    if (!info->dlpi_name || !strstr(info->dlpi_name, "libexecutorch_backend_xnnpack"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD || !(info->dlpi_phdr[i].p_flags & PF_X))
            continue;
        delegate_begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        delegate_end = delegate_begin + info->dlpi_phdr[i].p_memsz;
    }
    return 1;
}

// ---- failures -------------------------------------------------------------------------------------

[[noreturn]] static void fail(const char *what, const char *name) {
    fprintf(stderr, "%s: %s\n", what, name);
    exit(1);
}

static void check(Error error, const char *what) {
    if (error == Error::Ok)
        return;
    fprintf(stderr, "%s failed with error 0x%x\n", what, static_cast<unsigned>(error));
    exit(1);
}

// ---- files ----------------------------------------------------------------------------------------

static std::vector<char> read_file(const std::string &path) {
    std::vector<char> bytes;
    char piece[1 << 16];
    FILE *file = fopen(path.c_str(), "rb");
    if (!file)
        fail("cannot open", path.c_str());
    for (size_t n; (n = fread(piece, 1, sizeof piece, file)) > 0;)
        bytes.insert(bytes.end(), piece, piece + n);
    if (ferror(file))
        fail("cannot read", path.c_str());
    fclose(file);
    return bytes;
}

static void write_file(const std::string &path, const void *data, size_t size) {
    FILE *file = fopen(path.c_str(), "wb");
    if (!file || (size > 0 && fwrite(data, 1, size, file) != size) || fclose(file) != 0)
        fail("cannot write", path.c_str());
}

// ---- inputs and outputs ---------------------------------------------------------------------------

struct Input {
    std::vector<char> bytes;
    std::vector<executorch::aten::SizesType> sizes;
    std::vector<executorch::aten::DimOrderType> dim_order;
    std::vector<executorch::aten::StridesType> strides;
    std::unique_ptr<TensorImpl> tensor;
    EValue value;
};

static void make_tensor(Input &input, const executorch::runtime::TensorInfo &info) {
    if (input.bytes.size() != info.nbytes())
        fail("an input has another number of bytes than the tensor", "inputs");
    input.sizes.assign(info.sizes().begin(), info.sizes().end());
    input.dim_order.assign(info.dim_order().begin(), info.dim_order().end());
    input.strides.resize(input.sizes.size());
    executorch::aten::StridesType stride = 1;
    for (size_t i = input.sizes.size(); i-- > 0;) {
        input.strides[input.dim_order[i]] = stride;
        stride *= input.sizes[input.dim_order[i]] > 0 ? input.sizes[input.dim_order[i]] : 1;
    }
    input.tensor = std::make_unique<TensorImpl>(
        info.scalar_type(), static_cast<ssize_t>(input.sizes.size()), input.sizes.data(),
        input.bytes.data(), input.dim_order.data(), input.strides.data(),
        executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND);
    input.value = EValue(executorch::aten::Tensor(input.tensor.get()));
}

template <typename T> static T scalar(const Input &input) {
    T value;
    if (input.bytes.size() != sizeof value)
        fail("an input has another number of bytes than the scalar", "inputs");
    memcpy(&value, input.bytes.data(), sizeof value);
    return value;
}

static void make_value(Input &input, const executorch::runtime::MethodMeta &meta, size_t i) {
    auto tag = meta.input_tag(i);
    check(tag.error(), "reading an input's type");
    switch (*tag) {
    case Tag::Tensor: {
        auto info = meta.input_tensor_meta(i);
        check(info.error(), "reading an input's shape");
        return make_tensor(input, *info);
    }
    case Tag::Int:
        input.value = EValue(scalar<int64_t>(input));
        return;
    case Tag::Double:
        input.value = EValue(scalar<double>(input));
        return;
    case Tag::Bool:
        input.value = EValue(scalar<char>(input) != 0);
        return;
    case Tag::None:
        return;
    default:
        fail("an input is neither a tensor nor a number", "inputs");
    }
}

static std::vector<Input> read_inputs(const std::string &list,
                                      const executorch::runtime::MethodMeta &meta) {
    std::vector<Input> inputs(meta.num_inputs());
    size_t at = 0;
    for (size_t i = 0; i < inputs.size(); i++) {
        size_t comma = list.find(',', at);
        std::string path = list.substr(at, comma == std::string::npos ? comma : comma - at);
        if (path.empty())
            fail("too few inputs", list.c_str());
        inputs[i].bytes = read_file(path);
        make_value(inputs[i], meta, i);
        at = comma == std::string::npos ? list.size() : comma + 1;
    }
    return inputs;
}

static void write_output(const std::string &path, const EValue &value) {
    if (value.isTensor()) {
        write_file(path, value.toTensor().const_data_ptr(), value.toTensor().nbytes());
    } else if (value.isInt()) {
        int64_t number = value.toInt();
        write_file(path, &number, sizeof number);
    } else if (value.isDouble()) {
        double number = value.toDouble();
        write_file(path, &number, sizeof number);
    } else if (value.isBool()) {
        char truth = value.toBool() ? 1 : 0;
        write_file(path, &truth, sizeof truth);
    } else {
        write_file(path, "", 0);
    }
}

// ---- all ------------------------------------------------------------------------------------------

// Returns the value of a flag --NAME=VALUE, or `standard`.
static std::string flag(int argc, char **argv, const char *name, const char *standard) {
    for (int i = 1; i < argc; i++) {
        size_t size = strlen(name);
        if (strncmp(argv[i], "--", 2) == 0 && strncmp(argv[i] + 2, name, size) == 0 &&
            argv[i][2 + size] == '=')
            return argv[i] + 2 + size + 1;
    }
    return standard;
}

static unsigned long number(int argc, char **argv, const char *name, const char *standard) {
    return strtoul(flag(argc, argv, name, standard).c_str(), nullptr, 10);
}

int main(int argc, char **argv) {
    const std::string method = flag(argc, argv, "method_name", "forward");
    const std::string data = flag(argc, argv, "data_path", "");
    const std::string model = flag(argc, argv, "model_path", "");
    const std::string outputs = flag(argc, argv, "output_file", "");
    const unsigned long n_runs = number(argc, argv, "num_executions", "1");
    const unsigned long n_threads = number(argc, argv, "cpu_threads", "0");
    std::vector<uint8_t> debug(number(argc, argv, "debug_buffer_size", "0"));
    uses_cpu_time = flag(argc, argv, "clock", "wall") == "cpu";
    dl_iterate_phdr(find_delegate, nullptr);
    if (n_threads > 0)
        executorch::extension::threadpool::get_threadpool()->_unsafe_reset_threadpool(
            static_cast<uint32_t>(n_threads));

    auto owned = std::make_unique<ETDumpGen>();
    ETDumpGen *tracer = owned.get();
    if (!debug.empty()) {
        check(tracer->set_debug_buffer({debug.data(), debug.size()}).error(), "debug buffer");
        tracer->set_event_tracer_debug_level(
            executorch::runtime::EventTracerDebugLogLevel::kIntermediateOutputs);
    }
    const auto mode = Module::LoadMode::File;
    std::unique_ptr<Module> module;
    if (data.empty())
        module = std::make_unique<Module>(model, mode, std::move(owned));
    else
        module = std::make_unique<Module>(model, data, mode, std::move(owned));
    check(module->load(), "loading the program");
    check(module->load_method(method), "loading the method");
    auto meta = module->method_meta(method);
    check(meta.error(), "reading the method");
    std::vector<Input> inputs = read_inputs(flag(argc, argv, "inputs", ""), *meta);
    std::vector<EValue> values;
    for (const Input &input : inputs)
        values.push_back(input.value);

    for (unsigned long i = 0; i < n_runs; i++) {
        auto results = module->execute(method, values);
        check(results.error(), "executing the method");
        for (size_t k = 0; i + 1 == n_runs && !outputs.empty() && k < results->size(); k++)
            write_output(outputs + "-" + std::to_string(k) + ".bin", (*results)[k]);
    }
    auto dump = tracer->get_etdump_data();
    if (!dump.buf || dump.size == 0)
        fail("no ETDump was recorded", "the runtime has no event tracer");
    write_file(flag(argc, argv, "etdump_path", "model.etdump"), dump.buf, dump.size);
    free(dump.buf);
    if (!debug.empty())
        write_file(flag(argc, argv, "debug_path", "debug.bin"), debug.data(),
                   tracer->get_data_sink()->get_used_bytes());
    if (uses_cpu_time)
        printf("etinspect-clock-reads:%llu\n", static_cast<unsigned long long>(n_reads));
    return 0;
}
