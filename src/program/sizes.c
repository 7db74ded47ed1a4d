#include "program/sizes.h"

#include "backends/backends.h"
#include "base/sort.h"

#include <stdlib.h>

/* ==== size names ============================================================================== */

static const eti_intern_kind name_kind = ETI_INTERN_BY_TEXT(eti_size_name);

bool eti__size_names_add(eti_size_names *names, eti_text key, uint32_t row) {
    const eti_size_name name = {key, row, false};
    uint32_t number;
    return eti__intern_add(&names->names.table, &name_kind, &name, &number);
}

bool eti__size_names_ask(eti_size_names *names, eti_text key, uint64_t n_bytes, uint32_t *row) {
    const eti_size_name name = {key, ETI_NO_ROW, false};
    uint32_t number;
    if (!eti__intern_add(&names->names.table, &name_kind, &name, &number))
        return false;
    eti_size_name *found = &names->names.items[number];
    uint64_t sum;
    if (found->row == ETI_NO_ROW && !found->is_asked_for && n_bytes != ETI_PTE_UNKNOWN_SIZE &&
        !__builtin_add_overflow(names->n_missing, n_bytes, &sum))
        names->n_missing = sum;
    found->is_asked_for = true;
    *row = found->row;
    return true;
}

/* Requests the `n` names of a payload, as `keys` has them, except empty ones. Returns false if memory runs out. */
static bool ask_keys(eti_size_names *names, eti_size_payload *payload, const eti_payload_key *keys,
                     uint32_t n) {
    uint32_t *rows = eti__arena_alloc(names->arena, n, sizeof *rows);
    payload->rows = (eti_row_list){rows, 0};
    for (uint32_t i = 0; rows && i < n; i++) {
        uint32_t row;
        if (keys[i].name.size == 0)
            continue;
        if (!eti__size_names_ask(names, keys[i].name, keys[i].n_bytes, &row))
            return false;
        if (row != ETI_NO_ROW)
            rows[payload->rows.n++] = row;
    }
    return rows != NULL;
}

static bool has_keys(eti_text id) {
    return eti__is_xnnpack(id) || eti__is_vulkan(id) ||
           eti__backend_of_id(id) == ETI_BACKEND_NATIVE;
}

/* Reads the keys of a payload into the arena. */
static eti_status read_keys(eti_arena *arena, eti_text id, eti_text bytes,
                            const eti_payload_key **keys, uint32_t *n) {
    eti_error ignored;
    eti_xnnpack xnnpack;
    eti_vulkan vulkan;
    eti_native native;
    if (eti__is_xnnpack(id)) {
        ETI_TRY(eti__xnnpack_read(&xnnpack, arena, bytes, &ignored));
        *keys = xnnpack.keys;
        *n = xnnpack.n_keys;
    } else if (eti__is_vulkan(id)) {
        ETI_TRY(eti__vulkan_read(&vulkan, arena, bytes, &ignored));
        *keys = vulkan.constants;
        *n = vulkan.n_constants;
    } else {
        ETI_TRY(eti__native_read(&native, arena, bytes, &ignored));
        *keys = native.keys;
        *n = native.n_keys;
    }
    return ETI_OK;
}

/* Reads the names that a payload requests; an unreadable payload requests none. */
static eti_status ask_payload(eti_size_names *names, eti_text id, eti_size_payload *payload,
                              eti_error *err) {
    const eti_text bytes = {payload->bytes, payload->size};
    eti_arena scratch = {0};
    const eti_payload_key *keys = NULL;
    uint32_t n = 0;
    bool fits = payload->size <= names->n_left;
    eti_status status = fits ? read_keys(&scratch, id, bytes, &keys, &n) : ETI_ERROR_LIMIT;
    names->n_left -= fits ? payload->size : 0;
    names->is_unsure = names->is_unsure || status != ETI_OK;
    payload->rows = (eti_row_list){NULL, 0};
    bool done =
        status != ETI_ERROR_MEMORY && (status != ETI_OK || ask_keys(names, payload, keys, n));
    eti__arena_free(&scratch);
    return done ? ETI_OK : eti_fail_memory(err);
}

eti_status eti__size_names_ask_delegate(eti_size_names *names, const eti_pte_delegate *delegate,
                                        eti_row_list *rows, eti_error *err) {
    static const eti_intern_kind kind = {.item_size = sizeof(eti_size_payload),
                                         .key_size = offsetof(eti_size_payload, rows)};
    const eti_size_payload payload = {.bytes = delegate->payload.data,
                                      .size = delegate->payload.size};
    size_t n_known = names->payloads.count;
    uint32_t number;
    *rows = (eti_row_list){NULL, 0};
    if (!has_keys(delegate->id)) {
        names->is_unsure = true;
        return ETI_OK;
    }
    if (!eti__intern_add(&names->payloads.table, &kind, &payload, &number))
        return eti_fail_memory(err);
    if (number == n_known)
        ETI_TRY(ask_payload(names, delegate->id, &names->payloads.items[number], err));
    *rows = names->payloads.items[number].rows;
    return ETI_OK;
}

bool eti__size_names_is_asked_for(const eti_size_names *names, eti_text key) {
    const eti_size_name name = {.key = key};
    uint32_t number;
    return eti__intern_find(&names->names.table, &name_kind, &name, &number) &&
           names->names.items[number].is_asked_for;
}

uint32_t eti__size_names_count_missing(const eti_size_names *names) {
    uint32_t n = 0;
    for (size_t i = 0; i < names->names.count; i++)
        n += names->names.items[i].row == ETI_NO_ROW;
    return n;
}

void eti__size_names_free(eti_size_names *names) {
    eti__intern_free(&names->names.table);
    eti__intern_free(&names->payloads.table);
}

/* ==== size users ============================================================================== */

/* Limit for uses through lists, because a program may use a list of a million items a million times. */
#define MOST_LISTED ((size_t)1 << 20)

static bool add_use(eti_size_users *users, uint32_t row, eti_size_user user) {
    if (row == ETI_NO_ROW)
        return true;
    if (!ETI_GROW(users->uses, users->capacity, users->n_uses + 1))
        return false;
    users->uses[users->n_uses++] = (eti_size_use){row, user};
    return true;
}

/* Adds the uses of an argument; for a list, those of its items. */
static bool add_argument(eti_size_users *users, const eti_pte_plan *plan, const int32_t *argument,
                         const uint32_t *value_rows, eti_size_user user) {
    eti_pte_indices items = eti__value_items(plan, argument);
    if (items.items != argument) {
        if (items.n > MOST_LISTED - users->n_listed)
            return true;
        users->n_listed += items.n;
    }
    for (uint32_t i = 0; i < items.n; i++) {
        if (items.items[i] >= 0 && !add_use(users, value_rows[items.items[i]], user))
            return false;
    }
    return true;
}

static bool add_names(eti_size_users *users, const eti_row_list *names, eti_size_user user) {
    if (names->n > MOST_LISTED - users->n_listed)
        return true;
    users->n_listed += names->n;
    for (uint32_t i = 0; i < names->n; i++) {
        if (!add_use(users, names->rows[i], user))
            return false;
    }
    return true;
}

eti_status eti__size_users_add(eti_size_users *users, eti_arena *scratch, const eti_pte_plan *plan,
                               uint32_t number, const uint32_t *value_rows,
                               const uint32_t *delegate_rows, const eti_row_list *delegate_names,
                               eti_error *err) {
    eti_calls calls;
    ETI_TRY(eti__calls_make(&calls, scratch, plan, err));
    for (uint32_t k = 0; k < calls.n; k++) {
        const eti_pte_instruction *call = calls.items[k];
        eti_size_user user = {number, k};
        bool has_room = call->kind != ETI_PTE_DELEGATE_CALL ||
                        (add_use(users, delegate_rows[call->index], user) &&
                         add_names(users, &delegate_names[call->index], user));
        for (uint32_t i = 0; i < call->args.n && has_room; i++)
            has_room = add_argument(users, plan, &call->args.items[i], value_rows, user);
        if (!has_room)
            return eti_fail_memory(err);
    }
    return ETI_OK;
}

static int compare_uses(const void *a, const void *b, void *context) {
    const eti_size_use *left = a, *right = b;
    (void)context;
    if (left->row != right->row)
        return left->row < right->row ? -1 : 1;
    if (left->user.plan != right->user.plan)
        return left->user.plan < right->user.plan ? -1 : 1;
    return (left->user.instruction > right->user.instruction) -
           (left->user.instruction < right->user.instruction);
}

void eti__size_users_sort(eti_size_users *users) {
    size_t n = 0;
    eti__sort(users->uses, users->n_uses, sizeof *users->uses, compare_uses, NULL);
    for (size_t i = 0; i < users->n_uses; i++) {
        if (n == 0 || compare_uses(&users->uses[n - 1], &users->uses[i], NULL) != 0)
            users->uses[n++] = users->uses[i];
    }
    users->n_uses = n;
}

void eti__size_users_free(eti_size_users *users) {
    free(users->uses);
    *users = (eti_size_users){0};
}

/* ==== extents ================================================================================= */

static int compare_numbers(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

/* Sorts by holder, so that a holder comes before its contents; then by the first byte. */
static int compare_extents(const void *a, const void *b, void *context) {
    const eti_extent *extents = context;
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    const eti_extent *l = &extents[left], *r = &extents[right];
    bool l_is_held = l->holder != ETI_NO_HOLDER, r_is_held = r->holder != ETI_NO_HOLDER;
    int order = l_is_held - r_is_held;
    if (order == 0 && l_is_held)
        order = compare_numbers(l->holder, r->holder);
    if (order == 0)
        order = compare_numbers(l->begin, r->begin);
    return order ? order : compare_numbers(left, right);
}

/* Cuts an extent to its holder and to the bytes after `end`, before which all are assigned. */
static void cut(eti_extent *extent, const eti_extent *holder, uint64_t *end) {
    if (extent->begin < *end)
        extent->begin = *end;
    if (extent->end > holder->end)
        extent->end = holder->end;
    if (extent->end < extent->begin)
        extent->end = extent->begin;
    else
        *end = extent->end;
}

eti_status eti__extents_share(eti_extent *extents, size_t n, eti_error *err) {
    uint32_t *order = malloc((n + 1) * sizeof *order);
    uint32_t holder = ETI_NO_HOLDER;
    uint64_t end = 0;
    if (!order || n > UINT32_MAX) {
        free(order);
        return eti_fail_memory(err);
    }
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    eti__sort(order, n, sizeof *order, compare_extents, extents);
    for (size_t i = 0; i < n; i++) {
        eti_extent *extent = &extents[order[i]];
        if (extent->holder != holder) {
            holder = extent->holder;
            end = extents[holder].begin;
        }
        if (holder != ETI_NO_HOLDER)
            cut(extent, &extents[holder], &end);
        extent->bytes = extent->end - extent->begin;
        if (holder != ETI_NO_HOLDER)
            extents[holder].bytes -= extent->bytes;
    }
    free(order);
    return ETI_OK;
}

/* ==== copies ================================================================================== */

#define BEGINNING ((size_t)4096)
#define PIECE                                                                                      \
    ((size_t)4 << 20) /* the memory of a mapped file is released after each piece of this size */

/* A text and its hash, once computed. */
typedef struct candidate {
    eti_text text;
    uint32_t number;
    uint64_t hash;
} candidate;

static int compare_candidates(const void *a, const void *b, void *context) {
    const candidate *left = a, *right = b;
    (void)context;
    if (left->text.size != right->text.size)
        return left->text.size < right->text.size ? -1 : 1;
    if (left->hash != right->hash)
        return left->hash < right->hash ? -1 : 1;
    return (left->number > right->number) - (left->number < right->number);
}

static uint64_t hash_beginning(eti_text text, uint64_t seed) {
    return eti__text_hash((eti_text){text.data, text.size < BEGINNING ? text.size : BEGINNING},
                          seed);
}

static uint64_t hash_all(eti_text text, uint64_t seed) {
    for (size_t at = 0, n; at < text.size; at += n) {
        n = text.size - at < PIECE ? text.size - at : PIECE;
        seed = eti__text_hash((eti_text){text.data + at, n}, seed);
        eti__file_leave(text.data + at, n);
    }
    return seed;
}

static bool is_equal(eti_text a, eti_text b) {
    bool equal = true;
    for (size_t at = 0, n; at < a.size && equal; at += n) {
        n = a.size - at < PIECE ? a.size - at : PIECE;
        equal = memcmp(a.data + at, b.data + at, n) == 0;
        eti__file_leave(a.data + at, n);
        eti__file_leave(b.data + at, n);
    }
    return equal;
}

typedef bool eti_is_same(const candidate *a, const candidate *b);

static bool has_same_size(const candidate *a, const candidate *b) {
    return a->text.size == b->text.size;
}

static bool has_same_hash(const candidate *a, const candidate *b) {
    return has_same_size(a, b) && a->hash == b->hash;
}

/* Returns the end of the run of candidates that are equal to the one at `begin`. */
static size_t find_end(const candidate *all, size_t n, size_t begin, eti_is_same *is_same) {
    size_t end = begin + 1;
    while (end < n && is_same(&all[begin], &all[end]))
        end++;
    return end;
}

/* Hashes the candidates that still have others like them, and sorts all again. */
static void narrow(candidate *all, size_t n, eti_is_same *is_same,
                   uint64_t (*hash)(eti_text text, uint64_t seed)) {
    uint64_t seed = eti__hash_seed();
    for (size_t i = 0, end; i < n; i = end) {
        end = find_end(all, n, i, is_same);
        for (size_t j = i; j < end && end - i > 1; j++)
            all[j].hash = hash(all[j].text, seed);
    }
    eti__sort(all, n, sizeof *all, compare_candidates, NULL);
}

eti_status eti__copies_find(uint32_t *copy_of, const eti_text *texts, size_t n, eti_error *err) {
    candidate *all = calloc(n + 1, sizeof *all);
    size_t n_all = 0;
    if (!all)
        return eti_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        copy_of[i] = ETI_NO_COPY;
        if (texts[i].size > 0)
            all[n_all++] = (candidate){.text = texts[i], .number = (uint32_t)i};
    }
    eti__sort(all, n_all, sizeof *all, compare_candidates, NULL);
    narrow(all, n_all, has_same_size, hash_beginning);
    narrow(all, n_all, has_same_hash, hash_all);
    for (size_t i = 0, end; i < n_all; i = end) {
        end = find_end(all, n_all, i, has_same_hash);
        for (size_t j = i + 1; j < end; j++) {
            if (is_equal(all[i].text, all[j].text))
                copy_of[all[j].number] = all[i].number;
        }
    }
    free(all);
    return ETI_OK;
}

/* ==== sizes =================================================================================== */
/* Makes rows as nested extents of their files: a constant in its segment, the segment in the
 * program, the program in a bundle. Extents share out the bytes, so that the rows add up to the
 * files, whatever these contain. */

const char *eti__size_category_name(eti_size_category category) {
    static const char *const names[] = {
        [ETI_SIZE_METADATA] = "metadata",         [ETI_SIZE_CONSTANT] = "constant",
        [ETI_SIZE_MUTABLE_DATA] = "mutable data", [ETI_SIZE_DELEGATE_BLOB] = "delegate blob",
        [ETI_SIZE_NAMED_DATA] = "named data",     [ETI_SIZE_EXTERNAL] = "external",
        [ETI_SIZE_TEST_DATA] = "test data",       [ETI_SIZE_PADDING] = "padding",
    };
    return names[category];
}

/* Payloads are read only while their total size is at most this multiple of the file's size, because they may share
 * bytes. */
#define PAYLOADS_READ 4

typedef struct maker {
    eti_sizes *out;
    const eti_pte *pte;
    eti_arena *arena; /* holds the result */
    eti_arena scratch;
    eti_size_row *rows;
    size_t n_rows, row_capacity;
    eti_extent *extents; /* of the rows */
    size_t extent_capacity;
    const uint8_t **files; /* the first byte of each */
    uint32_t whole;        /* row of the program, which gets the bytes of no other row */
    uint32_t metadata;     /* row */
    eti_row_list segments, constants, inline_delegates;
    eti_row_list *mutable_data; /* by index */
    uint32_t *last_plan;        /* by row: last method that uses it, + 1 */
    eti_size_names names;
    eti_size_users users;
    eti_error *err;
} maker;

/* ---- rows ------------------------------------------------------------------------------------ */

/* Adds a row for [begin, end) of the file that contains `holder`. */
static eti_status add_row(maker *m, eti_size_category category, uint32_t holder, uint64_t begin,
                          uint64_t end, uint32_t *out) {
    if (m->n_rows >= ETI_NO_ROW || !ETI_GROW(m->rows, m->row_capacity, m->n_rows + 1) ||
        !ETI_GROW(m->extents, m->extent_capacity, m->n_rows + 1))
        return eti_fail_memory(m->err);
    m->extents[m->n_rows] = (eti_extent){begin, end, holder, 0};
    m->rows[m->n_rows] =
        (eti_size_row){.category = (uint8_t)category,
                       .file = holder == ETI_NO_HOLDER ? 0 : m->rows[holder].file,
                       .is_rest = category == ETI_SIZE_METADATA || category == ETI_SIZE_TEST_DATA ||
                                  category == ETI_SIZE_PADDING,
                       .number = ETI_NO_ROW,
                       .copy_of = ETI_NO_ROW};
    *out = (uint32_t)m->n_rows++;
    return ETI_OK;
}

/* Adds a row inside `holder` for each byte sequence of a list; if `has_placeholder`, the first is a placeholder and gets
 * no row. */
static eti_status add_inline(maker *m, eti_row_list *out, eti_size_category category,
                             const eti_text *texts, uint32_t n, bool has_placeholder) {
    out->rows = eti__arena_alloc(&m->scratch, n, sizeof *out->rows);
    out->n = n;
    if (!out->rows)
        return eti_fail_memory(m->err);
    for (uint32_t i = 0; i < n; i++) {
        out->rows[i] = ETI_NO_ROW;
        if (texts[i].size == 0 || (i == 0 && has_placeholder))
            continue;
        uint64_t begin = (uint64_t)((const uint8_t *)texts[i].data - m->files[0]);
        ETI_TRY(add_row(m, category, m->metadata, begin, begin + texts[i].size, &out->rows[i]));
        m->rows[out->rows[i]].number = i;
    }
    return ETI_OK;
}

/* Adds a row for each slot except the first, which is a placeholder. Their sizes are not known yet. */
static eti_status add_slots(maker *m, eti_row_list *out, eti_size_category category,
                            const eti_pte_slots *slots) {
    out->rows = eti__arena_alloc(&m->scratch, slots->n_offsets, sizeof *out->rows);
    out->n = slots->n_offsets;
    if (!out->rows)
        return eti_fail_memory(m->err);
    for (uint32_t i = 0; i < slots->n_offsets; i++) {
        uint32_t holder = m->segments.rows[slots->segment];
        uint64_t begin = m->extents[holder].begin + slots->offsets[i];
        out->rows[i] = ETI_NO_ROW;
        if (i == 0)
            continue;
        ETI_TRY(add_row(m, category, holder, begin, begin, &out->rows[i]));
        m->rows[out->rows[i]].number = i;
    }
    return ETI_OK;
}

/* ---- the program ----------------------------------------------------------------------------- */

/* Sets the category and name of a segment unless they are known. A segment without a name is divided into slots. */
static void name_segment(maker *m, uint32_t segment, eti_size_category category, eti_text name) {
    eti_size_row *row = &m->rows[m->segments.rows[segment]];
    if (row->category != ETI_SIZE_PADDING)
        return;
    row->category = (uint8_t)category;
    row->name = name;
    row->is_rest = !name.data;
    if (row->is_rest) {
        row->name = eti__text_of("(alignment)");
        row->number = ETI_NO_ROW;
    }
}

static void name_segments(maker *m) {
    const eti_pte *pte = m->pte;
    const eti_text none = {NULL, 0};
    if (pte->has_constant_segment && pte->constants.n_offsets > 0)
        name_segment(m, pte->constants.segment, ETI_SIZE_CONSTANT, none);
    for (uint32_t i = 0; i < pte->n_mutable_data; i++) {
        if (pte->mutable_data[i].n_offsets > 0)
            name_segment(m, pte->mutable_data[i].segment, ETI_SIZE_MUTABLE_DATA, none);
    }
    for (uint32_t p = 0; p < pte->n_plans; p++) {
        for (uint32_t i = 0; i < pte->plans[p].n_delegates; i++) {
            const eti_pte_delegate *delegate = &pte->plans[p].delegates[i];
            if (delegate->is_segment)
                name_segment(m, delegate->index, ETI_SIZE_DELEGATE_BLOB, delegate->id);
        }
    }
    for (uint32_t i = 0; i < pte->n_named_data; i++)
        name_segment(m, pte->named_data[i].segment, ETI_SIZE_NAMED_DATA, pte->named_data[i].key);
}

static eti_status add_segments(maker *m, eti_row_list *out, uint32_t holder,
                               const eti_pte_segment *segments, uint32_t n, uint64_t base) {
    out->rows = eti__arena_alloc(&m->scratch, n, sizeof *out->rows);
    out->n = n;
    if (!out->rows)
        return eti_fail_memory(m->err);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t begin = base + segments[i].offset;
        ETI_TRY(
            add_row(m, ETI_SIZE_PADDING, holder, begin, begin + segments[i].size, &out->rows[i]));
        m->rows[out->rows[i]].number = i;
        m->rows[out->rows[i]].name = eti__text_of("(unused segment)");
    }
    return ETI_OK;
}

static eti_status add_program(maker *m) {
    const eti_pte *pte = m->pte;
    uint64_t base = pte->offset;
    m->whole = ETI_NO_HOLDER;
    if (pte->is_bundled)
        ETI_TRY(add_row(m, ETI_SIZE_TEST_DATA, ETI_NO_HOLDER, 0, pte->file->size, &m->whole));
    ETI_TRY(add_row(m, ETI_SIZE_PADDING, m->whole, base, base + pte->size, &m->whole));
    ETI_TRY(add_row(m, ETI_SIZE_METADATA, m->whole, base, base + pte->program_size, &m->metadata));
    ETI_TRY(add_segments(m, &m->segments, m->whole, pte->segments, pte->n_segments, base));
    name_segments(m);
    for (uint32_t i = 0; i < pte->n_named_data; i++) {
        if (!eti__size_names_add(&m->names, pte->named_data[i].key,
                                 m->segments.rows[pte->named_data[i].segment]))
            return eti_fail_memory(m->err);
    }
    ETI_TRY(add_inline(m, &m->inline_delegates, ETI_SIZE_DELEGATE_BLOB, pte->inline_delegates,
                       pte->n_inline_delegates, false));
    if (pte->has_constant_segment && pte->constants.n_offsets > 0)
        ETI_TRY(add_slots(m, &m->constants, ETI_SIZE_CONSTANT, &pte->constants));
    else
        ETI_TRY(add_inline(m, &m->constants, ETI_SIZE_CONSTANT, pte->inline_constants,
                           pte->n_inline_constants, true));
    m->mutable_data = eti__arena_alloc_zero(&m->scratch, pte->n_mutable_data, sizeof(eti_row_list));
    if (!m->mutable_data)
        return eti_fail_memory(m->err);
    for (uint32_t i = 0; i < pte->n_mutable_data; i++)
        ETI_TRY(add_slots(m, &m->mutable_data[i], ETI_SIZE_MUTABLE_DATA, &pte->mutable_data[i]));
    return ETI_OK;
}

/* ---- data files ------------------------------------------------------------------------------- */

static eti_status add_entries(maker *m, const eti_ptd *ptd, const eti_row_list *segments) {
    for (uint32_t i = 0; i < ptd->n_entries; i++) {
        const eti_ptd_entry *entry = &ptd->entries[i];
        eti_size_row *row = &m->rows[segments->rows[entry->segment]];
        if (!eti__size_names_add(&m->names, entry->key, segments->rows[entry->segment]))
            return eti_fail_memory(m->err);
        if (row->category != ETI_SIZE_PADDING)
            continue;
        row->category = ETI_SIZE_EXTERNAL;
        row->is_rest = false;
        row->name = entry->key;
        row->tensor = entry->tensor;
    }
    return ETI_OK;
}

static eti_status add_data_file(maker *m, const eti_ptd *ptd, uint32_t file) {
    uint32_t whole, metadata;
    eti_row_list segments;
    ETI_TRY(add_row(m, ETI_SIZE_PADDING, ETI_NO_HOLDER, 0, ptd->file->size, &whole));
    m->rows[whole].file = file;
    m->files[file] = ptd->file->data;
    ETI_TRY(add_row(m, ETI_SIZE_METADATA, whole, 0, ptd->metadata_size, &metadata));
    ETI_TRY(add_segments(m, &segments, whole, ptd->segments, ptd->n_segments, 0));
    return add_entries(m, ptd, &segments);
}

/* ---- contents of rows -------------------------------------------------------------------------- */

static uint32_t row_at(const eti_row_list *list, uint64_t i) {
    return i < list->n ? list->rows[i] : ETI_NO_ROW;
}

/* Stores the row with the bytes of a tensor, or ETI_NO_ROW. */
static eti_status find_row(maker *m, const eti_pte_tensor *tensor, uint32_t *out) {
    *out = ETI_NO_ROW;
    if (tensor->is_external) {
        if (!eti__size_names_ask(&m->names, tensor->name, tensor->n_bytes, out))
            return eti_fail_memory(m->err);
    } else if (tensor->has_initial_data) {
        *out = row_at(&m->mutable_data[tensor->mutable_data], tensor->data_buffer_idx);
    } else if (!tensor->is_planned) {
        *out = row_at(&m->constants, tensor->data_buffer_idx);
    }
    return ETI_OK;
}

/* Records that a method uses a row. */
static void note_method(maker *m, uint32_t row, uint32_t plan) {
    if (m->last_plan[row] == plan + 1)
        return;
    m->last_plan[row] = plan + 1;
    m->rows[row].n_methods++;
}

/* Extends a slot to the end of the largest tensor in it. */
static void note_tensor(maker *m, uint32_t row, const eti_pte_tensor *tensor) {
    eti_size_row *of = &m->rows[row];
    uint64_t bytes = tensor->n_bytes == ETI_PTE_UNKNOWN_SIZE ? 0 : tensor->n_bytes, end;
    if (!of->tensor)
        of->tensor = tensor;
    if (!of->name.data)
        of->name = tensor->name;
    if (tensor->is_external || __builtin_add_overflow(m->extents[row].begin, bytes, &end))
        return;
    if (m->extents[row].end < end)
        m->extents[row].end = end;
}

static eti_status note_values(maker *m, uint32_t number, uint32_t *value_rows) {
    const eti_pte_plan *plan = &m->pte->plans[number];
    for (uint32_t v = 0; v < plan->n_values; v++) {
        const eti_pte_tensor *tensor = eti__pte_tensor_at(plan, (int32_t)v);
        value_rows[v] = ETI_NO_ROW;
        if (tensor)
            ETI_TRY(find_row(m, tensor, &value_rows[v]));
        if (value_rows[v] == ETI_NO_ROW)
            continue;
        note_tensor(m, value_rows[v], tensor);
        note_method(m, value_rows[v], number);
    }
    return ETI_OK;
}

static eti_status note_delegates(maker *m, uint32_t number, uint32_t *delegate_rows,
                                 eti_row_list *delegate_names) {
    const eti_pte_plan *plan = &m->pte->plans[number];
    for (uint32_t d = 0; d < plan->n_delegates; d++) {
        const eti_pte_delegate *delegate = &plan->delegates[d];
        ETI_TRY(eti__size_names_ask_delegate(&m->names, delegate, &delegate_names[d], m->err));
        for (uint32_t i = 0; i < delegate_names[d].n; i++)
            note_method(m, delegate_names[d].rows[i], number);
        delegate_rows[d] =
            row_at(delegate->is_segment ? &m->segments : &m->inline_delegates, delegate->index);
        if (delegate_rows[d] == ETI_NO_ROW)
            continue;
        if (!m->rows[delegate_rows[d]].name.data)
            m->rows[delegate_rows[d]].name = delegate->id;
        note_method(m, delegate_rows[d], number);
    }
    return ETI_OK;
}

static eti_status note_plans(maker *m) {
    m->last_plan = eti__arena_alloc_zero(&m->scratch, m->n_rows, sizeof *m->last_plan);
    if (!m->last_plan)
        return eti_fail_memory(m->err);
    for (uint32_t p = 0; p < m->pte->n_plans; p++) {
        const eti_pte_plan *plan = &m->pte->plans[p];
        uint32_t *value_rows = eti__arena_alloc(&m->scratch, plan->n_values, sizeof *value_rows);
        uint32_t *delegate_rows =
            eti__arena_alloc(&m->scratch, plan->n_delegates, sizeof *delegate_rows);
        eti_row_list *names = eti__arena_alloc(&m->scratch, plan->n_delegates, sizeof *names);
        if (!value_rows || !delegate_rows || !names)
            return eti_fail_memory(m->err);
        ETI_TRY(note_values(m, p, value_rows));
        ETI_TRY(note_delegates(m, p, delegate_rows, names));
        ETI_TRY(eti__size_users_add(&m->users, &m->scratch, plan, p, value_rows, delegate_rows,
                                    names, m->err));
    }
    eti__size_users_sort(&m->users);
    return ETI_OK;
}

static int compare_offsets(const void *a, const void *b, void *context) {
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    (void)context;
    return (left > right) - (left < right);
}

/* Ends slots without a tensor where the next slot begins. */
static eti_status end_slots(maker *m, const eti_pte_slots *slots, const eti_row_list *rows) {
    if (rows->n == 0)
        return ETI_OK;
    uint32_t holder = m->segments.rows[slots->segment];
    uint64_t *offsets = eti__arena_alloc(&m->scratch, rows->n, sizeof *offsets);
    if (!offsets)
        return eti_fail_memory(m->err);
    memcpy(offsets, slots->offsets, rows->n * sizeof *offsets);
    eti__sort(offsets, rows->n, sizeof *offsets, compare_offsets, NULL);
    for (uint32_t i = 1; i < rows->n; i++) {
        eti_extent *extent = &m->extents[rows->rows[i]];
        uint32_t low = 0, high = rows->n; /* binary search for the first slot that begins later */
        if (m->rows[rows->rows[i]].tensor)
            continue;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (offsets[middle] <= slots->offsets[i])
                low = middle + 1;
            else
                high = middle;
        }
        extent->end =
            low < rows->n ? m->extents[holder].begin + offsets[low] : m->extents[holder].end;
    }
    return ETI_OK;
}

static eti_status end_all_slots(maker *m) {
    if (m->pte->has_constant_segment && m->pte->constants.n_offsets > 0)
        ETI_TRY(end_slots(m, &m->pte->constants, &m->constants));
    for (uint32_t i = 0; i < m->pte->n_mutable_data; i++)
        ETI_TRY(end_slots(m, &m->pte->mutable_data[i], &m->mutable_data[i]));
    return ETI_OK;
}

/* ---- the result -------------------------------------------------------------------------------- */

static int compare_rows(const void *a, const void *b, void *context) {
    const eti_size_row *left = a, *right = b;
    (void)context;
    if (left->category != right->category)
        return left->category < right->category ? -1 : 1;
    if (left->bytes != right->bytes)
        return left->bytes > right->bytes ? -1 : 1;
    if (left->file != right->file)
        return left->file < right->file ? -1 : 1;
    return (left->number > right->number) - (left->number < right->number);
}

static eti_status take_users(maker *m) {
    size_t at = 0;
    eti_size_use *uses = eti__arena_alloc(m->arena, m->users.n_uses, sizeof *uses);
    if (!uses)
        return eti_fail_memory(m->err);
    if (m->users.n_uses > 0)
        memcpy(uses, m->users.uses, m->users.n_uses * sizeof *uses);
    for (uint32_t i = 0; i < m->n_rows; i++) {
        size_t first = at;
        while (at < m->users.n_uses && uses[at].row == i)
            at++;
        m->rows[i].users = uses + first;
        m->rows[i].n_users = (uint32_t)(at - first);
    }
    return ETI_OK;
}

/* Sets the bytes of rows, and drops rows for remaining bytes if none remain. */
static void take_bytes(maker *m) {
    size_t n = 0;
    for (uint32_t i = 0; i < m->n_rows; i++) {
        eti_size_row *row = &m->rows[i];
        row->bytes = m->extents[i].bytes;
        if (!row->is_rest)
            row->data = (eti_text){(const char *)m->files[row->file] + m->extents[i].begin,
                                   (size_t)row->bytes};
        if (row->bytes > 0 || !row->is_rest)
            m->rows[n++] = *row;
    }
    m->n_rows = n;
}

static eti_status find_copies(maker *m, eti_size_row *rows, size_t n) {
    eti_text *texts = eti__arena_alloc(&m->scratch, n, sizeof *texts);
    uint32_t *copies = eti__arena_alloc(&m->scratch, n, sizeof *copies);
    if (!texts || !copies)
        return eti_fail_memory(m->err);
    for (size_t i = 0; i < n; i++)
        texts[i] = rows[i].data;
    ETI_TRY(eti__copies_find(copies, texts, n, m->err));
    for (size_t i = 0; i < n; i++) {
        rows[i].copy_of = copies[i];
        if (copies[i] != ETI_NO_COPY)
            m->out->duplicated += rows[i].bytes;
    }
    return ETI_OK;
}

static bool asks_for_any(const maker *m, const eti_ptd *ptd) {
    for (uint32_t i = 0; i < ptd->n_entries; i++) {
        if (eti__size_names_is_asked_for(&m->names, ptd->entries[i].key))
            return true;
    }
    return ptd->n_entries == 0;
}

/* Finds the requested names that are missing, and data files of which no name is requested. */
static eti_status match_names(maker *m, const eti_ptd *data, size_t n_data) {
    bool *is_other = eti__arena_alloc(m->arena, n_data, sizeof *is_other);
    if (!is_other)
        return eti_fail_memory(m->err);
    m->out->n_missing = eti__size_names_count_missing(&m->names);
    m->out->missing = m->names.n_missing;
    m->out->is_other = is_other;
    for (size_t i = 0; i < n_data; i++)
        is_other[i] = !m->names.is_unsure && !asks_for_any(m, &data[i]);
    return ETI_OK;
}

/* Frees the data from which the rows were made. */
static void free_parts(maker *m) {
    free(m->rows);
    free(m->extents);
    eti__size_names_free(&m->names);
    eti__size_users_free(&m->users);
    eti__arena_free(&m->scratch);
    m->rows = NULL;
    m->extents = NULL;
}

static eti_status finish(maker *m) {
    eti_sizes *out = m->out;
    size_t n;
    ETI_TRY(eti__extents_share(m->extents, m->n_rows, m->err));
    ETI_TRY(take_users(m));
    take_bytes(m);
    n = m->n_rows;
    eti__sort(m->rows, n, sizeof *m->rows, compare_rows, NULL);
    eti_size_row *rows = eti__arena_alloc(m->arena, n, sizeof *rows);
    if (!rows)
        return eti_fail_memory(m->err);
    memcpy(rows, m->rows, n * sizeof *rows);
    free_parts(m);
    ETI_TRY(find_copies(m, rows, n));
    out->rows = rows;
    out->n_rows = (uint32_t)n;
    for (uint32_t i = 0; i < out->n_rows; i++) {
        out->by_category[rows[i].category] += rows[i].bytes;
        out->file_size += rows[i].bytes;
    }
    return ETI_OK;
}

static eti_status make(maker *m, const eti_ptd *data, size_t n_data) {
    m->files = eti__arena_alloc(&m->scratch, n_data + 1, sizeof *m->files);
    if (!m->files)
        return eti_fail_memory(m->err);
    m->files[0] = m->pte ? m->pte->file->data : NULL;
    if (m->pte)
        ETI_TRY(add_program(m));
    for (size_t i = 0; i < n_data; i++)
        ETI_TRY(add_data_file(m, &data[i], (uint32_t)(i + 1)));
    if (m->pte) {
        ETI_TRY(note_plans(m));
        ETI_TRY(end_all_slots(m));
    }
    m->names.is_unsure = m->names.is_unsure || !m->pte;
    ETI_TRY(match_names(m, data, n_data));
    return finish(m);
}

eti_status eti__sizes_make(eti_sizes *out, eti_arena *arena, const eti_pte *pte,
                           const eti_ptd *data, size_t n_data, eti_error *err) {
    *out = (eti_sizes){0};
    maker m = {.out = out, .pte = pte, .arena = arena, .err = err};
    m.names = (eti_size_names){.arena = &m.scratch,
                               .n_left = pte ? PAYLOADS_READ * (uint64_t)pte->file->size : 0};
    eti_status status = make(&m, data, n_data);
    free_parts(&m);
    return status;
}
