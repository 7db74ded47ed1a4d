/*
 * capture_classes.cc - uses every class and function of etcapture.hpp beside the equivalent calls of etcapture.h: both
 * captures must give the same file. With ETC_DISABLED nothing is recorded.
 *
 *     capture_classes [ETDUMP DEBUG_BUFFER]
 *
 * Writes these files if they are named. Prints errors, and fails.
 */
#include <etcapture.hpp>

#include <stdio.h>
#include <string.h>

static int n_wrong;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: %s\n", __LINE__, #condition);                                         \
            n_wrong++;                                                                             \
        }                                                                                          \
    } while (0)

#if defined(ETC_DISABLED)
static const bool is_on = false;
#else
static const bool is_on = true;
#endif

enum { SIZE = 1 << 14 };

struct counter {
    uint64_t ticks;
    uint64_t operator()() {
        return ticks += 10;
    }
};

struct no_y {
    bool operator()(const etc_filter_event &event) const {
        return !event.name || strcmp(event.name, "y") != 0;
    }
};

static const float numbers[] = {1, 2, 3, 4, 5, 6};
static const int64_t shape[] = {2, 3};

/* ---- the same in both ways ------------------------------------------------------------------- */

static void record_in_c(etc_capture *c, void *buffer) {
    etc_set_debug_buffer(c, buffer, SIZE);
    etc_set_bundled_input(c, 3);
    etc_name_lane(c, 2, "queue");
    etc_run(c, "Execute");
    etc_allocation(c, etc_allocator(c, "arena"), 64);
    etc_set_instruction(c, 0, 7);
    etc_span outer = etc_start(c, etc_intern(c, "outer"));
    etc_span inner = etc_start_text(c, "inner");
    etc_span y = etc_start_text(c, "y");
    etc_end(c, &inner);
    etc_end(c, &y);
    etc_span named = etc_start_delegate(c, etc_intern(c, "xnn"), -1);
    etc_end_delegate(c, &named, "meta", 4);
    etc_span numbered = etc_start_delegate(c, 0, 5);
    etc_end_delegate(c, &numbered, NULL, 0);
    etc_log_delegate(c, etc_intern(c, "xnn"), -1, 1, 2, "m", 1);
    etc_log_delegate(c, 0, 6, 3, 4, NULL, 0);
    etc_end(c, &outer);
    etc_unset_instruction(c);
    etc_span of_operator = etc_start_op(c, etc_intern(c, "operator"));
    etc_end(c, &of_operator);
    etc_log(c, etc_intern(c, "logged"), 5, 6);
    etc_counter counters[2] = {{etc_intern(c, "cycles"), 7}, {etc_intern(c, "energy [uJ]"), -3}};
    etc_span counted = etc_start_text(c, "counted");
    etc_end_counted(c, &counted, counters, 2);
    etc_log_counted(c, etc_intern(c, "logged"), 7, 8, counters, 1);
    etc_mark(c, etc_intern(c, "mark"), counters, 2);
    etc_mark(c, etc_intern(c, "mark"), NULL, 0);
    etc_tensor tensors[2] = {{ETC_FLOAT, 2, shape, NULL, numbers, sizeof numbers},
                             {ETC_FLOAT, 2, shape, NULL, numbers, sizeof numbers}};
    etc_log_tensor(c, ETC_OPERATOR, tensors, ETC_PROGRAM_OUTPUT);
    etc_key by_name = {"xnn", -1}, by_id = {NULL, 5};
    etc_log_tensors(c, by_name, tensors, 2, 0);
    etc_log_int(c, by_id, -1, 0);
    etc_log_double(c, ETC_OPERATOR, 0.5, 0);
    etc_log_bool(c, ETC_OPERATOR, true, 0);
    etc_run_end(c);
}

/* Starts an event that is moved twice before it ends. */
static etcapture::span start(etcapture::view c, const char *name) {
    etcapture::span span(c, name);
    return span;
}

static void record_in_classes(etcapture::view c, void *buffer) {
    CHECK(c.set_debug_buffer(buffer, SIZE) == ETC_OK);
    c.set_bundled_input(3);
    c.name_lane(2, "queue");
    etcapture::run run(c, "Execute");
    c.allocation(c.allocator("arena"), 64);
    {
        etcapture::instruction instruction(c, 0, 7);
        etcapture::span outer(c, c.intern("outer"));
        etcapture::span held;
        CHECK(!held);
        held = start(c, "inner");
        held = etcapture::span(c, "y"); /* starts "y", then ends "inner" */
        held.end();
        held.end(); /* ends once */
        auto named = etcapture::delegate_span::of_name(c, c.intern("xnn"));
        auto moved = static_cast<etcapture::delegate_span &&>(named);
        named.end();
        moved.end("meta", 4);
        moved = etcapture::delegate_span::of_id(c, 5);
        moved = etcapture::delegate_span();
        c.log_delegate(c.intern("xnn"), 1, 2, "m", 1);
        c.log_delegate_id(6, 3, 4);
    }
    { auto of_operator = etcapture::span::of_operator(c, c.intern("operator")); }
    c.log(c.intern("logged"), 5, 6);
    etc_counter counters[2] = {{c.intern("cycles"), 7}, {c.intern("energy [uJ]"), -3}};
    etcapture::span counted(c, "counted");
    counted.end(counters, 2);
    c.log_counted(c.intern("logged"), 7, 8, counters, 1);
    c.mark(c.intern("mark"), counters, 2);
    c.mark(c.intern("mark"));
    etc_tensor tensors[] = {etcapture::make_tensor(numbers, shape),
                            etcapture::make_tensor(numbers, shape)};
    CHECK(c.log_tensor(etcapture::operator_key(), tensors[0], ETC_PROGRAM_OUTPUT) == ETC_OK);
    CHECK(c.log_tensors(etcapture::delegate_key("xnn"), tensors, 2) == ETC_OK);
    CHECK(c.log_int(etcapture::delegate_key(5), -1) == ETC_OK);
    CHECK(c.log_double(etcapture::operator_key(), 0.5) == ETC_OK);
    CHECK(c.log_bool(etcapture::operator_key(), true) == ETC_OK);
    etcapture::run taken(static_cast<etcapture::run &&>(run)); /* the new object ends the run */
    run.end();
    CHECK(c.stats().runs == 0);
    taken.end();
    CHECK(c.stats().runs == is_on);
}

static etc_config configure(counter &clock, no_y &filter) {
    etc_config config = ETC_CONFIG_INIT;
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    etcapture::set_clock(config, clock);
    etcapture::set_filter(config, filter);
    return config;
}

static void compare(int argc, char **argv) {
    static unsigned char buffers[2][SIZE], files[2][SIZE];
    counter clocks[2] = {{0}, {0}};
    no_y filter;
    size_t sizes[2] = {0, 0};
    etcapture::capture classes(configure(clocks[0], filter));
    etcapture::capture plain(configure(clocks[1], filter));
    CHECK(classes.status() == ETC_OK && static_cast<bool>(classes) == is_on);
    record_in_classes(classes, buffers[0]);
    record_in_c(plain.get(), buffers[1]);
    CHECK(classes.save_memory(files[0], SIZE, sizes[0]) == ETC_OK);
    CHECK(plain.save_memory(files[1], SIZE, sizes[1]) == ETC_OK);
    CHECK((sizes[0] > 0) == is_on && sizes[0] == sizes[1]);
    CHECK(memcmp(files[0], files[1], sizes[0]) == 0);
    CHECK(classes.debug_used() == plain.debug_used());
    CHECK(memcmp(buffers[0], buffers[1], SIZE) == 0);
    CHECK(classes.stats().events == (is_on ? 18 : 0));
    if (argc == 3)
        CHECK(classes.save_file(argv[1], argv[2]) == ETC_OK);
}

/* ---- the rest -------------------------------------------------------------------------------- */

/* Saved bytes, in memory. */
struct bytes {
    unsigned char data[SIZE];
    size_t size;
    int operator()(const void *from, size_t n) {
        if (n > SIZE - size)
            return 1;
        memcpy(data + size, from, n);
        size += n;
        return 0;
    }
};

static void check_sinks() {
    counter clock = {0};
    etc_config config = ETC_CONFIG_INIT;
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    etcapture::set_clock(config, clock);
    etcapture::static_capture<2048> c(config);
    static bytes file, debug;
    CHECK(c.set_debug_sink(etcapture::make_sink(debug)) == ETC_OK);
    c.begin_run("Execute");
    c.set_instruction(1, 2);
    c.log(c.intern("a"), 1, 2);
    c.log_tensor(etcapture::operator_key(), etcapture::make_tensor(numbers, {6}));
    c.unset_instruction();
    etcapture::span dropped(c, "dropped");
    dropped.drop();
    c.end_run();
    uint64_t size = 0;
    CHECK(c.save(etcapture::make_sink(file)) == ETC_OK && c.save_size(size) == ETC_OK);
    CHECK(file.size == size && (size > 0) == is_on);
    CHECK(debug.size == (is_on ? sizeof numbers : 0) && c.debug_sink_error() == 0);
    CHECK(c.save_debug(etcapture::make_sink(debug)) == (is_on ? ETC_STATE : ETC_OK));
    size_t n_printed = 0;
    auto count = [&n_printed](char) { n_printed++; };
    CHECK(c.print(count) == (is_on ? ETC_STATE : ETC_OK) || n_printed > 0);
    c.reset();
    CHECK(c.stats().events == (is_on ? 2 : 0));
}

/* Records with a lane that owns its memory, and with one in given memory. */
static void check_lanes() {
    static unsigned char memory[2048];
    etcapture::capture c;
    etcapture::view first = c.lane(), second = c.lane(memory, sizeof memory);
    CHECK(static_cast<bool>(first) == is_on && static_cast<bool>(second) == is_on);
    CHECK(!c.lane(memory, 1));
    {
        etcapture::run run(c, "Execute");
        etcapture::span outer(c, "main");
        etcapture::span inner(first, "first"), other(second, "second");
    }
    uint64_t n_runs = 0, n_events = 0;
    CHECK(c.count_saved(n_runs, n_events) == ETC_OK);
    CHECK(n_runs == is_on && n_events == (is_on ? 3 : 0));
}

static void check_ownership() {
    etcapture::capture first;
    etc_capture *c = first.get();
    etcapture::capture second(static_cast<etcapture::capture &&>(first));
    CHECK(!first && second.get() == c);
    first = static_cast<etcapture::capture &&>(second);
    CHECK(first.get() == c && !second);
    c = first.release();
    CHECK(!first);
    second = etcapture::capture::adopt(c);
    CHECK(second.get() == c && second.status() == ETC_OK);
    etc_config wrong = ETC_CONFIG_INIT;
    wrong.tick_numerator = 1;
    etcapture::capture none(wrong);
    CHECK(!none && none.status() == (is_on ? ETC_INVALID : ETC_OK));
    etcapture::static_capture<1024> no_memory(wrong);
    CHECK(!no_memory);
    etcapture::run run(none, "Execute"); /* nothing happens */
    etcapture::span span(none, "a");
    CHECK(none.stats().events == 0 && !span);
}

/* Writes a journal in a new file, and reads it. */
static void check_journal() {
    static const char path[] = "capture_classes.journal";
    static bytes direct, recovered;
    remove(path);
    etcapture::capture journal = etcapture::capture::journal(path, 4096);
    CHECK(journal.status() == ETC_OK && static_cast<bool>(journal) == is_on);
    {
        etcapture::run run(journal, "Execute");
        etcapture::span span(journal, "kept");
    }
    CHECK(journal.sync() == ETC_OK);
    CHECK(journal.save(etcapture::make_sink(direct)) == ETC_OK);
    CHECK(etcapture::capture::journal(path, 4096).status() == (is_on ? ETC_IO : ETC_OK));
    journal = etcapture::capture::adopt(nullptr); /* closes it */
    etcapture::capture opened = etcapture::capture::recovered(path);
    CHECK(opened.status() == ETC_OK && static_cast<bool>(opened) == is_on);
    CHECK(opened.save(etcapture::make_sink(recovered)) == ETC_OK);
    CHECK(direct.size == recovered.size && memcmp(direct.data, recovered.data, direct.size) == 0);
    CHECK(etcapture::capture::recovered("no journal", 10).status() ==
          (is_on ? ETC_INVALID : ETC_OK));
    etcapture::capture both;
    uint64_t n_runs = 0, n_events = 0;
    CHECK(both.append(opened) == ETC_OK && both.append(opened) == ETC_OK);
    CHECK(both.count_saved(n_runs, n_events) == ETC_OK);
    CHECK(n_runs == (is_on ? 2 : 0) && n_events == (is_on ? 2 : 0));
    remove(path);
}

static void check_types() {
    CHECK(etcapture::make_tensor(reinterpret_cast<const int8_t *>(""), {1}).scalar_type ==
          ETC_CHAR);
    const uint16_t shorts[] = {1, 2};
    const int64_t longs[] = {1};
    const bool truths[] = {true};
    const double reals[] = {0};
    const uint32_t ints[] = {1};
    CHECK(etcapture::make_tensor(shorts, {2}).bytes == 4);
    CHECK(etcapture::make_tensor(shorts, {1, 2}).scalar_type == ETC_UINT16);
    CHECK(etcapture::make_tensor(longs, {1}).scalar_type == ETC_LONG);
    CHECK(etcapture::make_tensor(truths, {1}).scalar_type == ETC_BOOL);
    CHECK(etcapture::make_tensor(reals, {1}).scalar_type == ETC_DOUBLE);
    CHECK(etcapture::make_tensor(ints, {1}).scalar_type == ETC_UINT32);
}

int main(int argc, char **argv) {
    compare(argc, argv);
    check_sinks();
    check_ownership();
    check_lanes();
    check_journal();
    check_types();
    return n_wrong != 0;
}
