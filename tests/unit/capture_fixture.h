/*
 * capture_fixture.h - shared by tests of the capture: a counting clock, and files read back by this project's reader and by
 * flatc.
 */
#ifndef ETI_TESTS_UNIT_CAPTURE_FIXTURE_H
#define ETI_TESTS_UNIT_CAPTURE_FIXTURE_H

#include "support.h"

#include "base/files.h"
#include "etcapture.h"
#include "flatbuf/flatbuf.h"
#include "read/read.h"

#include <ctype.h>
#include <unistd.h>

/* ---- captures -------------------------------------------------------------------------------- */

static uint64_t now;

/* 10, 20, … */
static inline uint64_t tick(void *context) {
    (void)context;
    now += 10;
    return now;
}

static inline etc_config make_config(void) {
    etc_config config = ETC_CONFIG_INIT;
    config.clock = tick;
    now = 0;
    return config;
}

static _Alignas(64) uint8_t memory[65536];

static inline etc_capture *start_with(const etc_config *config, size_t size) {
    assert_true(size <= sizeof memory);
    etc_capture *c = etc_init(memory, size, config);
    assert_non_null(c);
    return c;
}

static inline etc_capture *start(void) {
    etc_config config = make_config();
    return start_with(&config, sizeof memory);
}

/* Adds an event of 10 ticks. */
static inline void add_event(etc_capture *c, const char *name) {
    etc_span span = etc_start_text(c, name);
    etc_end(c, &span);
}

static inline void add_run(etc_capture *c, const char *name, unsigned n_events) {
    etc_run(c, name);
    for (unsigned i = 0; i < n_events; i++)
        add_event(c, "event");
    etc_run_end(c);
}

static inline etc_stats stats_of(const etc_capture *c) {
    etc_stats stats = ETC_STATS_INIT;
    etc_get_stats(c, &stats);
    return stats;
}

/* ---- files ----------------------------------------------------------------------------------- */

typedef struct saved {
    uint8_t *data;
    size_t size;
    struct eti_file file;
    eti_etdump dump;
} saved;

/* Saves the capture and opens the result. */
static inline void save_with(saved *s, const etc_capture *c, const etc_save_options *options) {
    uint64_t size;
    eti_error err = ETI_ERROR_INIT;
    memset(s, 0, sizeof *s);
    assert_int_equal(etc_save_size(c, options, &size), ETC_OK);
    s->data = malloc((size_t)size); /* exact size, for sanitizers */
    assert_non_null(s->data);
    assert_int_equal(etc_save_memory(c, options, s->data, (size_t)size, &s->size), ETC_OK);
    assert_int_equal(s->size, size);
    assert_ok(eti__file_open_source(&s->file, &(eti_source){"saved.etdp", s->data, s->size}, &err));
    assert_ok(eti__etdump_open(&s->dump, &s->file, 1, &err));
    assert_true(eti__etdump_is_captured(&s->dump));
}

static inline void save(saved *s, const etc_capture *c) {
    save_with(s, c, NULL);
}

static inline void free_saved(saved *s) {
    eti__file_release(&s->file);
    free(s->data);
}

static inline uint32_t count_events(const saved *s, uint32_t run) {
    return eti__etdump_read_run(&s->dump, run).events.count;
}

static inline eti_position event_at(const saved *s, uint32_t run, uint32_t event) {
    return eti__etdump_event_position(&s->dump, eti__etdump_read_run(&s->dump, run).events, event);
}

/* ---- flatc ----------------------------------------------------------------------------------- */

static inline void squeeze(char *text) {
    char *out = text;
    for (; *text; text++) {
        if (!isspace((unsigned char)*text))
            *out++ = *text;
    }
    *out = '\0';
}

/* Returns the JSON that flatc makes of a file, without white space; NULL: flatc rejects it, or is not installed. */
static inline char *flatc_json(const void *data, size_t size) {
    char folder[] = "/tmp/etcapture-XXXXXX";
    char path[64], command[256];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/saved.etdp", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
    snprintf(
        command, sizeof command,
        "flatc --json --strict-json --natural-utf8 --size-prefixed -o %s schema/etdump.fbs -- %s",
        folder, path);
    int status = system(command); /* NOLINT(cert-env33-c): of ours */
    remove(path);
    snprintf(path, sizeof path, "%s/saved.json", folder);
    char *json = NULL;
    if (status == 0) {
        size_t length;
        json = (char *)read_whole_file(path, &length);
        json[length] = '\0';
        squeeze(json);
        remove(path);
    }
    rmdir(folder);
    return json;
}

/* Checks that flatc reads the runs `expected` in the saved file: JSON without white space. */
static inline void assert_runs(const etc_capture *c, const char *expected) {
    saved s;
    save(&s, c);
    char *json = flatc_json(s.data, s.size);
    assert_non_null(json);
    char *wanted = malloc(strlen(expected) + 32);
    assert_non_null(wanted);
    snprintf(wanted, strlen(expected) + 32, "{\"run_data\":[%s]}", expected);
    assert_string_equal(json, wanted);
    free(wanted);
    free(json);
    free_saved(&s);
}

/* The status says whether memory was too small. */
static inline void assert_nothing_to_save(const etc_capture *c) {
    uint64_t size = 1;
    etc_stats stats = stats_of(c);
    bool is_full = !stats.runs && (stats.events_lost_full || stats.runs_dropped);
    assert_int_equal(etc_save_size(c, NULL, &size), is_full ? ETC_FULL : ETC_STATE);
    assert_int_equal(size, 0);
}

#endif
