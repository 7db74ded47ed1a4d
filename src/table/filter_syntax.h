/*
 * filter_syntax.h - turns the text of an expression into a tree. It does not depend on tables.
 *
 *     expression = conjunction { ("or" | "||") conjunction }
 *     conjunction = term { ("and" | "&&") term }
 *     term       = ("not" | "!") term | "(" expression ")" | comparison
 *     comparison = operand [ operator operand | "is" ["not"] none ]
 *     operator   = "==" | "=" | "!=" | "<" | "<=" | ">" | ">=" | "=~" | "!~" | "=~*" | "!~*"
 *     operand    = column | number | text | "true" | "false" | none
 *     none       = "none" | "missing"
 * column = a name, or any text in backquotes: `p50 (ms)`
 *     number     = 1, -1.5e3, with a unit of time 20us, in per cent 10%
 * text = "..." or '...'; a backslash escapes the quote, and is literal otherwise
 *
 * Keywords may be in upper or lower case.
 */
#ifndef ETI_TABLE_FILTER_SYNTAX_H
#define ETI_TABLE_FILTER_SYNTAX_H

#include "base/arena.h"
#include "base/text.h"

#define ETI_FILTER_MAX_SIZE 4096 /* bytes of an expression */
#define ETI_FILTER_MAX_DEPTH 64  /* of parentheses and nots */

typedef enum eti_operand_kind {
    ETI_OPERAND_ABSENT,
    ETI_OPERAND_COLUMN,
    ETI_OPERAND_NUMBER,
    ETI_OPERAND_TEXT,
    ETI_OPERAND_BOOL,
    ETI_OPERAND_NONE,
} eti_operand_kind;

typedef struct eti_operand {
    eti_operand_kind kind;
    size_t at;     /* byte of the expression */
    eti_text text; /* name of a column, or a text; NUL-terminated, in the tree's arena */
    double number; /* without its unit; 10 % is 0.1 */
    bool has_unit, is_percent;
    eti_time_scale unit;
    bool as_bool;
    size_t column; /* set by the user of the tree */
} eti_operand;

typedef enum eti_operator {
    ETI_OPERATOR_NONE, /* `left` alone, a column of true and false */
    ETI_OPERATOR_EQUAL,
    ETI_OPERATOR_NOT_EQUAL,
    ETI_OPERATOR_LESS,
    ETI_OPERATOR_LESS_EQUAL,
    ETI_OPERATOR_GREATER,
    ETI_OPERATOR_GREATER_EQUAL,
    ETI_OPERATOR_MATCH,
    ETI_OPERATOR_NO_MATCH,
} eti_operator;

typedef enum eti_condition_kind {
    ETI_CONDITION_AND,
    ETI_CONDITION_OR,
    ETI_CONDITION_NOT, /* of `first` */
    ETI_CONDITION_COMPARISON,
} eti_condition_kind;

typedef struct eti_condition {
    eti_condition_kind kind;
    struct eti_condition *first, *second;
    eti_operator comparison;
    bool ignores_case; /* of a match: "=~*" */
    size_t at;         /* of the operator */
    eti_operand left, right;
    void *pattern; /* set by the user of the tree */
} eti_condition;

/* Parses `expression`; the tree is in `arena`. ETI_ERROR_USAGE with a position; ETI_ERROR_MEMORY. */
eti_status eti__filter_parse(eti_condition **out, eti_arena *arena, const char *expression,
                             eti_error *err) ETI_WARN_UNUSED;

/* Fails with ETI_ERROR_USAGE at a byte of the expression. */
eti_status eti__filter_fail(eti_error *err, size_t at, const char *format, ...) ETI_PRINTF(3, 4);

#endif
