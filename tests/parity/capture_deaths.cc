/*
 * capture_deaths.cc - makes calls on which ETDumpGen ends the program, to ETDumpGen and to the tracer of
 * etcapture_executorch.hpp.
 *
 *     capture_deaths
 *
 * Each call is made in a separate process. The process of ETDumpGen must die, since otherwise the call is no longer a
 * difference; the tracer must return the expected error, and save a file. Ends in "deaths: N passed, N failed, 0 skipped".
 */
#include <etcapture_executorch.hpp>

#include <executorch/devtools/etdump/etdump_flatcc.h>
#include <executorch/runtime/core/evalue.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

using namespace executorch::runtime;
using executorch::aten::ScalarType;
using executorch::aten::Tensor;
using executorch::aten::TensorImpl;
using executorch::etdump::ETDumpGen;

static const auto output = LoggedEValueType::kProgramOutput;

struct one_tensor {
    TensorImpl::SizesType sizes[1] = {4};
    TensorImpl::DimOrderType order[1] = {0};
    TensorImpl::StridesType strides[1] = {1};
    uint64_t data[4] = {1, 2, 3, 4};
    TensorImpl impl;

    explicit one_tensor(ScalarType type) : impl(type, 1, sizes, data, order, strides) {
    }
};

/* ---- the calls ------------------------------------------------------------------------------- */

/* Each function takes a tracer whose block is open, and returns the error of the last call; Ok if it has none. */

static Error end_of_another_kind(EventTracer &tracer) {
    EventTracerEntry entry = tracer.start_profiling_delegate(nullptr, 1);
    tracer.end_profiling(entry);
    return Error::Ok;
}

static Error delegate_with_name_and_id(EventTracer &tracer) {
    EventTracerEntry entry = tracer.start_profiling_delegate("both", 1);
    tracer.end_profiling_delegate(entry, nullptr, 0);
    return Error::Ok;
}

static Error delegate_with_neither(EventTracer &tracer) {
    EventTracerEntry entry = tracer.start_profiling_delegate(nullptr, -1);
    tracer.end_profiling_delegate(entry, nullptr, 0);
    return Error::Ok;
}

static Error delegate_log_with_name_and_id(EventTracer &tracer) {
    tracer.log_profiling_delegate("both", 1, 1, 2, nullptr, 0);
    return Error::Ok;
}

static Error allocator_after_events(EventTracer &tracer) {
    tracer.end_profiling(tracer.start_profiling("first"));
    return tracer.track_allocator("late") == 1 ? Error::Ok : Error::Internal;
}

static Error block_without_name(EventTracer &tracer) {
    tracer.create_event_block(nullptr);
    return Error::Ok;
}

static Error value_of_nothing(EventTracer &tracer) {
    return tracer.log_evalue(EValue(), output).error();
}

static Error value_of_text(EventTracer &tracer) {
    const char text[] = "text";
    ArrayRef<char> view(text, sizeof text - 1);
    return tracer.log_evalue(EValue(&view), output).error();
}

static Error value_of_numbers(EventTracer &tracer) {
    bool truths[] = {true, false};
    ArrayRef<bool> list(truths, 2);
    return tracer.log_evalue(EValue(&list), output).error();
}

static Error tensor_without_place(EventTracer &tracer) {
    one_tensor tensor(ScalarType::Float);
    return tracer.log_evalue(EValue(Tensor(&tensor.impl)), output).error();
}

static Error delegate_tensor_without_place(EventTracer &tracer) {
    one_tensor tensor(ScalarType::Float);
    return tracer.log_intermediate_output_delegate("a", -1, Tensor(&tensor.impl)).error();
}

/* Without a block. */

static Error event_without_block(EventTracer &tracer) {
    tracer.end_profiling(tracer.start_profiling("early"));
    return Error::Ok;
}

static Error delegate_log_without_block(EventTracer &tracer) {
    tracer.log_profiling_delegate(nullptr, 1, 1, 2, nullptr, 0);
    return Error::Ok;
}

static Error allocation_without_block(EventTracer &tracer) {
    tracer.track_allocation(1, 16);
    return Error::Ok;
}

static Error allocator_without_block(EventTracer &tracer) {
    return tracer.track_allocator("early") == 0 ? Error::Ok : Error::Internal;
}

static Error value_without_block(EventTracer &tracer) {
    return tracer.log_evalue(EValue(true), output).error();
}

static const struct death {
    const char *name;
    Error (*call)(EventTracer &tracer);
    Error expected;
    bool has_block;
    uint32_t n_events; /* events of the block afterwards, including the added one */
} deaths[] = {
    {"an event ends that is one of a delegate", end_of_another_kind, Error::Ok, true, 1},
    {"a delegate's event with name and id", delegate_with_name_and_id, Error::Ok, true, 1},
    {"a delegate's event with neither", delegate_with_neither, Error::Ok, true, 1},
    {"a delegate logs an event with name and id", delegate_log_with_name_and_id, Error::Ok, true,
     1},
    {"an allocator after events", allocator_after_events, Error::Ok, true, 2},
    {"a block without a name", block_without_name, Error::Ok, true, 1},
    {"a value that is none", value_of_nothing, Error::NotSupported, true, 1},
    {"a text", value_of_text, Error::NotSupported, true, 1},
    {"a list of truth values", value_of_numbers, Error::NotSupported, true, 1},
    {"a tensor without a debug buffer", tensor_without_place, Error::Ok, true, 2},
    {"a delegate's tensor without a debug buffer", delegate_tensor_without_place, Error::Ok, true,
     2},
    {"an event before a block", event_without_block, Error::Ok, false, 1},
    {"an event of a delegate before a block", delegate_log_without_block, Error::Ok, false, 1},
    {"an allocation before a block", allocation_without_block, Error::Ok, false, 1},
    {"an allocator before a block", allocator_without_block, Error::Ok, false, 1},
    {"a value before a block", value_without_block, Error::InvalidState, false, 1},
};

/* ---- processes ------------------------------------------------------------------------------- */

/* Calls `function` in a process, and returns how the process ended. */
template <typename F> static int status_of(F function) {
    fflush(stdout);
    pid_t process = fork();
    if (process == 0) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(3);
        _exit(function());
    }
    int status = -1;
    waitpid(process, &status, 0);
    return status;
}

static int run_peer(const death &death) {
    ETDumpGen tracer;
    if (death.has_block)
        tracer.create_event_block("Execute");
    (void)death.call(tracer);
    return 0;
}

/* 0: as expected. */
static int run_ours(const death &death) {
    etcapture::event_tracer tracer;
    if (death.has_block)
        tracer.create_event_block("Execute");
    if (death.call(tracer) != death.expected)
        return 1;
    if (!death.has_block)
        tracer.create_event_block("Execute");
    tracer.end_profiling(tracer.start_profiling("added"));
    uint64_t size = 0, n_runs = 0, n_events = 0;
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    options.partial_runs = true; /* a run that lost an event of a wrong call is partial */
    auto count = [&size](const void *, size_t n) {
        size += n;
        return 0;
    };
    for (int i = 0; i < 2; i++) { /* called twice, which may corrupt ETDumpGen's heap */
        if (tracer.save(etcapture::make_sink(count), &options) != ETC_OK || size == 0)
            return 2;
    }
    if (tracer.get().count_saved(n_runs, n_events, &options) != ETC_OK ||
        n_events != death.n_events)
        return 4;
    return 0;
}

int main() {
    int n_passed = 0, n_failed = 0;
    et_pal_init();
    for (const death &death : deaths) {
        int peer = status_of([&death] { return run_peer(death); });
        int ours = status_of([&death] { return run_ours(death); });
        if (WIFSIGNALED(peer) && WIFEXITED(ours) && WEXITSTATUS(ours) == 0) {
            n_passed++;
        } else {
            n_failed++;
            printf("FAILED %s: ETDumpGen %s, the tracer ended with %d\n", death.name,
                   WIFSIGNALED(peer) ? "died" : "lived", ours);
        }
    }
    printf("deaths: %d passed, %d failed, 0 skipped\n", n_passed, n_failed);
    return n_failed > 0;
}
