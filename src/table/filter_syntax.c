#include "table/filter_syntax.h"

#include "base/python.h"
#include "table/table.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#define ETI_FILTER_MAX_DEPTH 64 /* of parentheses and nots */

typedef enum token_kind {
    TOKEN_END,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_AND,
    TOKEN_OR,
    TOKEN_NOT,
    TOKEN_IS,
    TOKEN_OPERATOR,
    TOKEN_OPERAND,
} token_kind;

typedef struct token {
    token_kind kind;
    size_t at;
    eti_text text; /* as written */
    eti_operator comparison;
    bool ignores_case;
    eti_operand operand;
} token;

typedef struct parser {
    eti_arena *arena;
    eti_text expression;
    size_t at;  /* position of the next token, or of blanks before it */
    token next; /* read, but not taken yet */
    unsigned depth;
    eti_error *err;
} parser;

eti_status eti__filter_fail(eti_error *err, size_t at, const char *format, ...) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    eti__vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    eti__error_set(err, ETI_ERROR_USAGE, "%sfilter: %s", eti__option_prefix(), message);
    if (err)
        err->position = at + 1;
    return ETI_ERROR_USAGE;
}

/* ---- tokens ---------------------------------------------------------------------------------- */

/* Returns whether a byte is part of a word. Letters of any script are, so that messages name whole
 * words. */
static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}

static char char_at(const parser *p, size_t at) {
    if (at >= p->expression.size)
        return '\0';
    return p->expression.data[at];
}

/* Makes a NUL-terminated copy without backslashes before `quote`. */
static eti_status copy_quoted(parser *p, eti_text text, char quote, eti_text *out) {
    char *copy = eti__arena_alloc(p->arena, text.size + 1, 1);
    if (!copy)
        return eti_fail_memory(p->err);
    size_t size = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (quote && text.data[i] == '\\' && i + 1 < text.size && text.data[i + 1] == quote)
            i++;
        copy[size++] = text.data[i];
    }
    copy[size] = '\0';
    *out = (eti_text){copy, size};
    return ETI_OK;
}

/* "text", 'text' or `column` */
static eti_status read_quoted(parser *p, token *out) {
    char quote = char_at(p, p->at);
    size_t end = p->at + 1;
    while (end < p->expression.size && p->expression.data[end] != quote)
        end +=
            p->expression.data[end] == '\\' && quote != '`' && char_at(p, end + 1) == quote ? 2 : 1;
    if (end >= p->expression.size)
        return eti__filter_fail(p->err, p->at, "expected another %c at the end of this", quote);
    eti_text inner = {p->expression.data + p->at + 1, end - p->at - 1};
    out->operand.kind = quote == '`' ? ETI_OPERAND_COLUMN : ETI_OPERAND_TEXT;
    p->at = end + 1;
    if (quote == '`')
        quote = '\0';
    return copy_quoted(p, inner, quote, &out->operand.text);
}

static size_t skip_digits(const parser *p, size_t at) {
    while (eti__is_digit(char_at(p, at)))
        at++;
    return at;
}

/* Returns the end of the number at p->at, without its unit. */
static size_t number_end(const parser *p) {
    size_t at = p->at;
    if (char_at(p, at) == '-' || char_at(p, at) == '+')
        at++;
    at = skip_digits(p, at);
    if (char_at(p, at) == '.')
        at = skip_digits(p, at + 1);
    if (char_at(p, at) == 'e' || char_at(p, at) == 'E') {
        size_t exponent = at + 1;
        if (char_at(p, exponent) == '-' || char_at(p, exponent) == '+')
            exponent++;
        if (eti__is_digit(char_at(p, exponent)))
            return skip_digits(p, exponent);
    }
    return at;
}

static bool find_unit(eti_text unit, eti_time_scale *out) {
    static const struct {
        const char *name;
        eti_time_scale scale;
    } units[] = {
        {"ns", ETI_SCALE_NS},        {"us", ETI_SCALE_US},
        {"\xc2\xb5s", ETI_SCALE_US}, /* with the micro sign, as reports print it */
        {"\xce\xbcs", ETI_SCALE_US}, /* with a Greek letter */
        {"ms", ETI_SCALE_MS},        {"s", ETI_SCALE_S},
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (eti__text_is(unit, units[i].name)) {
            *out = units[i].scale;
            return true;
        }
    }
    return false;
}

static eti_status read_unit(parser *p, token *out) {
    size_t sign = p->at;
    while (char_at(p, sign) == ' ') /* as reports print it: 5 % */
        sign++;
    if (char_at(p, sign) == '%') {
        p->at = sign + 1;
        out->operand.is_percent = true;
        out->operand.number /= 100.0;
        return ETI_OK;
    }
    size_t start = p->at;
    while (is_letter(char_at(p, p->at)) || eti__is_digit(char_at(p, p->at)) ||
           char_at(p, p->at) == '.')
        p->at++;
    eti_text unit = {p->expression.data + start, p->at - start};
    double bytes;
    if (unit.size == 0)
        return ETI_OK;
    out->operand.has_unit = find_unit(unit, &out->operand.unit);
    if (out->operand.has_unit)
        return ETI_OK;
    out->operand.is_bytes = eti__find_byte_unit(unit, &bytes);
    if (!out->operand.is_bytes)
        return eti__filter_fail(p->err, start,
                                "expected a number, or one with a unit: ns, us, ms, s, %%, "
                                "" ETI_BYTE_UNITS "; found %.*s after it",
                                ETI_TEXT_ARGS(unit));
    out->operand.number *= bytes;
    if (isfinite(out->operand.number))
        return ETI_OK;
    return eti__filter_fail(p->err, p->next.at, "this number is too large");
}

static eti_status read_number(parser *p, token *out) {
    eti_text digits = {p->expression.data + p->at, number_end(p) - p->at};
    eti_buffer scratch = {0};
    bool is_number = eti__python_float(digits, &out->operand.number, &scratch);
    bool failed = scratch.failed;
    eti__buffer_free(&scratch);
    if (failed)
        return eti_fail_memory(p->err);
    if (!is_number || !isfinite(out->operand.number))
        return eti__filter_fail(p->err, p->at,
                                is_number ? "this number is too large" : "expected a number here");
    out->operand.kind = ETI_OPERAND_NUMBER;
    p->at += digits.size;
    return read_unit(p, out);
}

static bool is_word(eti_text text, const char *word) {
    if (text.size != strlen(word))
        return false;
    for (size_t i = 0; i < text.size; i++) {
        if ((text.data[i] | 0x20) != word[i])
            return false;
    }
    return true;
}

/* Reads a keyword or the name of a column. */
static eti_status read_word(parser *p, token *out) {
    static const struct {
        const char *word;
        token_kind kind;
        eti_operand_kind operand;
        bool as_bool;
    } words[] = {
        {"and", TOKEN_AND, ETI_OPERAND_ABSENT, false},
        {"or", TOKEN_OR, ETI_OPERAND_ABSENT, false},
        {"not", TOKEN_NOT, ETI_OPERAND_ABSENT, false},
        {"is", TOKEN_IS, ETI_OPERAND_ABSENT, false},
        {"none", TOKEN_OPERAND, ETI_OPERAND_NONE, false},
        {"missing", TOKEN_OPERAND, ETI_OPERAND_NONE, false},
        {"true", TOKEN_OPERAND, ETI_OPERAND_BOOL, true},
        {"false", TOKEN_OPERAND, ETI_OPERAND_BOOL, false},
    };
    size_t start = p->at;
    while (is_letter(char_at(p, p->at)) || eti__is_digit(char_at(p, p->at)))
        p->at++;
    eti_text text = {p->expression.data + start, p->at - start};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (is_word(text, words[i].word)) {
            out->kind = words[i].kind;
            out->operand.kind = words[i].operand;
            out->operand.as_bool = words[i].as_bool;
            return ETI_OK;
        }
    }
    out->operand.kind = ETI_OPERAND_COLUMN;
    return copy_quoted(p, text, '\0', &out->operand.text);
}

/* Reads a sign; longer signs are listed before their own beginnings. */
static bool read_sign(parser *p, token *out) {
    static const struct {
        const char *sign;
        token_kind kind;
        eti_operator comparison;
        bool ignores_case;
    } signs[] = {
        {"==", TOKEN_OPERATOR, ETI_OPERATOR_EQUAL, false},
        {"=~*", TOKEN_OPERATOR, ETI_OPERATOR_MATCH, true},
        {"=~", TOKEN_OPERATOR, ETI_OPERATOR_MATCH, false},
        {"=", TOKEN_OPERATOR, ETI_OPERATOR_EQUAL, false},
        {"!=", TOKEN_OPERATOR, ETI_OPERATOR_NOT_EQUAL, false},
        {"!~*", TOKEN_OPERATOR, ETI_OPERATOR_NO_MATCH, true},
        {"!~", TOKEN_OPERATOR, ETI_OPERATOR_NO_MATCH, false},
        {"!", TOKEN_NOT, ETI_OPERATOR_NONE, false},
        {"<=", TOKEN_OPERATOR, ETI_OPERATOR_LESS_EQUAL, false},
        {"<", TOKEN_OPERATOR, ETI_OPERATOR_LESS, false},
        {">=", TOKEN_OPERATOR, ETI_OPERATOR_GREATER_EQUAL, false},
        {">", TOKEN_OPERATOR, ETI_OPERATOR_GREATER, false},
        {"&&", TOKEN_AND, ETI_OPERATOR_NONE, false},
        {"||", TOKEN_OR, ETI_OPERATOR_NONE, false},
        {"(", TOKEN_OPEN, ETI_OPERATOR_NONE, false},
        {")", TOKEN_CLOSE, ETI_OPERATOR_NONE, false},
    };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t size = strlen(signs[i].sign);
        if (size > p->expression.size - p->at ||
            memcmp(p->expression.data + p->at, signs[i].sign, size) != 0)
            continue;
        out->kind = signs[i].kind;
        out->comparison = signs[i].comparison;
        out->ignores_case = signs[i].ignores_case;
        p->at += size;
        return true;
    }
    return false;
}

static eti_status read_content(parser *p, token *out) {
    char c = char_at(p, p->at);
    if (c == '"' || c == '\'' || c == '`')
        return read_quoted(p, out);
    if (eti__is_digit(c) || c == '.' || c == '-' || c == '+')
        return read_number(p, out);
    if (is_letter(c))
        return read_word(p, out);
    if (read_sign(p, out))
        return ETI_OK;
    uint32_t ignored;
    size_t size = eti__text_decode(p->expression, p->at, &ignored);
    return eti__filter_fail(p->err, p->at, "expected a column, a value or an operator, found %.*s",
                            (int)size, p->expression.data + p->at);
}

/* Reads the next token into p->next. */
static eti_status advance(parser *p) {
    while (char_at(p, p->at) == ' ' || char_at(p, p->at) == '\t' || char_at(p, p->at) == '\n')
        p->at++;
    p->next = (token){.kind = TOKEN_END, .at = p->at};
    if (p->at >= p->expression.size)
        return ETI_OK;
    p->next.kind = TOKEN_OPERAND;
    p->next.operand.at = p->at;
    ETI_TRY(read_content(p, &p->next));
    p->next.text = (eti_text){p->expression.data + p->next.at, p->at - p->next.at};
    return ETI_OK;
}

/* ---- the tree -------------------------------------------------------------------------------- */

static eti_status fail_expected(parser *p, const char *expected) {
    if (p->next.kind == TOKEN_END)
        return eti__filter_fail(p->err, p->next.at, "expected %s, found the end", expected);
    return eti__filter_fail(p->err, p->next.at, "expected %s, found %.*s", expected,
                            ETI_TEXT_ARGS(p->next.text));
}

static eti_status add_condition(parser *p, eti_condition **out, eti_condition condition) {
    *out = eti__arena_alloc(p->arena, 1, sizeof **out);
    if (!*out)
        return eti_fail_memory(p->err);
    **out = condition;
    return ETI_OK;
}

static eti_status parse_operand(parser *p, eti_operand *out) {
    if (p->next.kind != TOKEN_OPERAND)
        return fail_expected(p, "a column, a number, a text in quotes, true, false or none");
    *out = p->next.operand;
    return advance(p);
}

/* Parses `is none` and `is not none`, which == and != can express too. */
static eti_status parse_is(parser *p, eti_condition *out) {
    out->comparison = ETI_OPERATOR_EQUAL;
    ETI_TRY(advance(p));
    if (p->next.kind == TOKEN_NOT) {
        out->comparison = ETI_OPERATOR_NOT_EQUAL;
        ETI_TRY(advance(p));
    }
    if (p->next.kind != TOKEN_OPERAND || p->next.operand.kind != ETI_OPERAND_NONE)
        return fail_expected(p, "none after is");
    return parse_operand(p, &out->right);
}

static eti_status parse_comparison(parser *p, eti_condition **out) {
    eti_condition comparison = {.kind = ETI_CONDITION_COMPARISON};
    ETI_TRY(parse_operand(p, &comparison.left));
    comparison.at = p->next.at;
    if (p->next.kind == TOKEN_IS) {
        ETI_TRY(parse_is(p, &comparison));
    } else if (p->next.kind == TOKEN_OPERATOR) {
        comparison.comparison = p->next.comparison;
        comparison.ignores_case = p->next.ignores_case;
        ETI_TRY(advance(p));
        ETI_TRY(parse_operand(p, &comparison.right));
    } else if (p->next.kind == TOKEN_OPERAND || p->next.kind == TOKEN_OPEN ||
               comparison.left.kind != ETI_OPERAND_COLUMN) {
        return fail_expected(p, "a comparison: ==, !=, <, <=, >, >=, =~, !~ or is none");
    }
    return add_condition(p, out, comparison);
}

static eti_status parse_expression(parser *p, eti_condition **out);

static eti_status parse_group(parser *p, eti_condition **out) {
    size_t open = p->next.at;
    ETI_TRY(advance(p));
    ETI_TRY(parse_expression(p, out));
    if (p->next.kind == TOKEN_END)
        return eti__filter_fail(p->err, open, "expected a ) to close this");
    if (p->next.kind != TOKEN_CLOSE)
        return fail_expected(p, "and, or, or )");
    return advance(p);
}

static eti_status parse_term(parser *p, eti_condition **out) {
    if (p->next.kind != TOKEN_NOT && p->next.kind != TOKEN_OPEN)
        return parse_comparison(p, out);
    if (++p->depth > ETI_FILTER_MAX_DEPTH)
        return eti__filter_fail(p->err, p->next.at, "more than %d nested nots and parentheses",
                                ETI_FILTER_MAX_DEPTH);
    if (p->next.kind == TOKEN_OPEN) {
        ETI_TRY(parse_group(p, out));
    } else {
        eti_condition negation = {.kind = ETI_CONDITION_NOT, .at = p->next.at};
        ETI_TRY(advance(p));
        ETI_TRY(parse_term(p, &negation.first));
        ETI_TRY(add_condition(p, out, negation));
    }
    p->depth--;
    return ETI_OK;
}

/* Parses `a and b and c` as (a, (b, c)), which is tested from left to right in a loop. */
static eti_status parse_chain(parser *p, eti_condition **out, token_kind connective) {
    eti_condition **place = out;
    for (;;) {
        eti_condition *part = NULL;
        if (connective == TOKEN_OR)
            ETI_TRY(parse_chain(p, &part, TOKEN_AND));
        else
            ETI_TRY(parse_term(p, &part));
        *place = part;
        if (p->next.kind != connective)
            return ETI_OK;
        eti_condition chain = {.kind =
                                   connective == TOKEN_OR ? ETI_CONDITION_OR : ETI_CONDITION_AND,
                               .first = part,
                               .at = p->next.at};
        ETI_TRY(advance(p));
        ETI_TRY(add_condition(p, place, chain));
        place = &(*place)->second;
    }
}

static eti_status parse_expression(parser *p, eti_condition **out) {
    return parse_chain(p, out, TOKEN_OR);
}

eti_status eti__filter_parse(eti_condition **out, eti_arena *arena, const char *expression,
                             eti_error *err) {
    parser p = {.arena = arena, .expression = eti__text_of(expression), .err = err};
    if (p.expression.size > ETI_FILTER_MAX_SIZE)
        return eti__filter_fail(err, ETI_FILTER_MAX_SIZE, "the expression has more than %d bytes",
                                ETI_FILTER_MAX_SIZE);
    ETI_TRY(advance(&p));
    ETI_TRY(parse_expression(&p, out));
    if (p.next.kind != TOKEN_END)
        return fail_expected(&p, "and, or, or the end");
    return ETI_OK;
}
