/*
 * play_calls.c - makes calls recorded as text (calls.h) to libetcapture.
 *
 *     play_calls DIRECTORY FILE.calls...
 *
 * Writes DIRECTORY/FILE.etdp and DIRECTORY/FILE.bin, the used part of the debug buffer.
 */
#include "capture/calls.h"

#include <etcapture.h>

enum { BUFFER = 1 << 16, MEMORY = 1 << 20 };

static uint8_t buffer[BUFFER], memory[MEMORY], file_memory[MEMORY];
static etc_span slots[MOST_SLOTS];
static uint64_t now;

static uint64_t read_clock(void *context) {
    (void)context;
    return now;
}

/* Filter of the calls; no filter if `glob` is NULL. */
typedef struct dropped {
    char glob[256];
    const char *include[1];
    etc_id_range range;
    etc_globs globs;
    bool is_set;
} dropped;

/* ExecuTorch applies its filter only to outputs of delegates. */
static bool keeps(void *context, const etc_filter_event *event) {
    dropped *d = context;
    bool is_output = event->kind == ETC_EVENT_DEBUG && (event->name || event->id != -1);
    return !d->is_set || !is_output || !etc_filter_globs(&d->globs, event);
}

static void set_filter(const call *c, dropped *d) {
    snprintf(d->glob, sizeof d->glob, "%s", text_at(c, 1));
    d->include[0] = d->glob;
    d->range = (etc_id_range){(int32_t)number_at(c, 2), (int32_t)number_at(c, 3)};
    d->globs =
        (etc_globs){.include = d->include, .n_include = 1, .ranges = &d->range, .n_ranges = 1};
    d->is_set = true;
}

static int32_t id_at(const call *c, size_t i) {
    return (int32_t)number_at(c, i);
}

/* ---- values ---------------------------------------------------------------------------------- */

static void log_tensors(etc_capture *capture, const call *c, size_t i, etc_key key, bool is_list,
                        unsigned flags) {
    call_tensor tensors[MOST_TENSORS];
    etc_tensor list[MOST_TENSORS];
    size_t n = tensors_at(c, i, tensors);
    for (size_t k = 0; k < n; k++)
        list[k] = (etc_tensor){tensors[k].type,    (uint32_t)tensors[k].rank, tensors[k].sizes,
                               tensors[k].strides, tensors[k].data,           tensors[k].size};
    etc_status status = is_list ? etc_log_tensors(capture, key, list, n, flags)
                                : etc_log_tensor(capture, key, list, flags);
    if (status)
        fail_call(c, etc_status_text(status));
}

/* Logs the values described by the words from `i` on. */
static void log_value(etc_capture *capture, const call *c, size_t i, etc_key key, bool is_output) {
    const char *what = word_at(c, i);
    if (strcmp(what, "int") == 0)
        etc_log_int(capture, key, number_at(c, i + 1), 0);
    else if (strcmp(what, "double") == 0)
        etc_log_double(capture, key, double_at(c, i + 1), 0);
    else if (strcmp(what, "bool") == 0)
        etc_log_bool(capture, key, number_at(c, i + 1) != 0, 0);
    else if (strcmp(what, "list") == 0)
        log_tensors(capture, c, i + 1, key, true, is_output ? ETC_PROGRAM_OUTPUT : 0);
    else if (strcmp(what, "tensor") == 0)
        log_tensors(capture, c, i, key, false, is_output ? ETC_PROGRAM_OUTPUT : 0);
    else
        fail_call(c, "a value of no type");
}

static void log_delegate_value(etc_capture *capture, const call *c) {
    etc_key key = {text_at(c, 1), id_at(c, 2)};
    if ((key.name != NULL) != (key.id != -1)) /* neither call is for an operator */
        log_value(capture, c, 3, key, false);
}

/* ---- events ---------------------------------------------------------------------------------- */

typedef struct instruction {
    int32_t chain;
    uint32_t handle;
} instruction;

/* Starts by text and by name in turns, which must have the same effect. */
static etc_span start(etc_capture *capture, const char *name) {
    static unsigned n;
    return n++ % 2 ? etc_start_text(capture, name) : etc_start(capture, etc_intern(capture, name));
}

static void start_at(etc_capture *capture, const call *c, instruction kept) {
    int32_t chain = id_at(c, 3);
    if (chain != -1)
        etc_set_instruction(capture, chain, (uint32_t)number_at(c, 4));
    slots[slot_at(c, 1)] = start(capture, text_at(c, 2));
    etc_set_instruction(capture, kept.chain, kept.handle);
}

static void play_delegate(etc_capture *capture, const call *c) {
    size_t size;
    if (is_call(c, "delegate_start")) {
        slots[slot_at(c, 1)] =
            etc_start_delegate(capture, etc_intern(capture, text_at(c, 2)), id_at(c, 3));
    } else if (is_call(c, "delegate_end")) {
        const uint8_t *metadata = bytes_at(c, 2, &size);
        etc_end_delegate(capture, &slots[slot_at(c, 1)], metadata, size);
    } else if (is_call(c, "delegate_log")) {
        const uint8_t *metadata = bytes_at(c, 5, &size);
        etc_log_delegate(capture, etc_intern(capture, text_at(c, 1)), id_at(c, 2),
                         (uint64_t)number_at(c, 3), (uint64_t)number_at(c, 4), metadata, size);
    } else if (is_call(c, "delegate_value")) {
        log_delegate_value(capture, c);
    } else {
        fail_call(c, "no such call");
    }
}

static void play_call(etc_capture *capture, const call *c, dropped *d, instruction *kept) {
    if (is_call(c, "filter")) {
        set_filter(c, d);
    } else if (is_call(c, "tick")) {
        now += (uint64_t)number_at(c, 1);
    } else if (is_call(c, "bundled")) {
        etc_set_bundled_input(capture, id_at(c, 1));
    } else if (is_call(c, "block")) {
        etc_run(capture, text_at(c, 1));
    } else if (is_call(c, "instruction")) {
        *kept = (instruction){id_at(c, 1), (uint32_t)number_at(c, 2)};
        etc_set_instruction(capture, kept->chain, kept->handle);
    } else if (is_call(c, "start")) {
        slots[slot_at(c, 1)] = start(capture, text_at(c, 2));
    } else if (is_call(c, "start_at")) {
        start_at(capture, c, *kept);
    } else if (is_call(c, "end")) {
        etc_end(capture, &slots[slot_at(c, 1)]);
    } else if (is_call(c, "allocator")) {
        etc_allocator(capture, text_at(c, 1));
    } else if (is_call(c, "allocation")) {
        etc_allocation(capture, (uint32_t)number_at(c, 1), (uint64_t)number_at(c, 2));
    } else if (is_call(c, "value")) {
        log_value(capture, c, 2, ETC_OPERATOR, number_at(c, 1) != 0);
    } else {
        play_delegate(capture, c);
    }
}

static void play(const char *directory, const char *path) {
    static call c;
    char name[256];
    dropped d = {.is_set = false};
    instruction kept = {-1, 0};
    etc_config config = ETC_CONFIG_INIT;
    config.clock = read_clock;
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    config.filter = keeps;
    config.filter_context = &d;
    etc_capture *capture = etc_init(memory, sizeof memory, &config);
    memset(slots, 0, sizeof slots);
    now = 0;
    FILE *file = fopen(path, "r");
    if (!file || !capture || etc_set_debug_buffer(capture, buffer, sizeof buffer) != ETC_OK) {
        perror(path);
        exit(1);
    }
    while (read_call(&c, file))
        play_call(capture, &c, &d, &kept);
    fclose(file);
    etc_run_end(capture);
    size_t size;
    if (etc_save_memory(capture, NULL, file_memory, sizeof file_memory, &size) != ETC_OK)
        fail_call(&c, "cannot save");
    name_of_calls(path, name, sizeof name);
    write_bytes(directory, name, "etdp", file_memory, size);
    write_bytes(directory, name, "bin", buffer, (size_t)etc_debug_used(capture));
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    for (int i = 2; i < argc; i++)
        play(argv[1], argv[i]);
    return 0;
}
