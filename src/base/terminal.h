/*
 * terminal.h - escapes characters that a terminal would act on, in bytes that are written to one.
 *
 * The escapes are those of Python's repr(): \x1b, \u202e. Line breaks (also with a carriage return) and tabs pass, because
 * they are harmless. Bytes that are not UTF-8 become U+FFFD, because old terminals interpret some of them as commands.
 */
#ifndef ETI_BASE_TERMINAL_H
#define ETI_BASE_TERMINAL_H

#include "base/text.h"

/* Largest size of one escaped character, in bytes. */
#define ETI_TERMINAL_MOST 16

/* Writes a control character as \xNN or \uNNNN, NUL-terminated; returns its length. */
size_t eti__spell_control(char out[ETI_TERMINAL_MOST], uint32_t character);

/* Writes the character at `at` to `out` in a form that is safe to show, and stores its number of bytes in the text in
 * `*taken`; returns the number of bytes written. `has_color`: sequences that set a colour (ESC [ ... m) pass unchanged. */
size_t eti__terminal_spell(char out[ETI_TERMINAL_MOST], eti_text text, size_t at, bool has_color,
                           size_t *taken);

/* Returns the number of bytes at the end of `text` that cannot be judged before the following bytes are known. */
size_t eti__terminal_unfinished(eti_text text, bool has_color);

#endif
