/*
 * capture_models.cc - runs an ExecuTorch program with ETDumpGen and then with the tracer of
 * etcapture_executorch.hpp: the same inputs, and a clock that counts its readings.
 *
 *     capture_models PROGRAM.pte OUT ours|both [SIZES...]
 *
 * Writes OUT.MODE.ours.etdp and OUT.MODE.ours.bin, the debug data, in each mode, and
 * OUT.MODE.ours.outputs, the tensors that the runs returned; with `both` the same with `peer` in place of
 * `ours`. Prints a line for each mode: the number of values that the tracer rejected. SIZES, such as 3,4, are the first
 * sizes of the first input, one for each run; without SIZES there are three runs with the sizes of the program.
 */
#include <etcapture_executorch.hpp>

#include <executorch/devtools/etdump/data_sinks/file_data_sink.h>
#include <executorch/devtools/etdump/etdump_flatcc.h>
#include <executorch/extension/module/module.h>
#include <executorch/extension/tensor/tensor_ptr.h>
#include <executorch/extension/threadpool/threadpool_guard.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace executorch::extension;
using namespace executorch::runtime;
using executorch::aten::ScalarType;
using executorch::aten::SizesType;
using executorch::etdump::ETDumpGen;
using executorch::etdump::FileDataSink;

[[noreturn]] static void stop(const std::string &what) {
    fprintf(stderr, "capture_models: %s\n", what.c_str());
    exit(1);
}

static uint64_t n_readings;

static et_timestamp_t read_ticks() {
    return ++n_readings;
}

/* The runtime's messages, of errors only. */
static void print_message(et_timestamp_t, et_pal_log_level_t level, const char *file, const char *,
                          size_t line, const char *message, size_t) {
    if (level == et_pal_log_level_t::kError || level == et_pal_log_level_t::kFatal)
        fprintf(stderr, "%s:%zu: %s\n", file, line, message);
}

static void write_file(const std::string &path, const void *data, size_t size) {
    FILE *file = fopen(path.c_str(), "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        stop("cannot write " + path);
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static std::vector<uint8_t> random_data(ScalarType type, size_t n, std::mt19937 &random) {
    std::vector<uint8_t> bytes(n * elementSize(type));
    std::normal_distribution<float> normal;
    for (size_t i = 0; i < n; i++) {
        float value = normal(random);
        executorch::runtime::etensor::Half half(value);
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        uint16_t top = (uint16_t)(bits >> 16); /* a bfloat16, rounded down */
        int64_t number = (int64_t)(i % 4);
        const void *from = type == ScalarType::Float      ? (const void *)&value
                           : type == ScalarType::Half     ? (const void *)&half
                           : type == ScalarType::BFloat16 ? (const void *)&top
                                                          : (const void *)&number;
        memcpy(&bytes[i * elementSize(type)], from, elementSize(type));
    }
    return bytes;
}

static std::vector<EValue> make_inputs(Module &module, const std::vector<SizesType> &first_sizes,
                                       std::vector<TensorPtr> &tensors) {
    auto meta = module.method_meta("forward");
    if (!meta.ok())
        stop("the program has no method forward");
    std::mt19937 random(1);
    std::vector<EValue> inputs;
    for (size_t i = 0; i < meta->num_inputs(); i++) {
        auto info = meta->input_tensor_meta(i);
        if (!info.ok())
            stop("an input is no tensor");
        std::vector<SizesType> sizes(info->sizes().begin(), info->sizes().end());
        for (size_t k = 0; i == 0 && k < first_sizes.size(); k++)
            sizes[k] = first_sizes[k];
        size_t n = 1;
        for (SizesType size : sizes)
            n *= (size_t)size;
        tensors.push_back(make_tensor_ptr(sizes, random_data(info->scalar_type(), n, random),
                                          info->scalar_type()));
        inputs.emplace_back(*tensors.back());
    }
    return inputs;
}

/* Returns the bytes of all tensors that the runs returned. */
static std::string run(const char *program, std::unique_ptr<EventTracer> tracer,
                       const std::vector<std::vector<SizesType>> &runs) {
    std::string returned;
    n_readings = 0;
    Module module(program, Module::LoadMode::File, std::move(tracer));
    if (module.load_forward() != Error::Ok)
        stop(std::string("cannot load ") + program);
    for (const std::vector<SizesType> &sizes : runs) {
        std::vector<TensorPtr> tensors;
        auto outputs = module.forward(make_inputs(module, sizes, tensors));
        if (!outputs.ok())
            stop(std::string("cannot run ") + program);
        for (const EValue &output : *outputs) {
            if (output.isTensor())
                returned.append(static_cast<const char *>(output.toTensor().const_data_ptr()),
                                output.toTensor().nbytes());
        }
    }
    return returned;
}

/* ---- tracers --------------------------------------------------------------------------------- */

static const struct mode {
    const char *name;
    EventTracerProfilingLevel profiling;
    EventTracerDebugLogLevel debug;
    bool to_file; /* debug data */
} modes[] = {
    {"plain", EventTracerProfilingLevel::kProfileAllEvents, EventTracerDebugLogLevel::kNoLogging,
     false},
    {"method", EventTracerProfilingLevel::kProfileMethodOnly, EventTracerDebugLogLevel::kNoLogging,
     false},
    {"outputs", EventTracerProfilingLevel::kProfileAllEvents,
     EventTracerDebugLogLevel::kProgramOutputs, false},
    {"all", EventTracerProfilingLevel::kProfileAllEvents,
     EventTracerDebugLogLevel::kIntermediateOutputs, false},
    {"file", EventTracerProfilingLevel::kProfileAllEvents,
     EventTracerDebugLogLevel::kIntermediateOutputs, true},
};

enum { BUFFER = 1 << 20 };
alignas(64) static uint8_t buffer[BUFFER];

/* The Module owns the tracer, which is saved when the Module is destroyed. */
template <typename T, typename F>
static void trace(const char *program, const mode &mode,
                  const std::vector<std::vector<SizesType>> &runs, F save) {
    struct saved_at_end : T {
        using T::T;
        F *save;
        ~saved_at_end() override {
            (*save)(*this);
        }
    };
    std::unique_ptr<saved_at_end> tracer = save.template make<saved_at_end>(mode);
    tracer->save = &save;
    save.prepare(*tracer);
    std::string returned = run(program, std::move(tracer), runs);
    write_file(save.path + ".outputs", returned.data(), returned.size());
}

/* Each side is prepared, and saved when the Module destroys its tracer. */
struct peer_files {
    std::string path;
    bool to_file;
    std::unique_ptr<FileDataSink> sink;

    template <typename T> std::unique_ptr<T> make(const mode &mode) {
        auto tracer = std::make_unique<T>();
        tracer->set_event_tracer_profiling_level(mode.profiling);
        tracer->set_event_tracer_debug_level(mode.debug);
        return tracer;
    }
    void prepare(ETDumpGen &tracer) {
        memset(buffer, 0, BUFFER);
        if (to_file) {
            auto made = FileDataSink::create((path + ".bin").c_str());
            if (!made.ok())
                stop("cannot write " + path + ".bin");
            sink = std::make_unique<FileDataSink>(std::move(made.get()));
            tracer.set_data_sink(sink.get());
        } else if (!tracer.set_debug_buffer({buffer, BUFFER}).ok()) {
            stop("no debug buffer");
        }
    }
    void operator()(ETDumpGen &tracer) {
        auto dump = tracer.get_etdump_data();
        write_file(path + ".etdp", dump.buf, dump.size);
        free(dump.buf);
        if (to_file)
            sink->close();
        else
            write_file(path + ".bin", buffer, BUFFER);
    }
};

struct our_files {
    std::string path;
    bool to_file;
    FILE *file;

    /* The levels are those of the configuration. */
    template <typename T> std::unique_ptr<T> make(const mode &mode) {
        etc_config config = ETC_CONFIG_INIT;
        if (mode.profiling == EventTracerProfilingLevel::kProfileMethodOnly)
            config.profiling_level = ETC_PROFILE_METHOD_ONLY;
        config.debug_level = static_cast<etc_debug_level>(mode.debug);
        return std::make_unique<T>(config);
    }
    static int write(void *file, const void *data, size_t size) {
        return fwrite(data, 1, size, static_cast<FILE *>(file)) != size;
    }
    void prepare(etcapture::event_tracer &tracer) {
        memset(buffer, 0, BUFFER);
        etc_status status;
        if (to_file) {
            file = fopen((path + ".bin").c_str(), "wb");
            if (!file)
                stop("cannot write " + path + ".bin");
            status = tracer.get().set_debug_sink({write, file});
        } else {
            status = tracer.get().set_debug_buffer(buffer, BUFFER);
        }
        if (status != ETC_OK)
            stop("no debug data");
    }
    void operator()(etcapture::event_tracer &tracer) {
        printf("%llu\n", static_cast<unsigned long long>(tracer.values_refused()));
        if (tracer.save_file((path + ".etdp").c_str()) != ETC_OK)
            stop("cannot write " + path + ".etdp");
        etc_stats stats = tracer.get().stats();
        if (stats.events_lost_full || stats.events_lost_state || stats.events_lost_wrong ||
            stats.runs_partial || stats.debug_values_without_contents)
            stop("something was lost");
        if (!to_file)
            write_file(path + ".bin", buffer, BUFFER);
        else if (fclose(file) != 0)
            stop("cannot write " + path + ".bin");
    }
};

int main(int argc, char **argv) {
    if (argc < 4)
        stop("expected PROGRAM.pte OUT ours|both [SIZES...]");
    register_pal(PalImpl::create(nullptr, nullptr, read_ticks, nullptr, print_message, nullptr,
                                 nullptr, __FILE__));
    threadpool::NoThreadPoolGuard one_thread;
    std::vector<std::vector<SizesType>> runs;
    for (int i = 4; i < argc; i++) {
        runs.emplace_back();
        for (char *at = argv[i]; *at; at += *at == ',')
            runs.back().push_back((SizesType)strtol(at, &at, 10));
    }
    if (runs.empty())
        runs.resize(3);
    /* the first access reads the clock for messages about processors */
    run(argv[1], nullptr, runs);
    for (const mode &mode : modes) {
        std::string out = std::string(argv[2]) + "." + mode.name + ".";
        if (strcmp(argv[3], "both") == 0)
            trace<ETDumpGen>(argv[1], mode, runs, peer_files{out + "peer", mode.to_file, nullptr});
        trace<etcapture::event_tracer>(argv[1], mode, runs,
                                       our_files{out + "ours", mode.to_file, nullptr});
    }
    return 0;
}
