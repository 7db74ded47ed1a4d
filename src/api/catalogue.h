/*
 * catalogue.h - the one list of options: what the command line parses, what help, completions and the manual name,
 * and what eti_request_set() takes.
 *
 * An option is one row. An option whose meaning differs between commands has a row for each meaning, and a command
 * takes at most one of them; eti_request_set() takes the first.
 */
#ifndef ETI_API_CATALOGUE_H
#define ETI_API_CATALOGUE_H

#include "etinspect.h"

/* The commands that take an option. */
enum {
    ETI__FOR_INSPECT = 1 << 0, /* what runs without a verb */
    ETI__FOR_SUMMARY = 1 << 1,
    ETI__FOR_RUNS = 1 << 2,
    ETI__FOR_ALLOC = 1 << 3,
    ETI__FOR_TREE = 1 << 4,
    ETI__FOR_OPS = 1 << 5,
    ETI__FOR_GRAPH = 1 << 6,
    ETI__FOR_SOURCE = 1 << 7,
    ETI__FOR_DIFF = 1 << 8,
    ETI__FOR_GATE = 1 << 9,
    ETI__FOR_BASELINE = 1 << 10,
    ETI__FOR_NOISE = 1 << 11,
    ETI__FOR_CHECK = 1 << 12,
    ETI__FOR_HELP = 1 << 13,
};

/* In the order of the help. */
typedef enum eti__option_group {
    ETI__OWN_OPTIONS, /* of one command */
    ETI__SIDES,
    ETI__INPUTS,
    ETI__RUNS,
    ETI__STATISTICS,
    ETI__TIME,
    ETI__SELECTION,
    ETI__OUTPUT,
    ETI__HELP,
    ETI__N_OPTION_GROUPS,
} eti__option_group;

typedef struct eti__option {
    const char *name;    /* with underscores; hyphens are accepted as well */
    const char *value;   /* what help calls its value; NULL: a flag */
    const char *choices; /* "ns,us": the only values; NULL: any */
    const char *help;    /* may hold line breaks */
    unsigned commands;   /* ETI__FOR_... */
    eti__option_group group;
    bool is_inspectors; /* the Python Inspector has it: its unique prefixes stay usable */
} eti__option;

/* The i-th row, or NULL past the end. */
const eti__option *eti__option_at(size_t i);
/* "Inputs" */
const char *eti__option_group_name(eti__option_group group);

#endif
