/*
 * baseline_text.h - baselines in a short notation, for tests whose subject is not the format:
 *
 *     time_scale,ns
 *     block,Execute,,3,0,1;2                  name, bundled input, runs, runs dropped before these, and the first run of
 *                                             each file after the first
 *     kernel,a,oa,m.x,,,,f.py,1,,50;51;52     without the column op_type; one tick count per run
 *
 * A text that begins with etinspect-baseline is a baseline without its last record.
 */
#ifndef ETI_TESTS_UNIT_BASELINE_TEXT_H
#define ETI_TESTS_UNIT_BASELINE_TEXT_H

#include "base/arena.h"
#include "base/text.h"
#include "profile/profile.h"
#include "read/read.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* The block to which entries belong. */
typedef struct short_block {
    size_t n_files;              /* number of files that ran it, the first of the baseline */
    unsigned long starts[20480]; /* first run of each */
} short_block;

/* Returns the end of the field, at a comma or line feed. */
static inline const char *end_of_field(const char *at) {
    bool is_quoted = false;
    for (; *at && (is_quoted || (*at != ',' && *at != '\n')); at++)
        is_quoted = is_quoted != (*at == '"');
    return at;
}

/* Returns the start of field i of the line. */
static inline const char *field_of(const char *line, size_t i) {
    for (; i > 0; i--) {
        line = end_of_field(line);
        assert_int_equal(*line, ',');
        line++;
    }
    return line;
}

static inline short_block read_short_block(const char *line) {
    short_block block = {.n_files = 1};
    char *at = (char *)end_of_field(field_of(line, 4));
    while ((*at == ',' || *at == ';') && at[1] != '\n') {
        assert_true(block.n_files < COUNT_OF(block.starts));
        block.starts[block.n_files++] = strtoul(at + 1, &at, 10);
    }
    return block;
}

static inline void add_short_block(eti_buffer *out, const char *line, const short_block *block,
                                   size_t n_files) {
    unsigned long n_runs = strtoul(field_of(line, 3), NULL, 10);
    unsigned long n_dropped = strtoul(field_of(line, 4), NULL, 10);
    eti__buffer_add(out, line, (size_t)(field_of(line, 3) - line));
    for (size_t i = 0; i < n_files; i++) {
        eti__buffer_add_string(out, i > 0 ? ";" : "");
        if (i < block->n_files)
            eti__buffer_printf(out, "%lu",
                               (i + 1 < block->n_files ? block->starts[i + 1] : n_runs) -
                                   block->starts[i]);
    }
    for (size_t i = 0; i < n_files; i++) {
        eti__buffer_add_string(out, i > 0 ? ";" : ",");
        if (i < block->n_files)
            eti__buffer_printf(out, "%lu", i > 0 ? 0 : n_dropped);
    }
    eti__buffer_add_char(out, '\n');
}

static inline void add_short_entry(eti_buffer *out, const char *line, const short_block *block,
                                   size_t n_files) {
    const char *rest = field_of(line, 3), *ticks = field_of(line, 10), *end = end_of_field(ticks);
    size_t run = 0, file = 1;
    eti__buffer_add(out, line, (size_t)(rest - line));
    eti__buffer_add_char(out, ',');
    eti__buffer_add(out, rest, (size_t)(ticks - rest));
    for (const char *at = ticks; at < end; at++) {
        bool is_start = *at == ';' && file < block->n_files && ++run == block->starts[file];
        run += *at == ';' && file >= block->n_files;
        file += is_start;
        eti__buffer_add_char(out, is_start ? '|' : *at);
    }
    for (; file < n_files; file++)
        eti__buffer_add_char(out, '|');
    eti__buffer_add_char(out, '\n');
}

static inline bool is_line_of(const char *line, const char *kind) {
    size_t size = strlen(kind);
    return memcmp(line, kind, size) == 0 && line[size] == ',';
}

/* Adds the baseline of a text in the short notation, except its last record. `name` is that of each of its files. */
static inline void add_records(eti_buffer *out, const char *text, const char *name) {
    size_t n_files = 1;
    short_block block = {.n_files = 0};
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        if (is_line_of(line, "block") && read_short_block(line).n_files > n_files)
            n_files = read_short_block(line).n_files;
    }
    eti__buffer_add_string(out, "etinspect-baseline,4,samples\n");
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        if (is_line_of(line, "block")) {
            for (size_t i = 0; i < n_files && block.n_files == 0; i++)
                eti__buffer_printf(out, "file,%s,,\n", name);
            block = read_short_block(line);
            add_short_block(out, line, &block, n_files);
        } else if (block.n_files > 0) {
            add_short_entry(out, line, &block, n_files);
        } else {
            eti__buffer_add(out, line, (size_t)(strchr(line, '\n') + 1 - line));
        }
    }
}

/* Returns the baseline of a text in the short notation, or of one that lacks its last record. It lives until the program
 * ends, because profiles borrow from it. */
static inline eti_text baseline_text(const char *text, const char *name) {
    static eti_arena arena;
    eti_buffer out = {0};
    eti_text copy;
    size_t n = 0;
    if (strstr(text, ETI_BASELINE_MAGIC))
        eti__buffer_add_string(&out, text);
    else
        add_records(&out, text, name);
    for (size_t i = 0; i < out.size; i++)
        n += out.data[i] == '\n';
    eti__buffer_printf(&out, ETI_BASELINE_END ",%zu\n", n);
    assert_true(eti__arena_copy_text(&arena, eti__buffer_text(&out), &copy));
    eti__buffer_free(&out);
    return copy;
}

#endif
