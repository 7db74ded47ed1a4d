/*
 * file_name.h - encodes any text as a file name, and decodes it.
 *
 * Letters, digits, bytes of non-ASCII characters, blanks and . _ - # : , + = @ ( ) [ ] stand for themselves; every other
 * byte, and a dot or blank at the beginning, becomes % and two hexadecimal digits. Therefore no name leads into another
 * folder.
 */
#ifndef ETI_BASE_FILE_NAME_H
#define ETI_BASE_FILE_NAME_H

#include "base/text.h"

#define ETI_FILE_NAME_MOST 255 /* limit of most file systems, in bytes */

/* Appends the file name of `text`. */
void eti__file_name_add(eti_buffer *out, eti_text text);

/* Appends the text whose file name is `name`. Characters that are not encoded stand for themselves. */
void eti__file_name_add_text(eti_buffer *out, eti_text name);

#endif
