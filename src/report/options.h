/*
 * options.h - what a page leaves out, and how large it may be.
 */
#ifndef ETI_REPORT_OPTIONS_H
#define ETI_REPORT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct eti_page_options {
    const char *title; /* NULL: the names of the first input and its method */
    bool no_source;    /* leaves out code and paths of the model's source files */
    bool no_paths;     /* names inputs without their folders */
    size_t max_slices; /* of the timeline */
    size_t max_size;   /* bytes of the page */
} eti_page_options;

#define ETI_PAGE_OPTIONS_DEFAULT                                                                   \
    { .max_slices = 200000, .max_size = (size_t)20 << 20 }

#endif
