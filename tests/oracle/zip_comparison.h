/*
 * zip_comparison.h - whether our reader of ZIPs and libzip agree about some bytes.
 *
 * Whatever we take, libzip must take too: the same members with the same names, and of each that we can
 * read the same bytes. We may refuse more, as zip_directory.h and zip_member.h tell.
 */
#ifndef ETI_TESTS_ZIP_COMPARISON_H
#define ETI_TESTS_ZIP_COMPARISON_H

#include <stddef.h>
#include <stdint.h>

typedef enum zip_agreement {
    ZIP_BOTH_ACCEPT, /* all of it */
    ZIP_BOTH_REFUSE, /* all of it, or the same members */
    ZIP_WE_ARE_STRICTER,
    ZIP_NOT_COMPARED, /* there are several ends: libzip may prefer another one than Python and we */
    ZIP_DISAGREE,
} zip_agreement;

/* `why` is one line when they disagree, else "". */
zip_agreement zip_compare_readers(const uint8_t *data, size_t size, char why[256]);

#endif
