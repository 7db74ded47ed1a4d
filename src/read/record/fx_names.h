/*
 * fx_names.h - gives the nodes of a graph the names that torch.fx gives them when it loads the
 * graph: a wanted name, made an identifier, and numbered where it is taken or is one of Python's
 * own.
 *
 * This is torch.fx.graph._Namespace.create_name() of torch 2.13 under Python 3.11. Names and all
 * else live in the arena given.
 */
#ifndef ETI_READ_RECORD_FX_NAMES_H
#define ETI_READ_RECORD_FX_NAMES_H

#include "base/arena.h"
#include "base/intern.h"

/* A name without its final "_<number>", and which of its numbers are taken. */
typedef struct eti_fx_base {
    eti_text stem;
    uint64_t last_number; /* that was taken; 0: none yet */
    uint64_t n_in_row;    /* numbers 1 to this one are all taken */
    bool is_taken;        /* without a number */
    bool is_reserved;
} eti_fx_base;

/* A number that was taken out of the row. */
typedef struct eti_fx_number {
    uint64_t base, number;
    uint64_t next; /* all from `number` up to this one less 1 are taken */
} eti_fx_number;

/* What a wanted name comes to. */
typedef struct eti_fx_request {
    eti_text wanted;
    eti_text name; /* an identifier */
    uint64_t number;
    uint32_t base; /* of the name without its number */
    uint32_t
        whole; /* the base that is the name, or ETI_INDEX_END for one of the numbers of `base` */
} eti_fx_request;

typedef struct eti_fx_names {
    eti_arena *arena;
    ETI_INTERN_OF(eti_fx_base) bases;
    ETI_INTERN_OF(eti_fx_number) numbers;
    eti_fx_request last;
} eti_fx_names;

void eti__fx_names_init(eti_fx_names *names, eti_arena *arena);
void eti__fx_names_free(eti_fx_names *names);

/* Takes the name `wanted`, or one made from it, which then has a "_" behind it. `wanted` must outlive the
 * names. `out` may be NULL: then the name is taken but not written. False: out of memory. */
bool eti__fx_names_create(eti_fx_names *names, eti_text wanted, eti_text *out);

/* The same for what is called rather than named: dots become "_", "fooBar" becomes "foo_bar". The
 * target of a placeholder or of an attribute is a Python str, that of a call has a __name__;
 * "__x__" is "x" only in the former. `target` must outlive the names, too. */
bool eti__fx_names_create_from_str(eti_fx_names *names, eti_text target, eti_text *out);
bool eti__fx_names_create_from_callable(eti_fx_names *names, eti_text target, eti_text *out);

#endif
