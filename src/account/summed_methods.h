/*
 * summed_methods.h - lists the methods whose EventBlocks a view sums up, so that runs of different
 * methods never share statistics.
 *
 * If the record or the program has several methods, a block with an unknown method is an item of
 * its own. If there are more than ETI_MOST_METHODS items, all blocks are one item, which limits the
 * time that damaged files take.
 */
#ifndef ETI_ACCOUNT_SUMMED_METHODS_H
#define ETI_ACCOUNT_SUMMED_METHODS_H

#include "account/options.h"
#include "base/numbers.h"
#include "model/model.h"

#define ETI_MOST_METHODS 16

typedef struct eti_summed_method {
    eti_text name; /* name of the method, or label of the block; absent if it is the only item */
    eti_view_options options; /* the view's options, limited to the blocks of the method */
} eti_summed_method;

/* Initialize with eti__summed_methods_find(). Must not be moved, because the options of the methods point to `whole`. */
typedef struct eti_summed_methods {
    eti_summed_method *items; /* in the order of their first blocks; at least one */
    size_t n;
    eti_wide whole; /* ticks of all methods in all runs that count */
} eti_summed_methods;

/* Lists the methods of the blocks that the options select; with options->per_block, all blocks are one item. Fails
 * with ETI_ERROR_MEMORY; free `out` in any case. */
eti_status eti__summed_methods_find(eti_summed_methods *out, const eti_inspector *inspector,
                                    const eti_view_options *options,
                                    eti_error *err) ETI_WARN_UNUSED;
void eti__summed_methods_free(eti_summed_methods *methods);

#endif
