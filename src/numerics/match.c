#include "numerics/match.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- keys ------------------------------------------------------------------------------------- */

/* Name of a node on one side. */
typedef struct source_name {
    eti_text name;
    int64_t handle;
} source_name;

static const eti_intern_kind source_kind = ETI_INTERN_BY_TEXT(source_name);

typedef struct occurrence {
    eti_text name;
    size_t n;
} occurrence;

static const eti_intern_kind occurrence_kind = ETI_INTERN_BY_TEXT(occurrence);

/* A point waiting for its partner. */
typedef struct keyed {
    eti_text key;
    size_t base; /* index of the point of the base */
} keyed;

static const eti_intern_kind keyed_kind = ETI_INTERN_BY_TEXT(keyed);

typedef struct matcher {
    eti_matches *out;
    const eti_points *base, *newer;
    eti_match_by by;
    eti_text_table ambiguous; /* names of more than one node of a side */
    eti_buffer scratch;
} matcher;

static bool find_ambiguous(matcher *in, const eti_points *side) {
    ETI_INTERN_OF(source_name) seen = {{0}};
    bool done = true;
    for (size_t i = 0; done && i < side->n; i++) {
        const eti_point *point = &side->points[i];
        const source_name item = {point->source_node, point->handle};
        uint32_t number;
        if (!point->source_node.data)
            continue;
        done = eti__intern_add(&seen.table, &source_kind, &item, &number);
        if (done && seen.items[number].handle != point->handle)
            done = eti__text_table_add(&in->ambiguous, point->source_node, NULL, &number);
    }
    eti__intern_free(&seen.table);
    return done;
}

static void add_source(matcher *in, const eti_point *point) {
    uint32_t number;
    eti__buffer_add_text(&in->scratch, point->source_node);
    if (eti__text_table_find(&in->ambiguous, point->source_node, &number) && point->node) {
        eti__buffer_add_char(&in->scratch, ' ');
        eti__buffer_add_text(&in->scratch, point->node->op_type);
    }
}

/* Appends the text by which the point is found; nothing if it has no key. */
static void add_key(matcher *in, const eti_point *point) {
    if (eti__point_is_run_outputs(point)) {
        eti__buffer_add_string(&in->scratch, "outputs of the run");
    } else if (in->by == ETI_MATCH_BY_SOURCE && point->has_handle && point->source_node.size > 0) {
        add_source(in, point);
    } else if (in->by == ETI_MATCH_BY_HANDLE && point->has_handle) {
        eti__buffer_printf(&in->scratch, "%" PRId64, point->handle);
    } else if (in->by == ETI_MATCH_BY_INSTRUCTION && point->instruction != -1) {
        eti__buffer_printf(&in->scratch, "%" PRId32 " ", point->instruction);
        eti__buffer_add_text(&in->scratch, point->name);
    } else if (in->by == ETI_MATCH_BY_NAME) {
        eti__buffer_add_text(&in->scratch, point->name);
    }
}

/* Makes the keys of a side; repeated keys get the number of their occurrence, starting at 1. */
static eti_text *make_keys(matcher *in, const eti_points *side) {
    eti_text *keys = calloc(side->n + 1, sizeof *keys);
    ETI_INTERN_OF(occurrence) seen = {{0}};
    bool done = keys != NULL;
    for (size_t i = 0; done && i < side->n; i++) {
        uint32_t number;
        in->scratch.size = 0;
        add_key(in, &side->points[i]);
        if (in->scratch.size == 0 && !in->scratch.failed)
            continue;
        occurrence item = {{in->scratch.data, in->scratch.size}, 0};
        done = !in->scratch.failed &&
               eti__arena_copy_text(&in->out->texts, item.name, &item.name) &&
               eti__intern_add(&seen.table, &occurrence_kind, &item, &number);
        if (!done)
            break;
        size_t n_before = seen.items[number].n++;
        if (n_before > 0)
            eti__buffer_printf(&in->scratch, "\n%zu", n_before);
        const eti_text key = {in->scratch.data, in->scratch.size};
        done = !in->scratch.failed && eti__arena_copy_text(&in->out->texts, key, &keys[i]);
    }
    eti__intern_free(&seen.table);
    if (!done) {
        free(keys);
        return NULL;
    }
    return keys;
}

/* ---- outputs ---------------------------------------------------------------------------------- */

static bool add(matcher *in, const eti_matched_outputs *outputs) {
    eti_matches *out = in->out;
    if (!ETI_GROW(out->outputs, out->capacity, out->n + 1))
        return false;
    out->outputs[out->n++] = *outputs;
    return true;
}

static bool shapes_equal(const eti_tensor_values *a, const eti_tensor_values *b) {
    return eti__sizes_equal(a->sizes, a->n_dims, b->sizes, b->n_dims);
}

const eti_recorded_tensor *eti__match_one(const eti_recorded_tensor *one,
                                          const eti_recorded_tensor *several, size_t n) {
    const eti_recorded_tensor *of_shape = NULL, *of_type = NULL;
    size_t n_of_shape = 0, n_of_type = 0;
    for (size_t i = 0; i < n; i++) {
        if (!shapes_equal(&one->values, &several[i].values))
            continue;
        n_of_shape++;
        of_shape = &several[i];
        if (one->values.scalar_type != several[i].values.scalar_type)
            continue;
        n_of_type++;
        of_type = &several[i];
    }
    if (n_of_shape == 1)
        return of_shape;
    return n_of_type == 1 ? of_type : &several[n - 1];
}

static uint32_t output_of(const eti_point *point, const eti_recorded_tensor *tensor) {
    return point->output + (uint32_t)(tensor - point->tensors);
}

/* Adds the outputs of a point alone, or each with the output of `base` that has the same number. */
static bool add_each(matcher *in, const eti_point *one, const eti_point *base,
                     const eti_point *newer, eti_text key) {
    bool done = true;
    for (size_t i = 0; done && i < one->n; i++) {
        const eti_matched_outputs pair = {base,
                                          newer,
                                          base ? &base->tensors[i] : NULL,
                                          newer ? &newer->tensors[i] : NULL,
                                          output_of(one, &one->tensors[i]),
                                          key};
        done = add(in, &pair);
    }
    return done;
}

/* Returns the tensor of the point for output `port` of its node, or NULL if there is none. */
static const eti_recorded_tensor *tensor_at(const eti_point *point, uint32_t port) {
    if (!point->ports)
        return port < point->n ? &point->tensors[port] : NULL;
    for (size_t i = 0; i < point->n; i++) {
        if (point->ports[i] == port)
            return &point->tensors[i];
    }
    return NULL;
}

/* Adds the tensors of both sides for the n outputs of the same node. */
static bool add_by_port(matcher *in, const eti_point *base, const eti_point *newer, eti_text key,
                        size_t *n) {
    *n = 0;
    for (size_t i = 0; i < newer->n; i++) {
        const eti_recorded_tensor *of_newer = &newer->tensors[i];
        const eti_recorded_tensor *of_base =
            tensor_at(base, newer->ports ? newer->ports[i] : (uint32_t)i);
        const eti_matched_outputs pair = {
            base, newer, of_base, of_newer, output_of(newer, of_newer), key};
        if (of_base && !add(in, &pair))
            return false;
        *n += of_base != NULL;
    }
    return true;
}

static bool add_pair(matcher *in, const eti_point *base, const eti_point *newer, eti_text key) {
    size_t n = 0;
    in->out->n_paired++;
    if ((base->ports || newer->ports) && !add_by_port(in, base, newer, key, &n))
        return false;
    if (n > 0)
        return true;
    if (base->n == newer->n)
        return add_each(in, newer, base, newer, key);
    const eti_recorded_tensor *of_base = &base->tensors[base->n - 1];
    const eti_recorded_tensor *of_newer = &newer->tensors[newer->n - 1];
    if (newer->n == 1)
        of_base = eti__match_one(of_newer, base->tensors, base->n);
    else if (base->n == 1)
        of_newer = eti__match_one(of_base, newer->tensors, newer->n);
    const eti_matched_outputs pair = {base, newer, of_base, of_newer, output_of(newer, of_newer),
                                      key};
    return add(in, &pair);
}

/* ---- points ----------------------------------------------------------------------------------- */

/* Finds the partners of the new side's points: 1 + the index of the point of the base, or 0 if there is no partner. */
static bool find_partners(const matcher *in, const eti_text *base_keys, const eti_text *newer_keys,
                          size_t *partners, bool *is_paired) {
    ETI_INTERN_OF(keyed) table = {{0}};
    bool done = true;
    for (size_t i = 0; done && i < in->base->n; i++) {
        const keyed item = {base_keys[i], i};
        uint32_t number;
        if (item.key.data)
            done = eti__intern_add(&table.table, &keyed_kind, &item, &number);
    }
    for (size_t i = 0; done && i < in->newer->n; i++) {
        uint32_t number;
        if (!newer_keys[i].data ||
            !eti__intern_find(&table.table, &keyed_kind, &newer_keys[i], &number))
            continue;
        partners[i] = table.items[number].base + 1;
        is_paired[table.items[number].base] = true;
    }
    eti__intern_free(&table.table);
    return done;
}

static bool add_base(matcher *in, size_t number, eti_text key) {
    const eti_point *base = &in->base->points[number];
    return add_each(in, base, base, NULL, key);
}

/* Adds all rows: points of the base alone come before the next paired point of the base. */
static bool add_all(matcher *in, const eti_text *base_keys, const eti_text *newer_keys,
                    const size_t *partners, const bool *is_paired) {
    size_t n_passed = 0;
    bool done = true;
    for (size_t i = 0; done && i < in->newer->n; i++) {
        const eti_point *base = partners[i] ? &in->base->points[partners[i] - 1] : NULL;
        for (; done && base && n_passed < partners[i]; n_passed++) {
            if (!is_paired[n_passed])
                done = add_base(in, n_passed, base_keys[n_passed]);
        }
        const eti_point *newer = &in->newer->points[i];
        if (done)
            done = base ? add_pair(in, base, newer, newer_keys[i])
                        : add_each(in, newer, NULL, newer, newer_keys[i]);
    }
    for (; done && n_passed < in->base->n; n_passed++) {
        if (!is_paired[n_passed])
            done = add_base(in, n_passed, base_keys[n_passed]);
    }
    return done;
}

static bool match(matcher *in) {
    if (in->by == ETI_MATCH_BY_SOURCE &&
        !(find_ambiguous(in, in->base) && find_ambiguous(in, in->newer)))
        return false;
    eti_text *base_keys = make_keys(in, in->base);
    eti_text *newer_keys = base_keys ? make_keys(in, in->newer) : NULL;
    size_t *partners = calloc(in->newer->n + 1, sizeof *partners);
    bool *is_paired = calloc(in->base->n + 1, sizeof *is_paired);
    bool done = newer_keys && partners && is_paired &&
                find_partners(in, base_keys, newer_keys, partners, is_paired) &&
                add_all(in, base_keys, newer_keys, partners, is_paired);
    free(base_keys);
    free(newer_keys);
    free(partners);
    free(is_paired);
    return done;
}

eti_status eti__points_match(eti_matches *out, const eti_points *base, const eti_points *newer,
                             eti_match_by by, eti_error *err) {
    matcher in = {.out = out, .base = base, .newer = newer, .by = by};
    *out = (eti_matches){.n = 0};
    bool done = match(&in);
    eti__text_table_free(&in.ambiguous);
    eti__buffer_free(&in.scratch);
    return done ? ETI_OK : eti_fail_memory(err);
}

void eti__matches_free(eti_matches *matches) {
    free(matches->outputs);
    eti__arena_free(&matches->texts);
    *matches = (eti_matches){.n = 0};
}

/* ---- shapes ----------------------------------------------------------------------------------- */

/* Returns whether the shapes are equal, ignoring dimensions of size 1. */
static bool equal_without_ones(const eti_tensor_values *a, const eti_tensor_values *b) {
    uint32_t i = 0, k = 0;
    for (;;) {
        while (i < a->n_dims && a->sizes[i] == 1)
            i++;
        while (k < b->n_dims && b->sizes[k] == 1)
            k++;
        if (i == a->n_dims || k == b->n_dims)
            return i == a->n_dims && k == b->n_dims;
        if (a->sizes[i++] != b->sizes[k++])
            return false;
    }
}

static bool is_view_node(const eti_graph_node *node) {
    static const char *const views[] = {"aten.view_copy.", "aten._unsafe_view.",
                                        "aten.unsqueeze_copy.", "aten.squeeze_copy."};
    for (size_t i = 0; node && i < sizeof views / sizeof *views; i++) {
        if (eti__text_begins_with(node->op_type, views[i]))
            return true;
    }
    return false;
}

static bool is_view(const eti_point *point) {
    return point && (is_view_node(point->node) || is_view_node(point->last_node));
}

eti_shape_match eti__match_shapes(const eti_matched_outputs *outputs) {
    const eti_tensor_values *a = &outputs->base_tensor->values;
    const eti_tensor_values *b = &outputs->newer_tensor->values;
    if (equal_without_ones(a, b))
        return ETI_SHAPES_EQUAL;
    bool may_be_view = is_view(outputs->base) || is_view(outputs->newer);
    return may_be_view && a->n_elements == b->n_elements ? ETI_SHAPES_VIEW : ETI_SHAPES_DIFFERENT;
}
