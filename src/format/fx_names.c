#include "format/fx_names.h"

#include "base/array.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* What a name may not be unless it is numbered: Python's keywords and builtins, and torch.fx's own.
 * Sorted; "None" is missing as it is in torch, where its value stands for "not found".
 * (Not formatted: one name per line would fill four pages.) */
// clang-format off
static const char *const reserved_names[] = {
    "ArithmeticError", "AssertionError", "AttributeError", "BaseException", "BaseExceptionGroup",
    "BlockingIOError", "BrokenPipeError", "BufferError", "BytesWarning", "ChildProcessError",
    "ConnectionAbortedError", "ConnectionError", "ConnectionRefusedError", "ConnectionResetError",
    "DeprecationWarning", "EOFError", "Ellipsis", "EncodingWarning", "EnvironmentError",
    "Exception", "ExceptionGroup", "False", "FileExistsError", "FileNotFoundError",
    "FloatingPointError", "FutureWarning", "GeneratorExit", "IOError", "ImportError",
    "ImportWarning", "IndentationError", "IndexError", "InterruptedError", "IsADirectoryError",
    "KeyError", "KeyboardInterrupt", "LookupError", "MemoryError", "ModuleNotFoundError",
    "NameError", "NoneType", "NotADirectoryError", "NotImplemented", "NotImplementedError",
    "OSError", "OverflowError", "PendingDeprecationWarning", "PermissionError",
    "ProcessLookupError", "RecursionError", "ReferenceError", "ResourceWarning", "RuntimeError",
    "RuntimeWarning", "StopAsyncIteration", "StopIteration", "SyntaxError", "SyntaxWarning",
    "SystemError", "SystemExit", "TabError", "TimeoutError", "True", "TypeError",
    "UnboundLocalError", "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError",
    "UnicodeTranslateError", "UnicodeWarning", "UserWarning", "ValueError", "Warning",
    "ZeroDivisionError", "__build_class__", "__debug__", "__doc__", "__import__", "__loader__",
    "__name__", "__package__", "__spec__", "abs", "aiter", "all", "and", "anext", "any", "as",
    "ascii", "assert", "async", "await", "bin", "bool", "break", "breakpoint", "bytearray",
    "bytes", "callable", "chr", "class", "classmethod", "compile", "complex", "continue",
    "copyright", "credits", "def", "del", "delattr", "device", "dict", "dir", "divmod", "elif",
    "else", "enumerate", "eval", "except", "exec", "exit", "filter", "finally", "float", "for",
    "format", "from", "frozenset", "fx_pytree", "getattr", "global", "globals", "hasattr", "hash",
    "help", "hex", "id", "if", "import", "in", "inf", "input", "int", "is", "isinstance",
    "issubclass", "iter", "lambda", "len", "license", "list", "locals", "map", "max",
    "memoryview", "min", "nan", "next", "nonlocal", "not", "object", "oct", "open", "or", "ord",
    "pass", "pow", "print", "property", "pytree", "quit", "raise", "range", "repr", "return",
    "reversed", "round", "set", "setattr", "slice", "sorted", "staticmethod", "str", "sum",
    "super", "torch", "try", "tuple", "type", "vars", "while", "with", "yield", "zip",
};
// clang-format on

/* Larger numbers are all the same: they can only come from a name that is one already. */
#define LARGEST_NUMBER UINT64_C(1000000000000000000)

void eti_fx_names_init(eti_fx_names *names, eti_arena *arena) {
    *names = (eti_fx_names){.arena = arena};
}

void eti_fx_names_free(eti_fx_names *names) {
    eti_text_table_free(&names->used);
    eti_text_table_free(&names->bases);
    free(names->next_number);
    free(names->last_number);
    *names = (eti_fx_names){0};
}

/* ---- the shape of a name --------------------------------------------------------------------- */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_name_character(char c) {
    return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int compare_name(const void *key, const void *entry) {
    const eti_text *name = key;
    const char *reserved = *(const char *const *)entry;
    size_t size = strlen(reserved);
    int order = memcmp(name->data, reserved, name->size < size ? name->size : size);
    return order != 0 ? order : (name->size > size) - (name->size < size);
}

static bool is_reserved(eti_text name) {
    return bsearch(&name, reserved_names, sizeof reserved_names / sizeof *reserved_names,
                   sizeof *reserved_names, compare_name) != NULL;
}

static bool is_identifier(eti_text text) {
    if (text.size == 0 || is_digit(text.data[0]))
        return false;
    for (size_t i = 0; i < text.size; i++) {
        if (!is_name_character(text.data[i]))
            return false;
    }
    return true;
}

/* Every run of other characters becomes one "_"; a leading digit gets one before it. */
static bool make_identifier(eti_arena *arena, eti_text *text) {
    if (text->size == 0) {
        *text = eti_text_of("_unnamed");
        return true;
    }
    char *made = eti_arena_alloc(arena, text->size + 1, 1);
    if (!made)
        return false;
    size_t n = 1; /* room for a "_" in front */
    for (size_t i = 0; i < text->size; i++) {
        if (is_name_character(text->data[i]))
            made[n++] = text->data[i];
        else if (i == 0 || is_name_character(text->data[i - 1]))
            made[n++] = '_';
    }
    made[0] = '_';
    bool digit_first = n > 1 && is_digit(made[1]);
    *text = digit_first ? (eti_text){made, n} : (eti_text){made + 1, n - 1};
    return true;
}

/* Splits "x_12" into "x" and 12; false when `name` has no number. */
static bool split_number(eti_text name, eti_text *base, uint64_t *number) {
    *base = name;
    size_t digits = name.size;
    while (digits > 0 && is_digit(name.data[digits - 1]))
        digits--;
    if (digits == name.size || digits < 2 || name.data[digits - 1] != '_')
        return false;
    base->size = digits - 1;
    *number = 0;
    for (size_t i = digits; i < name.size && *number < LARGEST_NUMBER; i++)
        *number = *number * 10 + (uint64_t)(name.data[i] - '0');
    return true;
}

/* ---- taking names ---------------------------------------------------------------------------- */

static bool add_number(eti_arena *arena, eti_text base, uint64_t number, eti_text *out) {
    char ending[21];
    char *end = ending + sizeof ending;
    char *first = eti_write_u64(end, number);
    *--first = '_';
    size_t size = (size_t)(end - first);
    char *text = eti_arena_alloc(arena, base.size + size, 1);
    if (!text)
        return false;
    memcpy(text, base.data, base.size);
    memcpy(text + base.size, first, size);
    *out = (eti_text){text, base.size + size};
    return true;
}

/* The entry of `base`, at 0 when it is new; NULL: out of memory. */
static uint64_t *last_number_of(eti_fx_names *names, eti_text base) {
    size_t old_count = names->bases.count;
    uint32_t entry;
    if (!ETI_GROW(names->last_number, names->bases_capacity, old_count + 1) ||
        !eti_text_table_add(&names->bases, base, NULL, &entry))
        return NULL;
    if (entry == old_count)
        names->last_number[entry] = 0;
    return &names->last_number[entry];
}

static bool take(eti_fx_names *names, eti_text name, uint64_t number) {
    uint32_t entry;
    if (!ETI_GROW(names->next_number, names->used_capacity, names->used.count + 1) ||
        !eti_text_table_add(&names->used, name, NULL, &entry))
        return false;
    names->next_number[entry] = number + 1;
    return true;
}

/* Counts on from `*number` to a name that is free. Torch tries every number; here a number that is
 * taken remembers how far the taken ones reach, so that no graph makes this slow. */
static bool find_free(eti_fx_names *names, eti_text base, eti_text *name, uint64_t *number) {
    uint32_t entry;
    uint32_t before = ETI_INDEX_END; /* the numbered name that led to this one */
    bool numbered = false;
    while (eti_text_table_find(&names->used, *name, &entry)) {
        *number = numbered ? names->next_number[entry] : *number + 1;
        if (before != ETI_INDEX_END)
            names->next_number[before] = *number;
        before = numbered ? entry : ETI_INDEX_END;
        numbered = true;
        if (!add_number(names->arena, base, *number, name))
            return false;
    }
    return true;
}

bool eti_fx_names_create(eti_fx_names *names, eti_text wanted, eti_text *out) {
    eti_arena *arena = names->arena;
    eti_text name = wanted;
    if (!is_identifier(name) && !make_identifier(arena, &name))
        return false;

    eti_text base;
    uint64_t number = 0;
    uint32_t ignored;
    bool free_number =
        split_number(name, &base, &number) && !eti_text_table_find(&names->used, name, &ignored);
    uint64_t *last = last_number_of(names, base);
    if (!last)
        return false;
    if (!free_number) {
        number = *last;
        if (is_reserved(name) && !add_number(arena, base, ++number, &name))
            return false;
        if (!find_free(names, base, &name, &number))
            return false;
    }
    *last = number;
    *out = name;
    return take(names, name, number);
}

/* ---- names from targets ---------------------------------------------------------------------- */

static bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

static char to_lower(char c) {
    if (is_upper(c))
        return (char)(c - 'A' + 'a');
    return c;
}

static bool has_upper(eti_text text) {
    size_t i = 0;
    while (i < text.size && !is_upper(text.data[i]))
        i++;
    return i < text.size;
}

bool eti_fx_names_create_from_callable(eti_fx_names *names, eti_text target, eti_text *out) {
    if (!has_upper(target))
        return eti_fx_names_create(names, target, out);
    char *snake = eti_arena_alloc(names->arena, target.size, 2);
    if (!snake)
        return false;
    size_t n = 0;
    for (size_t i = 0; i < target.size; i++) {
        char c = target.data[i];
        if (is_upper(c) && i > 0 && target.data[i - 1] >= 'a' && target.data[i - 1] <= 'z')
            snake[n++] = '_';
        snake[n++] = to_lower(c);
    }
    return eti_fx_names_create(names, (eti_text){snake, n}, out);
}

static bool is_underscored(const char *two) {
    return two[0] == '_' && two[1] == '_';
}

bool eti_fx_names_create_from_str(eti_fx_names *names, eti_text target, eti_text *out) {
    if (target.size >= 2 && is_underscored(target.data) &&
        is_underscored(target.data + target.size - 2))
        target = target.size < 4 ? eti_text_of("") : (eti_text){target.data + 2, target.size - 4};
    return eti_fx_names_create_from_callable(names, target, out);
}
