/*
 * tracer.cc - measures the cost of an event of ExecuTorch's runtime with the tracer of etcapture_executorch.hpp and with
 * ETDumpGen: virtual calls with names, in one process; medians of nine rounds.
 *
 *     capture_tracer [EVENTS]
 */
#include <etcapture_executorch.hpp>

#include <executorch/devtools/etdump/etdump_flatcc.h>
#include <executorch/runtime/core/event_tracer_hooks.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

using namespace executorch::runtime;
using executorch::etdump::ETDumpGen;

enum { ROUNDS = 9, RUN = 100 };

static const char *const names[] = {"native_call_add.out", "OPERATOR_CALL", "DELEGATE_CALL",
                                    "native_call_convolution.out"};

static et_timestamp_t read_clock() {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static size_t n_events = 100000;
static volatile uint64_t sum;

static double per_event(uint64_t from) {
    return (double)(read_clock() - from) / (double)n_events;
}

static double clocks_alone() {
    uint64_t from = read_clock();
    for (size_t i = 0; i < n_events; i++) {
        sum = pal_current_ticks();
        sum = pal_current_ticks();
    }
    return per_event(from);
}

/* Records two nested events for each instruction, as the runtime does. */
static double operators(EventTracer &tracer) {
    uint64_t from = read_clock();
    for (size_t i = 0; i < n_events; i += 2) {
        if (i % RUN == 0)
            tracer.create_event_block("Execute");
        internal::EventTracerProfileInstructionScope instruction(&tracer, 0,
                                                                 (DebugHandle)(i % RUN / 2));
        internal::EventTracerProfileOpScope call(&tracer, names[1 + i / 2 % 2]);
        internal::EventTracerProfileOpScope kernel(&tracer, names[i / 2 % 2 * 3]);
    }
    return per_event(from);
}

static double delegates(EventTracer &tracer) {
    uint64_t from = read_clock();
    for (size_t i = 0; i < n_events; i++) {
        if (i % RUN == 0)
            tracer.create_event_block("Execute");
        tracer.log_profiling_delegate("Fully Connected (NC, F32) GEMM #1", -1, i, i + 1, nullptr,
                                      0);
    }
    return per_event(from);
}

static std::vector<uint8_t> memory;

/* Uses memory that was touched before, so that the first use of pages is not measured, just as ETDumpGen's malloc does
 * after the first round. */
template <typename F> static double ours(F measure) {
    etc_config config = ETC_CONFIG_INIT;
    config.clock = etcapture::event_tracer::read_ticks;
    etcapture::event_tracer tracer(
        etcapture::view(etc_init(memory.data(), memory.size(), &config)));
    double result = measure(tracer);
    etc_stats stats = tracer.get().stats();
    if (stats.events != n_events || stats.events_lost_full)
        abort();
    return result;
}

template <typename F> static double peer(F measure) {
    ETDumpGen tracer;
    double result = measure(tracer);
    free(tracer.get_etdump_data().buf);
    return result;
}

static double median(std::vector<double> of) {
    std::sort(of.begin(), of.end());
    return of[of.size() / 2];
}

static void report(const char *what, const std::vector<double> &ours,
                   const std::vector<double> &peers) {
    printf("%s: %.1f ns, ETDumpGen %.1f: %.2f of it (goal 0.60)\n", what, median(ours),
           median(peers), median(ours) / median(peers));
}

int main(int argc, char **argv) {
    if (argc > 1)
        n_events = (size_t)atoll(argv[1]) / RUN * RUN;
    memory.assign(n_events * 64 + (4 << 20), 1);
    register_pal(PalImpl::create(nullptr, nullptr, read_clock, nullptr, nullptr, nullptr, nullptr,
                                 __FILE__));
    et_pal_init();
    std::vector<double> clocks, our_operators, peer_operators, our_delegates, peer_delegates;
    for (int round = 0; round < ROUNDS; round++) {
        clocks.push_back(clocks_alone());
        our_operators.push_back(ours(operators));
        peer_operators.push_back(peer(operators));
        our_delegates.push_back(ours(delegates));
        peer_delegates.push_back(peer(delegates));
    }
    printf("tracers of ExecuTorch, %zu events, median of %d: two readings of its clock %.1f ns\n",
           n_events, ROUNDS, median(clocks));
    report("an event of an operator", our_operators, peer_operators);
    report("an event that a delegate logs", our_delegates, peer_delegates);
    return 0;
}
