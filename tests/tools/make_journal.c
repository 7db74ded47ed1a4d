/*
 * make_journal.c - make_journal KIND FILE [COMMAND]: makes a journal as a killed program leaves it. With a command, runs it
 * while the journal is open. Prints nothing.
 */
#include "etcapture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t now;

static uint64_t tick(void *context) {
    (void)context;
    return now += 1000;
}

static void add_event(etc_capture *c, const char *name) {
    etc_span span = etc_start_text(c, name);
    etc_end(c, &span);
}

static void add_run(etc_capture *c) {
    etc_run(c, "Execute");
    etc_span method = etc_start_text(c, "Method::execute");
    etc_set_instruction(c, 0, 1);
    add_event(c, "native_call_add.out");
    etc_set_instruction(c, 0, 2);
    add_event(c, "native_call_mul.out");
    etc_unset_instruction(c);
    etc_end(c, &method);
}

static void add_values(etc_capture *c) {
    static const int64_t sizes[] = {2, 3};
    static const float data[6] = {1, 2, 3, 4, 5, 6};
    const etc_tensor tensors[] = {{ETC_FLOAT, 2, sizes, NULL, data, sizeof data},
                                  {ETC_BYTE, 0, NULL, NULL, data, 1}};
    etc_run(c, "values");
    etc_log_delegate(c, 0, 5, 3, 4, "metadata", 8);
    etc_log_delegate(c, etc_intern(c, "conv"), -1, 3, 4, NULL, 0);
    etc_allocation(c, etc_allocator(c, "arena"), 4096);
    (void)etc_log_int(c, ETC_OPERATOR, -1, 0);
    (void)etc_log_double(c, (etc_key){"key", -1}, 0.5, 0);
    (void)etc_log_bool(c, (etc_key){NULL, 9}, true, 0);
    (void)etc_log_tensor(c, ETC_OPERATOR, &tensors[0], ETC_PROGRAM_OUTPUT);
    (void)etc_log_tensors(c, ETC_OPERATOR, tensors, 2, 0);
    etc_run_end(c);
}

static void fill(etc_capture *c, const char *kind) {
    if (strcmp(kind, "empty") == 0)
        return;
    if (strcmp(kind, "idle") == 0) { /* runs without events */
        etc_run(c, "Execute");
        etc_run(c, "Execute");
        return;
    }
    if (strcmp(kind, "open") != 0) {
        etc_run(c, "Default");
        add_event(c, "Method::init");
        for (int i = strcmp(kind, "ring") == 0 ? 12 : 2; i > 0; i--)
            add_run(c);
    }
    if (strcmp(kind, "values") == 0)
        add_values(c);
    add_run(c); /* stays open */
}

/* ---- streams --------------------------------------------------------------------------------- */

/* Writes to a file, or nothing while `is_full` is set. */
typedef struct stream_file {
    FILE *file;
    int is_full;
} stream_file;

static int write_stream(void *context, const void *data, size_t size) {
    stream_file *out = context;
    return out->is_full ? 0 : (int)fwrite(data, 1, size, out->file);
}

/* Sends runs from a ring of 2 KiB, which drops some of them while nothing is taken. */
static int send_runs(const char *path, const etc_config *config) {
    static _Alignas(8) unsigned char memory[2048], of_stream[4096];
    stream_file out = {fopen(path, "wb"), 0};
    etc_capture *c = etc_init(memory, sizeof memory, config);
    etc_stream *s =
        etc_stream_init(of_stream, sizeof of_stream, c, (etc_stream_sink){write_stream, &out});
    if (!out.file || !s)
        return 1;
    for (int i = 0; i < 40; i++) {
        out.is_full = i > 10 && i < 30;
        add_run(c);
        etc_run_end(c);
        (void)etc_stream_send(s);
    }
    return fclose(out.file) != 0;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr,
                "usage: make_journal runs|ring|open|empty|idle|values|stream FILE [COMMAND]\n");
        return 2;
    }
    etc_capture *c;
    etc_config config = ETC_CONFIG_INIT;
    config.clock = tick;
    config.when_full =
        strcmp(argv[1], "ring") == 0 || strcmp(argv[1], "stream") == 0 ? ETC_RING : ETC_STOP;
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    if (strcmp(argv[1], "stream") == 0)
        return send_runs(argv[2], &config);
    if (etc_open_journal(&c, argv[2], 2048, &config) != ETC_OK) {
        perror(argv[2]);
        return 1;
    }
    fill(c, argv[1]);
    int status = argc > 3 ? system(argv[3]) : 0; /* NOLINT(cert-env33-c): a test's own */
    etc_close(c);
    return status != 0;
}
