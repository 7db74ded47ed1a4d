/*
 * block_names.h - finds the blocks with the same name (eti__block_has_name_of()) without comparing all pairs of blocks.
 *
 * A block without a known method has the name of every block with its name and bundled input, whatever their methods. The
 * blocks are therefore in lists: one for each name with its method, and one for each name with any method. The caller
 * keeps the lists in an array indexed by their numbers.
 */
#ifndef ETI_PROFILE_BLOCK_NAMES_H
#define ETI_PROFILE_BLOCK_NAMES_H

#include "base/intern.h"
#include "profile/profile.h"

/* Largest number of lists that a block adds. */
#define ETI_MOST_BLOCK_LISTS 3

/* Numbers of lists of blocks. */
typedef struct eti_block_lists {
    uint32_t own, any;     /* lists to which the block belongs: with its method, and with any */
    uint32_t with_name[2]; /* lists that together have the blocks with its name, each once */
    size_t n_with_name;    /* 1: the list of any method; 2: lists of one method each */
} eti_block_lists;

typedef struct eti_block_list_key {
    eti_text name, method;
    int32_t bundled_input_index;
    bool is_any; /* blocks of any method */
} eti_block_list_key;

/* Starts as all zeros; `count` is the number of lists. */
typedef ETI_INTERN_OF(eti_block_list_key) eti_block_names;

/* Adds a block, whose texts are borrowed, and sets the numbers of its lists. False: out of memory. */
bool eti__block_names_add(eti_block_names *names, const eti_profile_block *block,
                          eti_block_lists *out);
void eti__block_names_free(eti_block_names *names);

/* Sets for each block of a profile the number of files that have a block with its name. False: out of memory. */
bool eti__block_names_count_files(const struct eti_profile *profile, size_t *out);

#endif
