/*
 * shapes.h - inputs made to be more expensive than they look, and valid ones to compare them with.
 *
 * A shape fills a `files` with about `size` bytes in all: an ETDump, and perhaps an ETRecord and a
 * debug buffer beside it, or a program. Shapes specify nothing about etinspect's result except the correct exit statuses.
 */
#ifndef ETI_TESTS_SHAPES_H
#define ETI_TESTS_SHAPES_H

#include "etdump_builder.h"

#include "base/text.h"

#include <stdio.h>

#define MOST_MEMBERS 8

typedef struct record_member {
    const char *name;
    eti_buffer content;
    bool is_deflated;
} record_member;

typedef struct files {
    builder dump;
    record_member members[MOST_MEMBERS]; /* members of the ETRecord; none: there is no ETRecord */
    size_t n_members;
    eti_buffer debug;     /* the debug buffer; empty: there is none */
    builder program;      /* the program; empty: there is none; otherwise there is no dump */
    eti_buffer reference; /* reference to compare with; empty: there is none */
} files;

typedef struct shape {
    const char *name;
    void (*make)(files *out, size_t size);
    const char *valid; /* the shape to compare with */
    const char *exits; /* correct exit statuses, such as "0" or "0 3" */
} shape;

extern const shape dump_shapes[];
extern const shape record_shapes[];
extern const shape pair_shapes[];
extern const shape program_shapes[];
extern const shape tensor_shapes[];

/* ---- parts of shapes ------------------------------------------------------------------------- */

/* Places of tables that a vector will hold. */
typedef struct places {
    place *at;
    size_t n, capacity;
} places;

static inline void add_place(places *list, place at) {
    if (list->n == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 64;
        list->at = realloc(list->at, list->capacity * sizeof *list->at);
        if (!list->at)
            abort();
    }
    list->at[list->n++] = at;
}

/* Writes the vector of the places, and empties the list. */
static inline place put_places(builder *b, places *list) {
    place vector = put_tables(b, list->at, list->n);
    free(list->at);
    *list = (places){0};
    return vector;
}

/* Writes a profile event whose texts are written already; 0: absent. */
typedef struct timed_spec {
    place name, delegate_name, metadata;
    int32_t id; /* id of the instruction; -1: absent */
    uint64_t start, end;
} timed_spec;

static inline place put_timed(builder *b, const timed_spec *spec) {
    size_t id_width = spec->id < 0 ? 0 : 4;
    place profile = PUT_TABLE(
        b, target_slot(spec->name), (slot){0}, (slot){id_width, (uint32_t)spec->id, 0}, (slot){0},
        target_slot(spec->delegate_name), target_slot(spec->metadata),
        (slot){spec->start ? 8 : 0, spec->start, 0}, (slot){spec->end ? 8 : 0, spec->end, 0});
    return put_event(b, profile, 0, 0);
}

#define PUT_TIMED(b, ...) put_timed((b), &(timed_spec){__VA_ARGS__})

static inline place put_run_at(builder *b, place name, place events) {
    return PUT_TABLE(b, target_slot(name), (slot){0}, (slot){0}, target_slot(events));
}

/* Writes the dump of these runs, and empties the list. */
static inline void finish_runs(builder *b, places *runs) {
    finish_dump(b, put_dump(b, (optional){0}, put_places(b, runs)), true);
}

static inline void finish_run(builder *b, places *events) {
    place vector = put_places(b, events);
    places runs = {0};
    add_place(&runs, put_run_at(b, put_string(b, "Execute"), vector));
    finish_runs(b, &runs);
}

/* Writes unreferenced bytes, up to `size`: they make a dump large enough for what it shares. */
static inline void pad_dump(builder *b, size_t size) {
    static const char zeros[4096];
    while (b->size < size)
        put(b, zeros, size - b->size < sizeof zeros ? size - b->size : sizeof zeros);
}

/* Writes a string of `n` equal bytes. */
static inline place put_filled_string(builder *b, char byte, size_t n) {
    char *text = malloc(n + 1);
    if (!text)
        abort();
    memset(text, byte, n);
    place at = put_string_of(b, text, n);
    free(text);
    return at;
}

/* Adds an empty member to the record; its address stays valid. */
static inline eti_buffer *start_member(files *out, const char *name, bool is_deflated) {
    record_member *member = &out->members[out->n_members++];
    *member = (record_member){.name = name, .is_deflated = is_deflated};
    return &member->content;
}

static inline void add_number(eti_buffer *out, uint64_t number) {
    char digits[20];
    char *end = digits + sizeof digits;
    char *first = eti__write_u64(end, number);
    eti__buffer_add(out, first, (size_t)(end - first));
}

/* Repeats `text` while `out` has less than `size` bytes. */
static inline void add_until(eti_buffer *out, const char *text, size_t size) {
    size_t length = strlen(text);
    while (out->size < size)
        eti__buffer_add(out, text, length);
}

/* Writes the dump of a small model: `n` kernels, one per instruction from 0 on, in one run. */
void make_small_dump(builder *b, size_t n);

/* Adds nodes of a graph as torch exports them, from `first` on, joined with commas, until `out` has `size` bytes; returns
 * the number of the next node. */
size_t add_real_nodes(eti_buffer *out, size_t first, size_t size);

#endif
