#include "etrecord/fx_names.h"

#include <stdlib.h>
#include <string.h>

/* Names that must be numbered: Python's keywords and builtins, and torch.fx's own. Sorted. "None" is missing, as in
 * torch, where its value stands for "not found". (Not formatted: with one name per line, they would fill four pages.) */
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

/* Larger numbers are treated alike: they can only be part of a name that has been given before. */
#define LARGEST_NUMBER UINT64_C(1000000000000000000)

void eti__fx_names_init(eti_fx_names *names, eti_arena *arena) {
    *names = (eti_fx_names){.arena = arena};
}

void eti__fx_names_free(eti_fx_names *names) {
    eti__intern_free(&names->bases.table);
    eti__intern_free(&names->numbers.table);
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

/* Replaces every run of other characters by one "_", and puts one before a leading digit. */
static bool make_identifier(eti_arena *arena, eti_text *text) {
    if (text->size == 0) {
        *text = (eti_text){"_unnamed_", sizeof "_unnamed" - 1};
        return true;
    }
    char *made = eti__arena_alloc(arena, text->size + 2, 1);
    if (!made)
        return false;
    size_t n = 1; /* room for a "_" at the front */
    for (size_t i = 0; i < text->size; i++) {
        if (is_name_character(text->data[i]))
            made[n++] = text->data[i];
        else if (i == 0 || is_name_character(text->data[i - 1]))
            made[n++] = '_';
    }
    made[0] = made[n] = '_';
    bool digit_first = n > 1 && is_digit(made[1]);
    *text = digit_first ? (eti_text){made, n} : (eti_text){made + 1, n - 1};
    return true;
}

/* Splits "x_12" into "x" and 12 as torch does. Returns false if the name does not end in a number that could have been
 * appended: there is none, or it is like "012", or too large. */
static bool split_number(eti_text name, eti_text *stem, uint64_t *number) {
    *stem = name;
    size_t digits = name.size;
    while (digits > 0 && is_digit(name.data[digits - 1]))
        digits--;
    if (digits == name.size || digits < 2 || name.data[digits - 1] != '_')
        return false;
    stem->size = digits - 1;
    *number = 0;
    size_t i = digits;
    for (; i < name.size && *number < LARGEST_NUMBER; i++)
        *number = *number * 10 + (uint64_t)(name.data[i] - '0');
    bool zero_first = name.data[digits] == '0' && name.size - digits > 1;
    return !zero_first && i == name.size;
}

static bool add_number(eti_arena *arena, eti_text stem, uint64_t number, eti_text *out) {
    char ending[22];
    char *end = ending + sizeof ending;
    *--end = '_'; /* not part of the name */
    char *first = eti__write_u64(end, number);
    *--first = '_';
    size_t size = (size_t)(end - first);
    char *text = eti__arena_alloc(arena, stem.size + size + 1, 1);
    if (!text)
        return false;
    memcpy(text, stem.data, stem.size);
    memcpy(text + stem.size, first, size + 1);
    *out = (eti_text){text, stem.size + size};
    return true;
}

/* ---- taken numbers --------------------------------------------------------------------------- */

static const eti_intern_kind number_kind = {.item_size = sizeof(eti_fx_number),
                                            .key_size = offsetof(eti_fx_number, next)};

/* Returns the entry of a number that was taken out of sequence; NULL if it was not. */
static eti_fx_number *find_number(const eti_fx_names *names, uint32_t base, uint64_t number) {
    uint32_t i;
    eti_fx_number key = {.base = base, .number = number};
    return eti__intern_find(&names->numbers.table, &number_kind, &key, &i)
               ? &names->numbers.items[i]
               : NULL;
}

static bool is_number_taken(const eti_fx_names *names, uint32_t base, uint64_t number) {
    return (number > 0 && number <= names->bases.items[base].n_in_row) ||
           find_number(names, base, number) != NULL;
}

static bool take_number(eti_fx_names *names, uint32_t base, uint64_t number) {
    names->bases.items[base].last_number = number;
    if (number == names->bases.items[base].n_in_row + 1) {
        names->bases.items[base].n_in_row = number;
        return true;
    }
    uint32_t i;
    return eti__intern_add(&names->numbers.table, &number_kind,
                           &(eti_fx_number){base, number, number + 1}, &i);
}

/* Returns the first free number from `start` (> 0) on. Torch tries every number; here, a taken number remembers the end
 * of the taken ones, so that no graph makes this slow. */
static uint64_t find_free_number(eti_fx_names *names, uint32_t base, uint64_t start) {
    eti_fx_base *b = &names->bases.items[base];
    eti_fx_number *before = NULL;
    uint64_t number = start <= b->n_in_row ? b->n_in_row + 1 : start;
    eti_fx_number *taken;
    for (; names->numbers.count > 0 && (taken = find_number(names, base, number)); before = taken) {
        number = taken->next;
        if (before)
            before->next = number;
    }
    if (start <= b->n_in_row + 1)
        b->n_in_row = number - 1;
    return number;
}

/* ---- taking names ---------------------------------------------------------------------------- */

/* Finds the number of the base called `stem`, which is added if it is new. */
static bool find_base(eti_fx_names *names, eti_text stem, uint32_t *base) {
    static const eti_intern_kind base_kind = ETI_INTERN_BY_TEXT(eti_fx_base);
    size_t n_known = names->bases.count;
    if (!eti__intern_add(&names->bases.table, &base_kind, &(eti_fx_base){.stem = stem}, base))
        return false;
    if (*base == n_known)
        names->bases.items[n_known].is_reserved = is_reserved(stem);
    return true;
}

static bool understand(eti_fx_names *names, eti_text wanted, eti_fx_request *out) {
    eti_text stem;
    *out = (eti_fx_request){.name = wanted, .whole = ETI_INDEX_END};
    if (!is_identifier(wanted) && !make_identifier(names->arena, &out->name))
        return false;
    bool has_number = split_number(out->name, &stem, &out->number);
    if (!find_base(names, stem, &out->base) ||
        (!has_number && !find_base(names, out->name, &out->whole)))
        return false;
    out->wanted = wanted;
    return true;
}

/* Takes the name unchanged, unless it is taken or reserved. */
static bool take_as_is(eti_fx_names *names, const eti_fx_request *request) {
    eti_fx_base *whole = &names->bases.items[request->whole];
    if (whole->is_taken || whole->is_reserved)
        return false;
    whole->is_taken = true;
    if (request->whole != request->base)
        names->bases.items[request->base].last_number = request->number;
    return true;
}

bool eti__fx_names_create(eti_fx_names *names, eti_text wanted, eti_text *out) {
    eti_fx_request *request = &names->last; /* the same name is often requested repeatedly */
    if (!eti__text_equal(wanted, request->wanted) && !understand(names, wanted, request))
        return false;
    if (out)
        *out = request->name;
    uint32_t base = request->base;
    if (request->whole != ETI_INDEX_END) {
        if (take_as_is(names, request))
            return true;
    } else if (!is_number_taken(names, base, request->number)) {
        return take_number(names, base, request->number);
    }
    uint64_t number = find_free_number(names, base, names->bases.items[base].last_number + 1);
    return (!out || add_number(names->arena, names->bases.items[base].stem, number, out)) &&
           take_number(names, base, number);
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

bool eti__fx_names_create_from_callable(eti_fx_names *names, eti_text target, eti_text *out) {
    if (!has_upper(target))
        return eti__fx_names_create(names, target, out);
    char *snake = eti__arena_alloc(names->arena, target.size + 1, 2);
    if (!snake)
        return false;
    size_t n = 0;
    for (size_t i = 0; i < target.size; i++) {
        char c = target.data[i];
        if (is_upper(c) && i > 0 && target.data[i - 1] >= 'a' && target.data[i - 1] <= 'z')
            snake[n++] = '_';
        snake[n++] = to_lower(c);
    }
    snake[n] = '_';
    return eti__fx_names_create(names, (eti_text){snake, n}, out);
}

static bool is_underscored(const char *two) {
    return two[0] == '_' && two[1] == '_';
}

bool eti__fx_names_create_from_str(eti_fx_names *names, eti_text target, eti_text *out) {
    if (target.size >= 2 && is_underscored(target.data) &&
        is_underscored(target.data + target.size - 2))
        target = target.size < 4 ? eti__text_of("") : (eti_text){target.data + 2, target.size - 4};
    return eti__fx_names_create_from_callable(names, target, out);
}
