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

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: make_journal runs|ring|open|empty|idle|values FILE [COMMAND]\n");
        return 2;
    }
    etc_capture *c;
    etc_config config = ETC_CONFIG_INIT;
    config.clock = tick;
    config.when_full = strcmp(argv[1], "ring") == 0 ? ETC_RING : ETC_STOP;
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    if (etc_open_journal(&c, argv[2], 2048, &config) != ETC_OK) {
        perror(argv[2]);
        return 1;
    }
    fill(c, argv[1]);
    int status = argc > 3 ? system(argv[3]) : 0; /* NOLINT(cert-env33-c): a test's own */
    etc_close(c);
    return status != 0;
}
