#include "table/filter.h"

#include "base/names.h"
#include "stats/stats.h"
#include "table/columns.h"
#include "table/filter_syntax.h"
#include "table/table.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

/* ==== pattern ================================================================================= */

/* Largest number of states of a compiled pattern, which has a state for each character and each repetition by {} and +. */
#define MOST_STATES 65536

/* Texts up to this size, in bytes, are searched. */
#define SHORT_TEXT 256

/* Most work for a text, in states times bytes. glibc keeps a set of states for each byte in the worst case, until the
 * pattern is freed. */
#define MOST_WORK ((uint64_t)64 << 20)

/* ---- compiling ------------------------------------------------------------------------------- */

/* Returns the product of the repetitions of all {}, with 2 for each +, because glibc compiles x+ as xx*. Signs in brackets
 * are counted as well. */
static size_t count_repetitions(eti_text text) {
    size_t product = 1;
    for (size_t i = 0; i < text.size && product <= MOST_STATES; i++) {
        if (text.data[i] == '+')
            product *= 2;
        if (text.data[i] != '{')
            continue;
        size_t number = 0, most = 1;
        for (i++; i < text.size && text.data[i] != '}'; i++) {
            bool is_digit = eti__is_digit(text.data[i]);
            if (is_digit && number <= MOST_STATES)
                number = number * 10 + (size_t)(text.data[i] - '0');
            else if (!is_digit)
                number = 0;
            most = number > most ? number : most;
        }
        product *= most;
    }
    return product;
}

/* Returns whether a pattern has a back reference, which may take exponential time. POSIX extended expressions have none. */
static bool has_back_reference(eti_text text) {
    for (size_t i = 0; i + 1 < text.size; i++) {
        if (text.data[i] != '\\')
            continue;
        i++;
        if (text.data[i] >= '1' && text.data[i] <= '9')
            return true;
    }
    return false;
}

/* Removes "(?i)", which means the same as "=~*", from the beginning of a pattern. */
static bool take_any_case(eti_text *text) {
    return eti__text_take(text, "(?i)");
}

static void add_reason(char reason[ETI_PATTERN_REASON], const char *text) {
    eti__snprintf(reason, ETI_PATTERN_REASON, "%s", text);
}

static int flags_of(const eti_pattern *pattern) {
    return REG_EXTENDED | REG_NOSUB | (pattern->ignores_case ? REG_ICASE : 0);
}

eti_status eti__pattern_compile(eti_pattern *out, eti_text source, bool ignores_case,
                                char reason[ETI_PATTERN_REASON]) {
    static const char prefix[] = "this is not an extended regular expression: ";
    *out = (eti_pattern){.source = source};
    out->ignores_case = take_any_case(&out->source) || ignores_case;
    out->n_states = out->source.size * count_repetitions(out->source);
    if (out->n_states > MOST_STATES) {
        add_reason(reason, "this pattern repeats too much with {} and +");
        return ETI_ERROR_USAGE;
    }
    if (has_back_reference(out->source)) {
        add_reason(reason,
                   "this pattern has a \\ before a digit: back-references are not supported");
        return ETI_ERROR_USAGE;
    }
    int code = eti__regcomp(&out->search, out->source.data, flags_of(out));
    if (code == 0 || code == REG_ESPACE)
        return code == 0 ? ETI_OK : ETI_ERROR_MEMORY;
    add_reason(reason, prefix);
    regerror(code, &out->search, reason + sizeof prefix - 1,
             ETI_PATTERN_REASON - sizeof prefix + 1);
    return ETI_ERROR_USAGE;
}

void eti__pattern_free(eti_pattern *pattern) {
    regfree(&pattern->search);
    if (pattern->has_whole)
        regfree(&pattern->whole);
    pattern->has_whole = false;
}

/* ---- matching -------------------------------------------------------------------------------- */

static eti_status run(const regex_t *compiled, const char *text, bool *out) {
    errno = 0; /* glibc returns REG_NOMATCH when out of memory */
    int code = regexec(compiled, text, 0, NULL, 0);
    *out = code == 0;
    return code == REG_ESPACE || (code != 0 && errno == ENOMEM) ? ETI_ERROR_MEMORY : ETI_OK;
}

/* Compiles the pattern for long texts. */
static eti_status compile_whole(eti_pattern *pattern) {
    eti_buffer text = {0};
    eti__buffer_add_string(&text, "^.*("); /* in the "C" locale, `.` is any byte */
    eti__buffer_add_text(&text, pattern->source);
    eti__buffer_add(&text, ")", 2);
    int code =
        text.failed ? REG_ESPACE : eti__regcomp(&pattern->whole, text.data, flags_of(pattern));
    eti__buffer_free(&text);
    pattern->has_whole = code == 0;
    return code == 0 ? ETI_OK : ETI_ERROR_MEMORY; /* as it compiles without the prefix, too */
}

/* Spends the work for a text. Compiles the pattern again where more would be spent: that frees its sets of states. */
static eti_status spend(eti_pattern *pattern, uint64_t work) {
    if (pattern->has_whole && work > MOST_WORK - pattern->spent) {
        regfree(&pattern->whole);
        pattern->has_whole = false;
    }
    if (!pattern->has_whole)
        pattern->spent = 0;
    pattern->spent += work;
    return pattern->has_whole ? ETI_OK : compile_whole(pattern);
}

/* Returns whether a text has to be searched: in the middle of a match, glibc takes the byte after a newline for a beginning
 * of the text. */
static bool needs_search(const eti_pattern *pattern, eti_text text) {
    if (text.size <= SHORT_TEXT)
        return true;
    return memchr(pattern->source.data, '^', pattern->source.size) &&
           /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): a long text has bytes */
           memchr(text.data, '\n', text.size);
}

eti_status eti__pattern_test(eti_pattern *pattern, eti_text text, bool *out) {
    *out = false;
    bool is_searched = needs_search(pattern, text);
    if (text.size > SHORT_TEXT &&
        (is_searched ? text.size : pattern->n_states) > MOST_WORK / text.size)
        return ETI_ERROR_LIMIT;
    if (is_searched)
        return run(&pattern->search, text.data, out);
    ETI_TRY(spend(pattern, pattern->n_states * text.size));
    return run(&pattern->whole, text.data, out);
}

/* ==== filter ================================================================================== */

typedef struct kept_pattern {
    eti_pattern compiled;
    struct kept_pattern *next;
} kept_pattern;

/* A text of a cell, which may have to be built. */
typedef struct text_place {
    eti_number_text number;
    eti_buffer built;
} text_place;

struct eti_filter {
    eti_arena arena;
    const eti_table *table;
    eti_time_scale scale;
    eti_condition *root;
    bool *wanted;
    const eti_operand *
        *bare; /* per column: a number without unit that it is compared with; NULL: none */
    kept_pattern *patterns; /* each in the arena */
    text_place left, right;
    eti_error *err; /* of the current call */
};

/* ---- fitting an expression to the table ------------------------------------------------------ */

static eti_column_kind kind_of(const eti_filter *filter, const eti_operand *column) {
    return filter->table->columns[column->column].kind;
}

static bool holds_numbers(const eti_filter *filter, const eti_operand *column) {
    eti_column_kind kind = kind_of(filter, column);
    return kind != ETI_COLUMN_TEXT && !eti__column_holds_lists(kind);
}

static eti_status find_column(eti_filter *filter, eti_operand *operand) {
    if (operand->kind != ETI_OPERAND_COLUMN)
        return ETI_OK;
    if (!eti__column_find(filter->table, operand->text, &operand->column)) {
        eti_status status = eti__column_fail(filter->table, "filter", operand->text, filter->err);
        if (status == ETI_ERROR_USAGE && filter->err)
            filter->err->position = operand->at + 1;
        return status;
    }
    filter->wanted[operand->column] = true;
    return ETI_OK;
}

static bool is_order(eti_operator comparison) {
    return comparison >= ETI_OPERATOR_LESS && comparison <= ETI_OPERATOR_GREATER_EQUAL;
}

static bool is_match(eti_operator comparison) {
    return comparison == ETI_OPERATOR_MATCH || comparison == ETI_OPERATOR_NO_MATCH;
}

/* `1 < p50` becomes `p50 > 1`. */
static void put_column_left(eti_condition *c) {
    static const eti_operator turned[] = {
        [ETI_OPERATOR_NONE] = ETI_OPERATOR_NONE,
        [ETI_OPERATOR_EQUAL] = ETI_OPERATOR_EQUAL,
        [ETI_OPERATOR_NOT_EQUAL] = ETI_OPERATOR_NOT_EQUAL,
        [ETI_OPERATOR_LESS] = ETI_OPERATOR_GREATER,
        [ETI_OPERATOR_LESS_EQUAL] = ETI_OPERATOR_GREATER_EQUAL,
        [ETI_OPERATOR_GREATER] = ETI_OPERATOR_LESS,
        [ETI_OPERATOR_GREATER_EQUAL] = ETI_OPERATOR_LESS_EQUAL,
    };
    if (c->left.kind == ETI_OPERAND_COLUMN || is_match(c->comparison))
        return;
    eti_operand column = c->right;
    c->right = c->left;
    c->left = column;
    c->comparison = turned[c->comparison];
}

/* Fails because a number has a unit that its column does not take; names the units that it takes. */
static eti_status fail_unit(const eti_filter *filter, const eti_operand *number, const char *name,
                            eti_column_kind kind) {
    if (kind == ETI_COLUMN_TIME)
        return eti__filter_fail(filter->err, number->at,
                                "%.200s is a column of times: expected a number in %s, or one with "
                                "a unit: ns, us, ms or s",
                                name, eti_time_scale_name(filter->scale));
    if (kind == ETI_COLUMN_BYTES)
        return eti__filter_fail(filter->err, number->at,
                                "%.200s is a column of bytes: expected a number of bytes, or one "
                                "with a unit: " ETI_BYTE_UNITS,
                                name);
    if (kind == ETI_COLUMN_SHARE || kind == ETI_COLUMN_CHANGE)
        return eti__filter_fail(filter->err, number->at,
                                "%.200s is a column of shares: expected a number such as 0.1, or "
                                "one with %%, such as 10%%",
                                name);
    return eti__filter_fail(filter->err, number->at,
                            "%.200s is a column of numbers without a unit: expected a number "
                            "without one",
                            name);
}

static eti_status check_number(const eti_filter *filter, eti_condition *c) {
    eti_operand *number = &c->right;
    eti_column_kind kind = kind_of(filter, &c->left);
    const char *name = c->left.text.data;
    if (!holds_numbers(filter, &c->left))
        return eti__filter_fail(filter->err, number->at,
                                "%.200s is not a column of numbers: expected a text in quotes",
                                name);
    bool takes_percent =
        kind == ETI_COLUMN_SHARE || kind == ETI_COLUMN_CHANGE || kind == ETI_COLUMN_NUMBER;
    if ((number->is_percent && !takes_percent) || (number->has_unit && kind != ETI_COLUMN_TIME) ||
        (number->is_bytes && kind != ETI_COLUMN_BYTES))
        return fail_unit(filter, number, name, kind);
    if (number->has_unit && filter->scale == ETI_SCALE_CYCLES)
        return eti__filter_fail(filter->err, number->at,
                                "times are shown in cycles: expected a number without a unit");
    if (number->has_unit)
        number->number /= eti__time_scale_factor(number->unit, filter->scale, 0);
    else if (!number->is_percent && !number->is_bytes && number->number != 0)
        filter->bare[c->left.column] = number;
    return ETI_OK;
}

static eti_status check_value(const eti_filter *filter, eti_condition *c) {
    const char *name = c->left.text.data;
    bool is_number = holds_numbers(filter, &c->left);
    switch (c->right.kind) {
    case ETI_OPERAND_NUMBER:
        return check_number(filter, c);
    case ETI_OPERAND_COLUMN:
        if (holds_numbers(filter, &c->right) == is_number)
            return ETI_OK;
        return eti__filter_fail(
            filter->err, c->at,
            "%.200s and %.200s cannot be compared: only one of them is a column of numbers", name,
            c->right.text.data);
    case ETI_OPERAND_NONE:
        if (!is_order(c->comparison))
            return ETI_OK;
        return eti__filter_fail(filter->err, c->at, "expected == or != before none");
    case ETI_OPERAND_BOOL:
        if (is_order(c->comparison))
            return eti__filter_fail(filter->err, c->at, "expected == or != before true or false");
        break;
    default:
        break;
    }
    if (is_number)
        return eti__filter_fail(filter->err, c->right.at,
                                "%.200s is a column of numbers: expected a number", name);
    return ETI_OK;
}

/* ---- patterns -------------------------------------------------------------------------------- */

static eti_status compile(eti_filter *filter, eti_condition *c) {
    char reason[ETI_PATTERN_REASON];
    kept_pattern *new = eti__arena_alloc(&filter->arena, 1, sizeof *new);
    if (!new)
        return eti_fail_memory(filter->err);
    eti_status status =
        eti__pattern_compile(&new->compiled, c->right.text, c->ignores_case, reason);
    if (status == ETI_ERROR_USAGE)
        return eti__filter_fail(filter->err, c->right.at, "%s", reason);
    if (status != ETI_OK)
        return eti_fail_memory(filter->err);
    new->next = filter->patterns;
    filter->patterns = new;
    c->pattern = new;
    return ETI_OK;
}

static eti_status check_match(eti_filter *filter, eti_condition *c) {
    if (c->left.kind != ETI_OPERAND_COLUMN)
        return eti__filter_fail(filter->err, c->left.at, "expected a column before =~ and !~");
    if (holds_numbers(filter, &c->left))
        return eti__filter_fail(filter->err, c->left.at,
                                "%.200s is a column of numbers: =~ and !~ apply to texts",
                                c->left.text.data);
    if (c->right.kind != ETI_OPERAND_TEXT)
        return eti__filter_fail(filter->err, c->right.at, "expected a pattern in quotes");
    return compile(filter, c);
}

/* Returns whether a text lacks its quotes, as in `op == conv`. */
static bool lacks_quotes(const eti_filter *filter, const eti_condition *c) {
    size_t ignored;
    return c->left.kind == ETI_OPERAND_COLUMN && !holds_numbers(filter, &c->left) &&
           c->right.kind == ETI_OPERAND_COLUMN &&
           !eti__column_find(filter->table, c->right.text, &ignored);
}

static eti_status fit_comparison(eti_filter *filter, eti_condition *c) {
    ETI_TRY(find_column(filter, &c->left));
    if (is_match(c->comparison))
        return check_match(filter, c);
    if (lacks_quotes(filter, c))
        return eti__filter_fail(filter->err, c->right.at,
                                "there is no column %.200s; write texts in quotes",
                                c->right.text.data);
    ETI_TRY(find_column(filter, &c->right));
    if (c->comparison == ETI_OPERATOR_NONE) {
        if (!holds_numbers(filter, &c->left))
            return ETI_OK;
        return eti__filter_fail(
            filter->err, c->left.at,
            "%.200s is a column of numbers: expected a comparison with a number",
            c->left.text.data);
    }
    if (c->left.kind != ETI_OPERAND_COLUMN && c->right.kind != ETI_OPERAND_COLUMN)
        return eti__filter_fail(filter->err, c->at, "expected a column on one side of this");
    put_column_left(c);
    return check_value(filter, c);
}

static eti_status fit(eti_filter *filter, eti_condition *c) {
    for (;; c = c->second) {
        if (c->kind == ETI_CONDITION_COMPARISON)
            return fit_comparison(filter, c);
        ETI_TRY(fit(filter, c->first));
        if (c->kind == ETI_CONDITION_NOT)
            return ETI_OK;
    }
}

eti_status eti__filter_new(eti_filter **out, const char *expression, const eti_table *table,
                           eti_time_scale scale, eti_error *err) {
    *out = NULL;
    eti_filter *filter = calloc(1, sizeof *filter);
    if (!filter)
        return eti_fail_memory(err);
    filter->table = table;
    filter->scale = scale;
    filter->err = err;
    filter->wanted = eti__arena_alloc_zero(&filter->arena, table->n_columns + 1, sizeof(bool));
    filter->bare =
        eti__arena_alloc_zero(&filter->arena, table->n_columns + 1, sizeof *filter->bare);
    eti_status status = filter->wanted && filter->bare
                            ? eti__filter_parse(&filter->root, &filter->arena, expression, err)
                            : eti_fail_memory(err);
    if (status == ETI_OK)
        status = fit(filter, filter->root);
    if (status == ETI_OK)
        *out = filter;
    else
        eti__filter_free(filter);
    return status;
}

const bool *eti__filter_wanted(const eti_filter *filter) {
    return filter->wanted;
}

bool eti__filter_bare_number(const eti_filter *filter, size_t column, double *out) {
    const eti_operand *number = filter->bare[column];
    if (number)
        *out = number->number;
    return number != NULL;
}

void eti__filter_free(eti_filter *filter) {
    if (!filter)
        return;
    for (kept_pattern *p = filter->patterns; p; p = p->next)
        eti__pattern_free(&p->compiled);
    eti__buffer_free(&filter->left.built);
    eti__buffer_free(&filter->right.built);
    eti__arena_free(&filter->arena);
    free(filter);
}

/* ---- testing a row --------------------------------------------------------------------------- */

static bool is_missing(const eti_cell *cell) {
    bool is_text = cell->kind == ETI_CELL_TEXT || cell->kind == ETI_CELL_LIST;
    return cell->kind == ETI_CELL_NONE || eti__cell_is_nan(cell) ||
           (is_text && !cell->as_text.data);
}

static bool is_true_of(eti_operator comparison, int order) {
    switch (comparison) {
    case ETI_OPERATOR_EQUAL:
        return order == 0;
    case ETI_OPERATOR_NOT_EQUAL:
        return order != 0;
    case ETI_OPERATOR_LESS:
        return order < 0;
    case ETI_OPERATOR_LESS_EQUAL:
        return order <= 0;
    case ETI_OPERATOR_GREATER:
        return order > 0;
    default:
        return order >= 0;
    }
}

static bool as_number(const eti_cell *cell, double *out) {
    if (cell->kind == ETI_CELL_INT)
        *out = (double)cell->as_int;
    else if (cell->kind == ETI_CELL_BOOL)
        *out = cell->as_bool;
    else if (cell->kind == ETI_CELL_DOUBLE)
        *out = cell->as_double;
    else
        return false;
    return true;
}

static int order_of_numbers(double a, double b) {
    return (a > b) - (a < b);
}

static int order_of_cells(const eti_cell *a, const eti_cell *b) {
    double x = 0.0, y = 0.0;
    if (a->kind == ETI_CELL_INT && b->kind == ETI_CELL_INT)
        return (a->as_int > b->as_int) - (a->as_int < b->as_int);
    (void)as_number(a, &x);
    (void)as_number(b, &y);
    return order_of_numbers(x, y);
}

static int order_of_texts(eti_text a, eti_text b) {
    size_t size = a.size < b.size ? a.size : b.size;
    int order = size ? memcmp(a.data, b.data, size) : 0;
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

static eti_text text_of(const eti_cell *cell, text_place *place) {
    if (!eti__cell_is_list(cell))
        return eti__cell_text(cell, &place->number);
    place->built.size = 0;
    eti__list_add(&place->built, cell);
    return eti__buffer_text(&place->built);
}

static eti_status match_text(eti_filter *filter, const eti_condition *c, eti_text text, bool *out) {
    eti_buffer *copy = &filter->right.built;
    copy->size = 0;
    eti__buffer_add_text(copy, text);
    eti__buffer_add_char(copy, '\0');
    if (copy->failed)
        return eti_fail_memory(filter->err);
    kept_pattern *with = c->pattern;
    bool is_found;
    eti_status status =
        eti__pattern_test(&with->compiled, (eti_text){copy->data, text.size}, &is_found);
    if (status == ETI_ERROR_LIMIT)
        return eti__filter_fail(filter->err, c->right.at,
                                "this pattern is too long, or repeats too much, for the %zu bytes "
                                "of %.200s in a row",
                                text.size, c->left.text.data);
    if (status != ETI_OK)
        return eti_fail_memory(filter->err);
    *out = is_found == (c->comparison == ETI_OPERATOR_MATCH);
    return ETI_OK;
}

static eti_text name_of(const eti_filter *filter, const eti_operand *column) {
    return filter->table->columns[column->column].name;
}

/* Returns the text that people see in place of that of the cell (eti__named_cell()); absent: they see the same. */
static eti_text label_of(const eti_cell *cell) {
    bool has_label = cell->kind == ETI_CELL_TEXT && cell->n_items > 0;
    return has_label ? (eti_text){cell->items, cell->n_items} : (eti_text){NULL, 0};
}

/* Matches another text for the same value. */
static eti_status match_too(eti_filter *filter, const eti_condition *c, eti_text text, bool *out) {
    bool is_too = false;
    ETI_TRY(match_text(filter, c, text, &is_too));
    *out = c->comparison == ETI_OPERATOR_MATCH ? *out || is_too : *out && is_too;
    return ETI_OK;
}

/* Matches the text of a cell, and the label or the words that people read in its place. */
static eti_status matches(eti_filter *filter, const eti_condition *c, const eti_cell *cell,
                          eti_text text, bool *out) {
    eti_buffer *words = &filter->left.built; /* unused: a list has no words */
    eti_text label = label_of(cell);
    ETI_TRY(match_text(filter, c, text, out));
    if (label.data)
        ETI_TRY(match_too(filter, c, label, out));
    if (text.data == words->data)
        return ETI_OK;
    words->size = 0;
    if (!eti__add_words(words, name_of(filter, &c->left), text))
        return ETI_OK;
    return words->failed ? eti_fail_memory(filter->err)
                         : match_too(filter, c, eti__buffer_text(words), out);
}

/* Does the checks that need a row: whether a column without numbers has flags or texts. */
static eti_status check_cell(const eti_filter *filter, const eti_condition *c,
                             const eti_cell *cell) {
    bool is_bool = cell->kind == ETI_CELL_BOOL;
    bool expects_bool = c->comparison == ETI_OPERATOR_NONE || c->right.kind == ETI_OPERAND_BOOL;
    if (is_bool == expects_bool || c->right.kind == ETI_OPERAND_COLUMN)
        return ETI_OK;
    return eti__filter_fail(filter->err, c->comparison ? c->right.at : c->left.at,
                            is_bool ? "%.200s is true or false: expected true or false"
                                    : "%.200s is not true or false: expected a comparison with a "
                                      "text in quotes",
                            c->left.text.data);
}

static eti_status test_text(eti_filter *filter, const eti_condition *c, const eti_cell *cell,
                            const eti_cell *other, bool *out) {
    ETI_TRY(check_cell(filter, c, cell));
    if (cell->kind == ETI_CELL_BOOL && !other) {
        bool expected = c->comparison == ETI_OPERATOR_NONE || c->right.as_bool;
        *out = is_true_of(c->comparison ? c->comparison : ETI_OPERATOR_EQUAL,
                          cell->as_bool - expected);
        return ETI_OK;
    }
    eti_text text = text_of(cell, &filter->left);
    if (filter->left.built.failed)
        return eti_fail_memory(filter->err);
    if (is_match(c->comparison))
        return matches(filter, c, cell, text, out);
    eti_text right = other ? text_of(other, &filter->right) : c->right.text;
    if (filter->right.built.failed)
        return eti_fail_memory(filter->err);
    bool are_words = !other && !is_order(c->comparison) &&
                     (eti__are_words_for(right, name_of(filter, &c->left), text) ||
                      (label_of(cell).data && eti__text_equal(label_of(cell), right)));
    *out = is_true_of(c->comparison, are_words ? 0 : order_of_texts(text, right));
    return ETI_OK;
}

static eti_status test_comparison(eti_filter *filter, const eti_condition *c, const eti_cell *cells,
                                  bool *out) {
    const eti_cell *cell = &cells[c->left.column];
    const eti_cell *other = c->right.kind == ETI_OPERAND_COLUMN ? &cells[c->right.column] : NULL;
    *out = false;
    if (c->right.kind == ETI_OPERAND_NONE) {
        *out = is_missing(cell) == (c->comparison == ETI_OPERATOR_EQUAL);
        return ETI_OK;
    }
    if (is_missing(cell) || (other && is_missing(other)))
        return ETI_OK;
    if (!holds_numbers(filter, &c->left))
        return test_text(filter, c, cell, other, out);
    double number;
    if (!as_number(cell, &number) || (other && !as_number(other, &number)))
        return ETI_OK;
    *out = is_true_of(c->comparison, other ? order_of_cells(cell, other)
                                           : order_of_numbers(number, c->right.number));
    return ETI_OK;
}

static eti_status test(eti_filter *filter, const eti_condition *c, const eti_cell *cells,
                       bool *out) {
    for (;; c = c->second) {
        if (c->kind == ETI_CONDITION_COMPARISON)
            return test_comparison(filter, c, cells, out);
        ETI_TRY(test(filter, c->first, cells, out));
        if (c->kind == ETI_CONDITION_NOT) {
            *out = !*out;
            return ETI_OK;
        }
        if (*out != (c->kind == ETI_CONDITION_AND))
            return ETI_OK;
    }
}

eti_status eti__filter_test(eti_filter *filter, const eti_cell *cells, bool *out, eti_error *err) {
    filter->err = err;
    *out = false;
    return test(filter, filter->root, cells, out);
}

/* ---- missing numbers ------------------------------------------------------------------------- */

/* Truth values that an expression may have. */
typedef struct possible {
    bool is_true, is_false;
} possible;

static bool lacks_number(const eti_filter *filter, const eti_operand *operand,
                         const eti_cell *cells) {
    return operand->kind == ETI_OPERAND_COLUMN &&
           filter->table->columns[operand->column].type == ETI_TYPE_FLOAT64 &&
           is_missing(&cells[operand->column]);
}

static eti_status weigh_comparison(eti_filter *filter, const eti_condition *c,
                                   const eti_cell *cells, possible *out) {
    bool is_open = c->right.kind != ETI_OPERAND_NONE && (lacks_number(filter, &c->left, cells) ||
                                                         lacks_number(filter, &c->right, cells));
    *out = (possible){is_open, is_open};
    if (is_open)
        return ETI_OK;
    ETI_TRY(test_comparison(filter, c, cells, &out->is_true));
    out->is_false = !out->is_true;
    return ETI_OK;
}

static eti_status weigh(eti_filter *filter, const eti_condition *c, const eti_cell *cells,
                        possible *out) {
    possible first, rest;
    if (c->kind == ETI_CONDITION_COMPARISON)
        return weigh_comparison(filter, c, cells, out);
    ETI_TRY(weigh(filter, c->first, cells, &first));
    if (c->kind == ETI_CONDITION_NOT) {
        *out = (possible){first.is_false, first.is_true};
        return ETI_OK;
    }
    ETI_TRY(weigh(filter, c->second, cells, &rest)); /* as deep as the expression is long */
    if (c->kind == ETI_CONDITION_AND)
        *out = (possible){first.is_true && rest.is_true, first.is_false || rest.is_false};
    else
        *out = (possible){first.is_true || rest.is_true, first.is_false && rest.is_false};
    return ETI_OK;
}

eti_status eti__filter_is_undecided(eti_filter *filter, const eti_cell *cells, bool *out,
                                    eti_error *err) {
    possible found;
    filter->err = err;
    *out = false;
    ETI_TRY(weigh(filter, filter->root, cells, &found));
    *out = found.is_true && found.is_false;
    return ETI_OK;
}
