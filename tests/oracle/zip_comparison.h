/*
 * zip_comparison.h - compares this library's reader of ZIPs with libzip.
 *
 * libzip must accept whatever this library accepts: the same members with the same names, and the same bytes of each member
 * that this library can read. This library may reject more, as read/zip.h and read/read.h describe.
 */
#ifndef ETI_TESTS_ZIP_COMPARISON_H
#define ETI_TESTS_ZIP_COMPARISON_H

#include <stddef.h>
#include <stdint.h>

typedef enum zip_agreement {
    ZIP_BOTH_ACCEPT, /* everything */
    ZIP_BOTH_REFUSE, /* everything, or the same members */
    ZIP_WE_ARE_STRICTER,
    ZIP_NOT_COMPARED, /* there are several ends: libzip may prefer another one than Python and this library */
    ZIP_DISAGREE,
} zip_agreement;

/* `why` is one line if they disagree, else "". */
zip_agreement zip_compare_readers(const uint8_t *data, size_t size, char why[256]);

#endif
