/*
 * figures.h - summarizes a program in a few exact numbers, which rules can limit.
 */
#ifndef ETI_PROGRAM_FIGURES_H
#define ETI_PROGRAM_FIGURES_H

#include "pte/pte.h"

typedef enum eti_figure {
    ETI_FIGURE_FILE_SIZE,
    ETI_FIGURE_ARENA_SIZE, /* of all arenas of the method that requests most */
    ETI_FIGURE_ARENA_PEAK, /* bytes in use, of the method that uses most: the sum of its arenas' peaks */
    ETI_FIGURE_WASTE,      /* size minus peak, of the method for which that is largest */
    ETI_FIGURE_CONSTANTS,
    ETI_FIGURE_DELEGATE_BLOBS,
    ETI_FIGURE_INSTRUCTIONS, /* in all methods */
    ETI_FIGURE_OPERATORS,    /* number of distinct operators called */
    ETI_N_FIGURES,
} eti_figure;

typedef struct eti_figures {
    uint64_t values[ETI_N_FIGURES];
    bool are_known
        [ETI_N_FIGURES]; /* all, except in a baseline written by another version or by hand */
} eti_figures;

/* Names of all figures, such as "file_size". */
extern const char *const eti__figure_names[ETI_N_FIGURES];

/* Finds the figure with a name; returns false if there is no such figure. */
bool eti__figure_find(eti_text name, eti_figure *out);

/* Returns whether the figure is a count; all others are bytes. */
static inline bool eti__figure_is_count(eti_figure figure) {
    return figure >= ETI_FIGURE_INSTRUCTIONS;
}

/* Computes the figures of a program. ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__figures_make(eti_figures *out, const eti_pte *pte, eti_error *err) ETI_WARN_UNUSED;

#endif
