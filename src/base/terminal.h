/*
 * terminal.h - spells out the characters that a terminal would act on, in bytes that are written to
 * one.
 *
 * They are spelled as by Python's repr(): \x1b, \u202e. Line breaks (also with a carriage return)
 * and tabs pass, because they are harmless; bytes that are not UTF-8 become U+FFFD, because old
 * terminals take some of them as commands.
 */
#ifndef ETI_BASE_TERMINAL_H
#define ETI_BASE_TERMINAL_H

#include "base/text.h"

/* Room for one character, spelled out. */
#define ETI_TERMINAL_MOST 16

/* Writes \xNN or \uNNNN of a control character, with a NUL behind it; returns its length. */
size_t eti__spell_control(char out[ETI_TERMINAL_MOST], uint32_t character);

/* Puts the character at `at` into `out` in a form that is safe to show, and its number of bytes in
 * the text into `*taken`; returns the number of bytes put into `out`. `has_color`: sequences that
 * set a colour (ESC [ ... m) pass whole. */
size_t eti__terminal_spell(char out[ETI_TERMINAL_MOST], eti_text text, size_t at, bool has_color,
                           size_t *taken);

/* Number of bytes at the end of `text` that cannot be judged before those that follow are known. */
size_t eti__terminal_unfinished(eti_text text, bool has_color);

#endif
