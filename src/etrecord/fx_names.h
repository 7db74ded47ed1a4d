/*
 * fx_names.h - gives the nodes of a graph the names that torch.fx gives them when it loads the graph: a requested name,
 * turned into an identifier, and numbered if it is taken or is one of Python's own.
 *
 * This is torch.fx.graph._Namespace.create_name() of torch 2.13 under Python 3.11. Names and everything else live in the
 * given arena.
 */
#ifndef ETI_ETRECORD_FX_NAMES_H
#define ETI_ETRECORD_FX_NAMES_H

#include "base/arena.h"
#include "base/intern.h"
#include "etinspect.h"

/* A name without its final "_<number>", and the numbers taken for it. */
typedef struct eti_fx_base {
    eti_text stem;
    uint64_t last_number; /* last number taken; 0 if none yet */
    uint64_t n_in_row;    /* numbers from 1 to this one are all taken */
    bool is_taken;        /* the name without a number is taken */
    bool is_reserved;
} eti_fx_base;

/* A number that was taken out of sequence. */
typedef struct eti_fx_number {
    uint64_t base, number;
    uint64_t next; /* all numbers from `number` up to, but not including, this one are taken */
} eti_fx_number;

/* A requested name and its parts. */
typedef struct eti_fx_request {
    eti_text wanted;
    eti_text name; /* as an identifier */
    uint64_t number;
    uint32_t base; /* base of the name without its number */
    uint32_t
        whole; /* base of the whole name; ETI_INDEX_END if the name is one of the numbers of `base` */
} eti_fx_request;

typedef struct eti_fx_names {
    eti_arena *arena;
    ETI_INTERN_OF(eti_fx_base) bases;
    ETI_INTERN_OF(eti_fx_number) numbers;
    eti_fx_request last;
} eti_fx_names;

void eti__fx_names_init(eti_fx_names *names, eti_arena *arena);
void eti__fx_names_free(eti_fx_names *names);

/* Takes the name `wanted`, or a name made from it, which is then followed by a "_". `wanted` must outlive the names. If
 * `out` is NULL, the name is taken but not stored. False: out of memory. */
bool eti__fx_names_create(eti_fx_names *names, eti_text wanted, eti_text *out);

/* Do the same for a target: dots become "_", "fooBar" becomes "foo_bar". The target of a placeholder or an attribute is a
 * Python str, that of a call has a __name__; "__x__" becomes "x" only in a str. `target` must outlive the names, too. */
bool eti__fx_names_create_from_str(eti_fx_names *names, eti_text target, eti_text *out);
bool eti__fx_names_create_from_callable(eti_fx_names *names, eti_text target, eti_text *out);

#endif
