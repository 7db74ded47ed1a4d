/*
 * screen.h - turns an output and what the user asked for into what can be shown there: how wide, with which
 * characters, in which colours.
 */
#ifndef ETI_WRITE_SCREEN_H
#define ETI_WRITE_SCREEN_H

#include "base/files/atomic_file.h"
#include "write/options.h"

typedef struct eti_screen {
    size_t width; /* columns; 0: any number, as in a file or a pipe */
    bool is_terminal;
    bool has_color;
    bool has_utf8; /* false: ASCII only */
} eti_screen;

/* Environment variables decide what neither `options` nor the output does: COLUMNS; NO_COLOR, CLICOLOR_FORCE
 * and TERM; LC_ALL, LC_CTYPE and LANG. */
eti_screen eti__screen_of(const eti_output *output, const eti_write_options *options);

#endif
