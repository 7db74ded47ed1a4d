#include "model/model.h"

#include "base/sort.h"
#include "digest/digest.h"

#include <stdlib.h>
#include <string.h>

/* Weights of more bytes are not hashed: 32 MiB take a tenth of a second. */
#define MOST_BYTES ((uint64_t)32 << 20)

#define NO_USER UINT32_MAX
#define SEVERAL_USERS (UINT32_MAX - 1)

/* The users of the weights of a method. */
typedef struct eti_read_weights {
    size_t method; /* the key */
    const eti_weight_user *users;
    size_t n;
} eti_read_weights;

typedef struct finder {
    eti_arena *arena;
    eti_arena scratch;
    const eti_graph *graph;
    const eti_graph_values *values;
    uint32_t *users;      /* per value: the node that takes it */
    eti_text_table names; /* of weights, as in the model with "_" for "." */
    uint32_t *value_of;   /* per name; NO_USER if several have it */
    eti_weight_user *found;
    size_t n;
} finder;

static bool find_users(finder *f) {
    size_t n = f->values->n_values;
    f->users = eti__arena_alloc(&f->scratch, n + 1, sizeof *f->users);
    if (!f->users)
        return false;
    for (size_t i = 0; i < n; i++)
        f->users[i] = NO_USER;
    for (uint32_t i = 0; i < f->graph->n_nodes; i++) {
        const eti_graph_ports *ports = &f->values->ports[i];
        for (uint32_t k = 0; k < ports->n_inputs; k++) {
            uint32_t *user = &f->users[ports->inputs[k]];
            *user = *user == NO_USER || *user == i ? i : SEVERAL_USERS;
        }
    }
    return true;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Cuts the prefix of a name: torch.export calls the parameter "fc.weight" p_fc_weight, and a buffer b_fc_mean. */
static eti_text without_prefix(eti_text name) {
    bool has_prefix = name.size > 2 && name.data[1] == '_' && strchr("pbc", name.data[0]);
    return has_prefix ? eti__text_from(name, 2) : name;
}

static bool list_names(finder *f) {
    f->value_of = eti__arena_alloc(&f->scratch, f->values->n_graph_inputs + 1, sizeof *f->value_of);
    if (!f->value_of)
        return false;
    for (uint32_t i = 0; i < f->values->n_graph_inputs; i++) {
        const eti_graph_value *value = &f->values->values[i];
        size_t n_known = f->names.count;
        uint32_t number;
        if (!value->is_weight)
            continue;
        if (!eti__text_table_add(&f->names, without_prefix(value->name), NULL, &number))
            return false;
        f->value_of[number] = number == n_known ? i : NO_USER;
    }
    return true;
}

/* Returns the only node that takes the weight with this name in the model, or NO_USER. */
static uint32_t user_of(finder *f, eti_text name, bool *has_room) {
    char *changed = eti__arena_alloc(&f->scratch, name.size + 1, 1);
    uint32_t number;
    *has_room = changed != NULL;
    for (size_t i = 0; changed && i < name.size; i++)
        changed[i] = (char)(name.data[i] == '.' ? '_' : name.data[i]);
    if (!changed || !eti__text_table_find(&f->names, (eti_text){changed, name.size}, &number) ||
        f->value_of[number] == NO_USER)
        return NO_USER;
    return f->users[f->value_of[number]] < SEVERAL_USERS ? f->users[f->value_of[number]] : NO_USER;
}

/* ---- weights --------------------------------------------------------------------------------- */

static bool add_weight(finder *f, eti_text name, const eti_tensor_values *tensor) {
    char digits[ETI_SHA256_DIGITS + 1];
    bool has_room;
    if (!tensor->data || tensor->n_elements == 0 || !eti__tensor_values_are_row_major(tensor))
        return true;
    uint32_t node = user_of(f, name, &has_room);
    eti__sha256(tensor->data, (size_t)eti__tensor_values_size(tensor), digits);
    f->found[f->n].node = node;
    return has_room && eti__arena_copy_text(f->arena, eti__text_of(digits), &f->found[f->n++].key);
}

static bool add_weights(finder *f, const eti_saved_value *weights) {
    f->found = eti__arena_alloc(f->arena, weights->n_items + (size_t)1, sizeof *f->found);
    for (uint32_t i = 0; f->found && i + 1 < weights->n_items; i += 2) {
        const eti_saved_value *name = weights->items[i], *value = weights->items[i + 1];
        if (name->kind == ETI_SAVED_TEXT && value->kind == ETI_SAVED_TENSOR &&
            !add_weight(f, eti__saved_text(name), value->tensor))
            return false;
    }
    return f->found != NULL;
}

static int compare_weights(const void *a, const void *b, void *context) {
    const eti_weight_user *x = a, *y = b;
    (void)context;
    return eti__text_compare(x->key, y->key);
}

/* Keeps the weights that have a user and whose bytes no other weight has. */
static void keep_unique(finder *f) {
    size_t n = 0;
    eti__sort(f->found, f->n, sizeof *f->found, compare_weights, NULL);
    for (size_t i = 0, end; i < f->n; i = end) {
        for (end = i + 1; end < f->n && eti__text_equal(f->found[end].key, f->found[i].key);)
            end++;
        if (end == i + 1 && f->found[i].node != NO_USER)
            f->found[n++] = f->found[i];
    }
    f->n = n;
}

/* Reads the weights of a record. Finds none if they cannot be read. */
static eti_status read_weights(eti_record *record, eti_read_weights *out, eti_error *err) {
    const eti_saved_value *weights = NULL;
    eti_graph graph;
    eti_graph_values values;
    eti_error ignored;
    eti_status status =
        eti__etrecord_read_weights(record->maps, out->method, MOST_BYTES, &weights, &ignored);
    if (status == ETI_ERROR_MEMORY)
        return eti_fail_memory(err);
    if (status != ETI_OK || !weights || weights->kind != ETI_SAVED_DICT)
        return ETI_OK;
    ETI_TRY(eti__etrecord_read_values(record->maps, out->method, NULL, &graph, &values, err));
    finder f = {.arena = &record->arena, .graph = &graph, .values = &values};
    bool done = find_users(&f) && list_names(&f) && add_weights(&f, weights);
    if (done)
        keep_unique(&f);
    out->users = f.found;
    out->n = f.n;
    eti__text_table_free(&f.names);
    eti__arena_free(&f.scratch);
    return done ? ETI_OK : eti_fail_memory(err);
}

/* Finds the weights of a method, which are read at the first request. */
static eti_status find_weights(eti_record *record, size_t method, eti_read_weights *out,
                               eti_error *err) {
    for (size_t i = 0; i < record->n_weights; i++) {
        if (record->weights[i].method == method) {
            *out = record->weights[i];
            return ETI_OK;
        }
    }
    *out = (eti_read_weights){.method = method};
    ETI_TRY(read_weights(record, out, err));
    if (!ETI_GROW(record->weights, record->weight_capacity, record->n_weights + 1))
        return eti_fail_memory(err);
    record->weights[record->n_weights++] = *out;
    return ETI_OK;
}

eti_status eti__record_weight_users(eti_record *record, size_t method, const eti_weight_user **out,
                                    size_t *n, eti_error *err) {
    eti_read_weights found = {0};
    pthread_mutex_lock(&record->reading);
    eti_status status = find_weights(record, method, &found, err);
    pthread_mutex_unlock(&record->reading);
    *out = found.users;
    *n = found.n;
    return status;
}
