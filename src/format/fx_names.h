/*
 * fx_names.h - gives the nodes of a graph the names that torch.fx gives them when it loads the
 * graph: a wanted name, made an identifier, and numbered where it is taken or is one of Python's
 * own.
 *
 * This is torch.fx.graph._Namespace.create_name() of torch 2.13 under Python 3.11. Names and all
 * else live in the arena given.
 */
#ifndef ETI_FORMAT_FX_NAMES_H
#define ETI_FORMAT_FX_NAMES_H

#include "base/text_table.h"

typedef struct eti_fx_names {
    eti_arena *arena;
    eti_text_table used;
    /* By number in `used`: "x_3" was taken, and so is all up to this one less 1. */
    uint64_t *next_number;
    size_t used_capacity;
    eti_text_table bases;  /* names without their final "_<number>" */
    uint64_t *last_number; /* by number in `bases` */
    size_t bases_capacity;
} eti_fx_names;

void eti_fx_names_init(eti_fx_names *names, eti_arena *arena);
void eti_fx_names_free(eti_fx_names *names);

/* Takes the name `wanted`, or one made from it. `wanted` must outlive the names. False: out of
 * memory. */
bool eti_fx_names_create(eti_fx_names *names, eti_text wanted, eti_text *out);

/* The same for what is called rather than named: dots become "_", "fooBar" becomes "foo_bar". The
 * target of a placeholder or of an attribute is a Python str, that of a call has a __name__;
 * "__x__" is "x" only in the former. `target` must outlive the names, too. */
bool eti_fx_names_create_from_str(eti_fx_names *names, eti_text target, eti_text *out);
bool eti_fx_names_create_from_callable(eti_fx_names *names, eti_text target, eti_text *out);

#endif
