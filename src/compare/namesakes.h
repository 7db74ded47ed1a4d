/*
 * namesakes.h - what distinguishes the events of a block that have the same name: their module, source line or number.
 */
#ifndef ETI_COMPARE_NAMESAKES_H
#define ETI_COMPARE_NAMESAKES_H

#include "base/arena.h"
#include "base/text.h"
#include "profile/profile.h"

/* Describes how an event differs from others of its name. */
typedef struct eti_namesakes {
    uint32_t n; /* number of events of that name in the block, itself included; 0 for a total */
    uint32_t number; /* of the event among these, counting from 1 */
    bool has_line,
        has_number; /* the label has these, because without them other labels are equal */
    /* the label without the module, for tables that have a column of it; absent if it is the name */
    eti_text beside_module;
} eti_namesakes;

/* Finds the namesakes of each entry of a block. The arena owns `out`, an array with the numbers of block->entries. False:
 * out of memory. */
bool eti__namesakes_find(const eti_namesakes **out, const eti_profile_block *block,
                         eti_arena *arena);

/* Appends a name, shortened if it is long. */
void eti__add_row_name(eti_buffer *out, eti_text name);

/* Appends the name of a total or event. If the block has other events of that name, appends the module, as in "addmm
 * (encoder.layers.0)"; the source line, if others of these have the same module or none is known; and the number among
 * all of them, as in "addmm #3", if even that is not enough. Labels count as equal if they are printed alike.
 * `namesakes` may be NULL: it has none. */
void eti__add_entry_label(eti_buffer *out, const eti_entry *entry, const eti_namesakes *namesakes);

#endif
