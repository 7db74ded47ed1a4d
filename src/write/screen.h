/*
 * screen.h - determines the width, characters and colours for an output from its kind and the
 * user's options.
 */
#ifndef ETI_WRITE_SCREEN_H
#define ETI_WRITE_SCREEN_H

#include "base/output.h"
#include "write/options.h"

typedef struct eti_screen {
    size_t width; /* columns; 0: any number, as in a file or a pipe */
    bool is_terminal;
    bool has_color;
    bool has_utf8; /* false: ASCII only */
} eti_screen;

/* Returns the properties of the screen. Properties that `options` and the output leave open are
 * taken from environment variables: COLUMNS; NO_COLOR, CLICOLOR_FORCE and TERM; LC_ALL, LC_CTYPE
 * and LANG. */
eti_screen eti__screen_of(const eti_output *output, const eti_write_options *options);

#endif
