/*
 * unpickler.c - runs a pickle, which is a program for a machine with a stack and a memo:
 *
 *     PROTO 2 | opcode [argument] ... | STOP
 *
 * An opcode pushes a value, or takes values off the stack and pushes one made from them. MARK remembers the height of the
 * stack, for opcodes that take all values above it. PUT gives the topmost value a number, GET pushes it again: containers
 * may change afterwards. Numbers are little-endian, except for floats.
 */
#include "tensors/unpickler.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

#define ETI_PICKLE_MOST_OPCODES 1000000
#define ETI_PICKLE_MOST_DEPTH 64

#define MOST_VISITS 2000000

typedef struct unpickler {
    const uint8_t *bytes;
    size_t size, at;
    size_t opcode_at;
    size_t n_opcodes;
    eti_arena *arena;
    const eti_pickle_rules *rules;
    eti_error *err;
    eti_saved_value **stack;
    size_t n_stack, stack_capacity;
    size_t *marks; /* stack heights */
    size_t n_marks, marks_capacity;
    eti_saved_value **memo; /* NULL: no such number */
    size_t n_memo, memo_capacity;
    bool has_stopped;
} unpickler;

static eti_status fail_at(const unpickler *u, const char *what) {
    return eti_fail(u->err, ETI_ERROR_MALFORMED, "byte %zu: %s", u->opcode_at, what);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static eti_status take_bytes(unpickler *u, size_t n, const uint8_t **bytes) {
    if (n > u->size - u->at)
        return fail_at(u, "the pickle was cut short");
    *bytes = u->bytes + u->at;
    u->at += n;
    return ETI_OK;
}

static eti_status take_number(unpickler *u, size_t width, uint64_t *number) {
    const uint8_t *bytes = NULL;
    ETI_TRY(take_bytes(u, width, &bytes));
    *number = 0;
    for (size_t i = 0; i < width; i++)
        *number |= (uint64_t)bytes[i] << (8 * i);
    return ETI_OK;
}

static eti_status take_line(unpickler *u, eti_text *line) {
    const uint8_t *from = u->bytes + u->at, *end = memchr(from, '\n', u->size - u->at);
    if (!end)
        return fail_at(u, "the pickle was cut short");
    *line = (eti_text){(const char *)from, (size_t)(end - from)};
    u->at += line->size + 1;
    return ETI_OK;
}

/* ---- the stack ------------------------------------------------------------------------------- */

static eti_status push(unpickler *u, eti_saved_value *value) {
    if (!ETI_GROW(u->stack, u->stack_capacity, u->n_stack + 1))
        return eti_fail_memory(u->err);
    u->stack[u->n_stack++] = value;
    return ETI_OK;
}

static eti_status push_new(unpickler *u, eti_saved_value value) {
    eti_saved_value *copy = eti__arena_alloc(u->arena, 1, sizeof *copy);
    if (!copy)
        return eti_fail_memory(u->err);
    *copy = value;
    return push(u, copy);
}

/* Returns the height below which the stack belongs to values before the last mark. */
static size_t stack_bottom(const unpickler *u) {
    return u->n_marks > 0 ? u->marks[u->n_marks - 1] : 0;
}

/* Takes `n` values off the stack; `*values` is valid until the next push. */
static eti_status pop(unpickler *u, size_t n, eti_saved_value ***values) {
    if (n > u->n_stack - stack_bottom(u) || !u->stack)
        return fail_at(u, "an opcode takes more items than the stack has");
    u->n_stack -= n;
    *values = u->stack + u->n_stack;
    return ETI_OK;
}

/* Takes all values above the last mark, and the mark. */
static eti_status pop_marked(unpickler *u, eti_saved_value ***values, size_t *n) {
    if (u->n_marks == 0)
        return fail_at(u, "an opcode takes the items after a mark, but there is no mark");
    size_t height = u->marks[--u->n_marks];
    *n = u->n_stack - height;
    *values = *n > 0 ? u->stack + height : NULL;
    u->n_stack = height;
    return ETI_OK;
}

static eti_status push_mark(unpickler *u) {
    if (!ETI_GROW(u->marks, u->marks_capacity, u->n_marks + 1))
        return eti_fail_memory(u->err);
    u->marks[u->n_marks++] = u->n_stack;
    return ETI_OK;
}

/* ---- containers ------------------------------------------------------------------------------ */

/* Appends items to a container. Their number cannot overflow, because there are fewer items than opcodes. */
static bool add_items(unpickler *u, eti_saved_value *container, eti_saved_value *const *items,
                      size_t n) {
    size_t needed = container->n_items + n;
    if (needed > container->items_capacity) {
        size_t capacity = needed > 2 * (size_t)container->items_capacity
                              ? needed
                              : 2 * (size_t)container->items_capacity;
        const eti_saved_value **grown =
            eti__arena_alloc(u->arena, capacity, sizeof *container->items);
        if (!grown)
            return false;
        if (container->n_items > 0)
            memcpy((void *)grown, (const void *)container->items,
                   container->n_items * sizeof *grown);
        container->items = grown;
        container->items_capacity = (uint32_t)capacity;
    }
    if (n > 0)
        memcpy((void *)(container->items + container->n_items), (const void *)items,
               n * sizeof *items);
    container->n_items = (uint32_t)needed;
    return true;
}

static eti_status push_tuple(unpickler *u, eti_saved_value *const *items, size_t n) {
    eti_saved_value tuple = {.kind = ETI_SAVED_TUPLE};
    if (!add_items(u, &tuple, items, n))
        return eti_fail_memory(u->err);
    return push_new(u, tuple);
}

/* Appends to the container on top of the stack, a list or a dict. */
static eti_status append(unpickler *u, eti_saved_kind kind, eti_saved_value *const *items,
                         size_t n) {
    if (u->n_stack == stack_bottom(u) || !u->stack || u->stack[u->n_stack - 1]->kind != kind)
        return fail_at(u, kind == ETI_SAVED_LIST
                              ? "items are appended to a value that is not a list"
                              : "items are set in a value that is not a dict");
    if (kind == ETI_SAVED_DICT && n % 2 != 0)
        return fail_at(u, "a key has no value");
    return add_items(u, u->stack[u->n_stack - 1], items, n) ? ETI_OK : eti_fail_memory(u->err);
}

static eti_status append_marked(unpickler *u, eti_saved_kind kind) {
    eti_saved_value **items = NULL;
    size_t n = 0;
    ETI_TRY(pop_marked(u, &items, &n));
    return append(u, kind, items, n);
}

static eti_status append_popped(unpickler *u, eti_saved_kind kind, size_t n) {
    eti_saved_value **items = NULL;
    ETI_TRY(pop(u, n, &items));
    return append(u, kind, items, n);
}

/* ---- opcodes --------------------------------------------------------------------------------- */

static eti_status push_tuple_of(unpickler *u, size_t n) {
    eti_saved_value **items = NULL;
    ETI_TRY(pop(u, n, &items));
    return push_tuple(u, items, n);
}

static eti_status push_marked_tuple(unpickler *u) {
    eti_saved_value **items = NULL;
    size_t n = 0;
    ETI_TRY(pop_marked(u, &items, &n));
    return push_tuple(u, items, n);
}

static eti_status push_kind(unpickler *u, eti_saved_kind kind) {
    return push_new(u, (eti_saved_value){.kind = kind});
}

static eti_status push_bool(unpickler *u, bool value) {
    return push_new(u, (eti_saved_value){.kind = ETI_SAVED_BOOL, .as_bool = value});
}

static eti_status push_int(unpickler *u, size_t width) {
    uint64_t number = 0;
    ETI_TRY(take_number(u, width, &number));
    int64_t value = width == 4 ? (int64_t)(int32_t)(uint32_t)number : (int64_t)number;
    return push_new(u, (eti_saved_value){.kind = ETI_SAVED_INT, .as_int = value});
}

/* Pushes a long integer, whose sign is that of its last byte. */
static eti_status push_long(unpickler *u) {
    uint64_t size = 0, number = 0;
    ETI_TRY(take_number(u, 1, &size));
    if (size > 8)
        return fail_at(u, "an integer has more than 64 bits");
    ETI_TRY(take_number(u, (size_t)size, &number));
    if (size > 0 && size < 8 && (number >> (8 * size - 1)) & 1)
        number |= UINT64_MAX << (8 * size);
    return push_new(u, (eti_saved_value){.kind = ETI_SAVED_INT, .as_int = (int64_t)number});
}

static eti_status push_float(unpickler *u) {
    const uint8_t *bytes = NULL;
    uint64_t bits = 0;
    eti_saved_value value = {.kind = ETI_SAVED_FLOAT};
    ETI_TRY(take_bytes(u, 8, &bytes));
    for (size_t i = 0; i < 8; i++)
        bits = bits << 8 | bytes[i];
    memcpy(&value.as_float, &bits, sizeof bits);
    return push_new(u, value);
}

static eti_status push_text(unpickler *u) {
    uint64_t size = 0;
    const uint8_t *bytes = NULL;
    ETI_TRY(take_number(u, 4, &size));
    ETI_TRY(take_bytes(u, (size_t)size, &bytes));
    const eti_text text = {(const char *)bytes, (size_t)size};
    if (eti__text_valid_utf8(text) < text.size)
        return fail_at(u, "a string is not UTF-8");
    return push_new(
        u, (eti_saved_value){.kind = ETI_SAVED_TEXT, .text = text.data, .text_size = text.size});
}

static eti_status push_global(unpickler *u) {
    eti_text module, name;
    eti_saved_value value = {.kind = ETI_SAVED_NONE};
    ETI_TRY(take_line(u, &module));
    ETI_TRY(take_line(u, &name));
    if (!u->rules->find_global(&value, module, name))
        return eti_fail(u->err, ETI_ERROR_MALFORMED,
                        "byte %zu: %.*s.%.*s: only tensors, numbers, strings and their containers "
                        "are read, and nothing is executed",
                        u->opcode_at, ETI_TEXT_ARGS(module), ETI_TEXT_ARGS(name));
    return push_new(u, value);
}

static eti_status name_place(const unpickler *u, eti_status status) {
    if (status != ETI_OK && status != ETI_ERROR_MEMORY)
        eti__error_prefix(u->err, "byte %zu", u->opcode_at);
    return status;
}

static eti_status push_persistent(unpickler *u) {
    eti_saved_value **id = NULL, value = {.kind = ETI_SAVED_NONE};
    ETI_TRY(pop(u, 1, &id));
    ETI_TRY(name_place(u, u->rules->load(u->rules->context, &value, id[0], u->err)));
    return push_new(u, value);
}

static eti_status push_result(unpickler *u) {
    eti_saved_value **call = NULL, value = {.kind = ETI_SAVED_NONE};
    ETI_TRY(pop(u, 2, &call));
    if (call[0]->kind != ETI_SAVED_FUNCTION || call[1]->kind != ETI_SAVED_TUPLE)
        return fail_at(u, "the called object is not a function with its arguments");
    ETI_TRY(name_place(u, u->rules->call(u->rules->context, &value, call[0], call[1], u->err)));
    return push_new(u, value);
}

static eti_status memo_put(unpickler *u, size_t width) {
    uint64_t number = 0;
    ETI_TRY(take_number(u, width, &number));
    if (u->n_stack == stack_bottom(u))
        return fail_at(u, "an opcode takes more items than the stack has");
    if (number > u->n_opcodes)
        return fail_at(u, "a memo number is larger than the number of opcodes before it");
    if (!ETI_GROW(u->memo, u->memo_capacity, (size_t)number + 1))
        return eti_fail_memory(u->err);
    while (u->n_memo <= number)
        u->memo[u->n_memo++] = NULL;
    u->memo[number] = u->stack[u->n_stack - 1];
    return ETI_OK;
}

static eti_status memo_get(unpickler *u, size_t width) {
    uint64_t number = 0;
    ETI_TRY(take_number(u, width, &number));
    if (number >= u->n_memo || !u->memo[number])
        return fail_at(u, "an opcode takes a memo number that was never stored");
    return push(u, u->memo[number]);
}

/* Drops the attributes of an OrderedDict, such as the _metadata of state_dict(), from the stack. Python would call a method of
 * any other object. */
static eti_status drop_attributes(unpickler *u) {
    eti_saved_value **items = NULL;
    ETI_TRY(pop(u, 2, &items));
    if (!items[0]->has_attributes || items[1]->kind != ETI_SAVED_DICT)
        return fail_at(u, "opcode BUILD, which changes an object, is rejected, except with the "
                          "attributes of an OrderedDict: nothing is executed");
    return push(u, items[0]);
}

static eti_status refuse_opcode(const unpickler *u, uint8_t opcode) {
    return eti_fail(
        u->err, ETI_ERROR_MALFORMED,
        "byte %zu: unsupported opcode 0x%02x: torch.save does not write it with pickle protocol 2",
        u->opcode_at, opcode);
}

static eti_status run_opcode(unpickler *u, uint8_t opcode) {
    switch (opcode) {
    case '.':
        u->has_stopped = true;
        return ETI_OK;
    case '(':
        return push_mark(u);
    case '}':
        return push_kind(u, ETI_SAVED_DICT);
    case ']':
        return push_kind(u, ETI_SAVED_LIST);
    case ')':
        return push_kind(u, ETI_SAVED_TUPLE);
    case 't':
        return push_marked_tuple(u);
    case 0x85:
        return push_tuple_of(u, 1);
    case 0x86:
        return push_tuple_of(u, 2);
    case 0x87:
        return push_tuple_of(u, 3);
    case 'a':
        return append_popped(u, ETI_SAVED_LIST, 1);
    case 'e':
        return append_marked(u, ETI_SAVED_LIST);
    case 's':
        return append_popped(u, ETI_SAVED_DICT, 2);
    case 'u':
        return append_marked(u, ETI_SAVED_DICT);
    case 'q':
        return memo_put(u, 1);
    case 'r':
        return memo_put(u, 4);
    case 'h':
        return memo_get(u, 1);
    case 'j':
        return memo_get(u, 4);
    case 'X':
        return push_text(u);
    case 'c':
        return push_global(u);
    case 'R':
        return push_result(u);
    case 'b':
        return drop_attributes(u);
    case 'Q':
        return push_persistent(u);
    case 'J':
        return push_int(u, 4);
    case 'K':
        return push_int(u, 1);
    case 'M':
        return push_int(u, 2);
    case 0x8a:
        return push_long(u);
    case 'G':
        return push_float(u);
    case 0x88:
        return push_bool(u, true);
    case 0x89:
        return push_bool(u, false);
    case 'N':
        return push_kind(u, ETI_SAVED_NONE);
    default:
        return refuse_opcode(u, opcode);
    }
}

static eti_status run_pickle(unpickler *u) {
    const uint8_t *opcode = NULL;
    if (u->size < 2 || u->bytes[0] != 0x80 || u->bytes[1] != 2)
        return fail_at(u, "expected a pickle of protocol 2");
    u->at = 2;
    while (!u->has_stopped) {
        u->opcode_at = u->at;
        ETI_TRY(take_bytes(u, 1, &opcode));
        if (++u->n_opcodes > ETI_PICKLE_MOST_OPCODES)
            return eti_fail(u->err, ETI_ERROR_LIMIT, "byte %zu: more than %d opcodes", u->opcode_at,
                            ETI_PICKLE_MOST_OPCODES);
        ETI_TRY(run_opcode(u, *opcode));
    }
    if (u->n_stack != 1 || u->n_marks > 0)
        return fail_at(u, "the end leaves more or less than one value on the stack");
    return u->at == u->size ? ETI_OK : fail_at(u, "bytes follow the end of the pickle");
}

/* ---- the value as a whole -------------------------------------------------------------------- */

/* A container on the path from the top to a value. */
typedef struct container_visit {
    const eti_saved_value *container;
    uint32_t next; /* index of the next item */
} container_visit;

typedef struct value_walk {
    container_visit way[ETI_PICKLE_MOST_DEPTH];
    size_t depth, n_visits;
    uint64_t tensor_bytes;
} value_walk;

static eti_status visit_value(const unpickler *u, value_walk *walk, const eti_saved_value *value) {
    if (++walk->n_visits > MOST_VISITS)
        return eti_fail(u->err, ETI_ERROR_LIMIT,
                        "its containers share so many items that more than %d would be visited",
                        MOST_VISITS);
    switch (value->kind) {
    case ETI_SAVED_FUNCTION:
    case ETI_SAVED_STORAGE:
        return eti_fail(u->err, ETI_ERROR_MALFORMED,
                        "a function or a storage is in the place of a value");
    case ETI_SAVED_TENSOR:
        if (__builtin_add_overflow(walk->tensor_bytes, eti__tensor_values_size(value->tensor),
                                   &walk->tensor_bytes) ||
            walk->tensor_bytes > u->rules->most_tensor_bytes)
            return eti_fail(
                u->err, ETI_ERROR_LIMIT,
                "its tensors share so many bytes that together they take more than %llu",
                (unsigned long long)u->rules->most_tensor_bytes);
        return ETI_OK;
    case ETI_SAVED_LIST:
    case ETI_SAVED_TUPLE:
    case ETI_SAVED_DICT:
        if (walk->depth == ETI_PICKLE_MOST_DEPTH)
            return eti_fail(u->err, ETI_ERROR_LIMIT,
                            "its containers are nested more than %d deep, or one contains itself",
                            ETI_PICKLE_MOST_DEPTH);
        walk->way[walk->depth++] = (container_visit){value, 0};
        return ETI_OK;
    default:
        return ETI_OK;
    }
}

/* Visits all items of all containers, as their user will, to check the limits. */
static eti_status check_value(const unpickler *u, const eti_saved_value *value) {
    value_walk walk = {.depth = 0};
    ETI_TRY(visit_value(u, &walk, value));
    while (walk.depth > 0) {
        container_visit *visit = &walk.way[walk.depth - 1];
        if (visit->next == visit->container->n_items)
            walk.depth--;
        else
            ETI_TRY(visit_value(u, &walk, visit->container->items[visit->next++]));
    }
    return ETI_OK;
}

eti_status eti__unpickle(const eti_saved_value **out, eti_arena *arena, eti_text pickle,
                         const eti_pickle_rules *rules, eti_error *err) {
    unpickler u = {.bytes = (const uint8_t *)pickle.data,
                   .size = pickle.size,
                   .arena = arena,
                   .rules = rules,
                   .err = err};
    *out = NULL;
    eti_status status = run_pickle(&u);
    if (status == ETI_OK)
        status = check_value(&u, u.stack[0]);
    if (status == ETI_OK)
        *out = u.stack[0];
    free((void *)u.stack);
    free((void *)u.memo);
    free(u.marks);
    return status;
}
