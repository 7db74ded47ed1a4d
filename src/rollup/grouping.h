/*
 * grouping.h - turns EventBlocks into groups of Events that have an operator, a backend, a module,
 * a line of source, a method or a block in common, and names the groups.
 *
 * Events without such a property are in groups with the names of group_names.h.
 */
#ifndef ETI_ROLLUP_GROUPING_H
#define ETI_ROLLUP_GROUPING_H

#include "account/account.h"
#include "base/intern.h"
#include "base/text.h"
#include "model/model.h"
#include "places/places.h"
#include "rollup/group_names.h"
#include "rollup/rollup.h"

/* The property that the Events of a group share. */
typedef enum eti_grouping {
    ETI_BY_OP,
    ETI_BY_BACKEND,
    ETI_BY_MODULE,
    ETI_BY_SOURCE,
    ETI_BY_METHOD,
    ETI_BY_BLOCK,
    ETI_N_GROUPINGS,
} eti_grouping;

/* Returns the name of a grouping as --group accepts it, such as "op". */
const char *eti__grouping_name(eti_grouping grouping);

/* Returns the noun for groups that need an ETRecord, such as "modules"; NULL if the grouping needs no ETRecord. */
const char *eti__grouping_of_record(eti_grouping grouping);

/* Parses a grouping. Sets `*depth` to 2 for "module:2", and to UINT32_MAX if no depth is given. Returns false if
 * there is no such grouping. */
bool eti__grouping_parse(const char *text, eti_grouping *out, uint32_t *depth);
/* Returns the name of the grouping most similar to a mistyped one, or NULL if none is similar. */
const char *eti__grouping_near(const char *mistyped);

typedef struct eti_block_key eti_block_key;

/* Groups with their names. Initialize with eti__groups_make(). */
typedef struct eti_groups {
    eti_grouping grouping;
    uint32_t depth; /* depth of modules */
    const eti_inspector *inspector;
    eti_places places;
    eti_text_table texts;
    eti_shared_texts ops;              /* names of operators, see op_type.h */
    ETI_INTERN_OF(eti_block_key) keys; /* per group of the rollup */
    eti_rollup rollup;
    uint32_t *order; /* n groups, in the order of eti__rollup_sort() */
    size_t n;
    /* the inspector has several methods and these groups are of one, see account/account.h */
    bool is_of_method;
    bool per_block;     /* each EventBlock has groups of its own, which are adjacent in `order` */
    double *shares;     /* per group in `order`: its share of the whole, or of its block */
    double *cumulative; /* per group in `order`: its share plus all shares before it */
    uint64_t n_bytes;   /* approximate size of all names */
} eti_groups;

/* Groups the Events of the blocks selected by the options; `accounts` are as in eti__rollup_make(). If
 * options->per_block is set, no group has Events of two blocks. Fails with ETI_ERROR_MEMORY; free `out` in any case. */
eti_status eti__groups_make(eti_groups *out, const eti_inspector *inspector,
                            const eti_view_options *options, eti_grouping grouping, uint32_t depth,
                            eti_account *accounts, eti_error *err) ETI_WARN_UNUSED;
void eti__groups_free(eti_groups *groups);

/* Returns the number of the EventBlock that a group belongs to, if each block has groups of its own. */
size_t eti__groups_block(const eti_groups *groups, uint32_t group);

/* Appends the name of a group, given by its number in the rollup. */
void eti__groups_add_name(const eti_groups *groups, uint32_t group, eti_buffer *out);

#endif
