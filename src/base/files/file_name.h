/*
 * file_name.h - turns any text into the name of a file, and back.
 *
 * Letters, digits, bytes of characters beyond ASCII and . _ - # : , + = @ ( ) [ ] and the blank stand for themselves; each other byte, and a dot or blank at the
 * beginning, becomes % and two hexadecimal digits. So no name leads into another folder.
 */
#ifndef ETI_BASE_FILES_FILE_NAME_H
#define ETI_BASE_FILES_FILE_NAME_H

#include "base/text.h"

#define ETI_FILE_NAME_MOST 255 /* bytes, of most file systems */

/* Appends the name that `text` gets. */
void eti__file_name_add(eti_buffer *out, eti_text text);

/* Appends the text whose name is `name`. What is not written so stands for itself. */
void eti__file_name_add_text(eti_buffer *out, eti_text name);

#endif
