/*
 * overhead.cc - measures the cost of an event: by id and by text with libetcapture, by id with the cycle counter of x86,
 * with ETDumpGen, and two readings of the clock alone, in one process; medians of nine rounds. Then counts the events that
 * fit into memories of several sizes.
 *
 *     capture_overhead [EVENTS]
 */
#include <executorch/devtools/etdump/etdump_flatcc.h>
#include <executorch/runtime/platform/platform.h>

#include <etcapture.h>
#include <etcapture_clock.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

using namespace executorch::runtime;
using executorch::etdump::ETDumpGen;

enum { ROUNDS = 9, RUN = 100 };

static const char *const names[] = {"native_call_add", "native_call_mul", "OPERATOR_CALL",
                                    "DELEGATE_CALL",   "Method::execute", "MOVE_CALL",
                                    "FREE_CALL",       "JF_CALL"};

static uint64_t read_clock(void *) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t read_pal() {
    return read_clock(nullptr);
}

static volatile uint64_t sum;
static size_t n_events = 100000;
static std::vector<uint8_t> memory;
static double save_ns, get_ns;
static size_t our_size, peer_size;

static etc_capture *start(etc_clock_function clock = read_clock) {
    etc_config config = ETC_CONFIG_INIT;
    config.clock = clock;
    return etc_init(memory.data(), memory.size(), &config);
}

static double per_event(uint64_t from) {
    return (double)(read_clock(nullptr) - from) / (double)n_events;
}

static double clocks_alone() {
    uint64_t from = read_clock(nullptr);
    for (size_t i = 0; i < n_events; i++)
        sum = read_clock(nullptr) + read_clock(nullptr);
    return per_event(from);
}

static int drop(void *, const void *data, size_t size) {
    sum = size + *(const uint8_t *)data;
    return 0;
}

static double record_by_id(etc_capture *c) {
    etc_name ids[8];
    for (int i = 0; i < 8; i++)
        ids[i] = etc_intern(c, names[i]);
    uint64_t from = read_clock(nullptr);
    for (size_t i = 0; i < n_events; i++) {
        if (i % RUN == 0)
            etc_run(c, "Execute");
        etc_span span = etc_start(c, ids[i % 8]);
        etc_end(c, &span);
    }
    double result = per_event(from);
    etc_run_end(c);
    return result;
}

#if defined(__x86_64__) || defined(__i386__)
static double by_cycles() {
    return record_by_id(start(etc_clock_tsc));
}
#else
static double by_cycles() {
    return 0;
}
#endif

static double by_id() {
    etc_capture *c = start();
    double result = record_by_id(c);
    uint64_t from;
    uint64_t size;
    etc_save_size(c, nullptr, &size);
    our_size = size;
    from = read_clock(nullptr);
    etc_save(c, nullptr, {drop, nullptr});
    save_ns = per_event(from);
    return result;
}

static double by_text() {
    etc_capture *c = start();
    uint64_t from = read_clock(nullptr);
    for (size_t i = 0; i < n_events; i++) {
        if (i % RUN == 0)
            etc_run(c, "Execute");
        etc_span span = etc_start_text(c, names[i % 8]);
        etc_end(c, &span);
    }
    return per_event(from);
}

static double by_peer() {
    ETDumpGen generator;
    uint64_t from = read_clock(nullptr);
    for (size_t i = 0; i < n_events; i++) {
        if (i % RUN == 0)
            generator.create_event_block("Execute");
        EventTracerEntry entry = generator.start_profiling(names[i % 8]);
        generator.end_profiling(entry);
    }
    double result = per_event(from);
    from = read_clock(nullptr);
    auto data = generator.get_etdump_data();
    get_ns = per_event(from);
    peer_size = data.size;
    free(data.buf);
    return result;
}

static double median(std::vector<double> &of) {
    std::sort(of.begin(), of.end());
    return of[of.size() / 2];
}

/* Events with one name, each in memory of `size` bytes, state included. */
static uint64_t events_in(size_t size) {
    std::vector<uint8_t> block(size);
    etc_config config = ETC_CONFIG_INIT;
    config.clock = read_clock;
    etc_capture *c = etc_init(block.data(), block.size(), &config);
    etc_name name = etc_intern(c, names[0]);
    etc_run(c, "Execute");
    etc_stats stats = ETC_STATS_INIT;
    do {
        etc_log(c, name, 1, 2);
        etc_get_stats(c, &stats);
    } while (stats.events_lost_full == 0);
    return stats.events;
}

int main(int argc, char **argv) {
    if (argc > 1)
        n_events = (size_t)atoll(argv[1]);
    memory.assign(n_events * 32 + n_events / RUN * 64 + (2 << 20), 0);
    register_pal(
        PalImpl::create(nullptr, nullptr, read_pal, nullptr, nullptr, nullptr, nullptr, __FILE__));
    et_pal_init();
    std::vector<double> clocks, ids, cycles, texts, peers, saves, gets;
    for (int round = 0; round < ROUNDS; round++) {
        clocks.push_back(clocks_alone());
        ids.push_back(by_id());
        saves.push_back(save_ns);
        cycles.push_back(by_cycles());
        texts.push_back(by_text());
        peers.push_back(by_peer());
        gets.push_back(get_ns);
    }
    double clock = median(clocks), id = median(ids), text = median(texts), peer = median(peers);
    double save = median(saves), get = median(gets), tsc = median(cycles);
    printf("%zu events, median of %d: two clock_gettime %.1f ns, by id %.1f, by text %.1f, "
           "ETDumpGen %.1f\n",
           n_events, ROUNDS, clock, id, text, peer);
    printf("by id: %.2f of the clock (goal 1.25), %.2f of ETDumpGen (goal 0.40)\n", id / clock,
           id / peer);
    printf("by text: %.2f of the clock, %.2f of ETDumpGen (goal 0.60)\n", text / clock,
           text / peer);
    if (tsc > 0)
        printf("by id with the cycle counter: %.1f ns, %.2f of the clock (goal 0.50)\n", tsc,
               tsc / clock);
    printf("saving: %.1f ns an event, ETDumpGen's get %.1f: %.2f of it (goal 1.50)\n", save, get,
           save / get);
    printf("file: %.1f bytes an event (goal 44.5 with runs of %d), ETDumpGen %.1f\n",
           (double)our_size / (double)n_events, RUN, (double)peer_size / (double)n_events);
    printf("events in 1 KiB: %llu, 16 KiB: %llu (goal 480), 256 KiB: %llu (goal 8000), 4 MiB: %llu "
           "(goal 125000)\n",
           (unsigned long long)events_in(1 << 10), (unsigned long long)events_in(16 << 10),
           (unsigned long long)events_in(256 << 10), (unsigned long long)events_in(4 << 20));
    return 0;
}
