/*
 * c_locale.h - formats and reads numbers as in the "C" locale, with a decimal point, whatever the locale of the process;
 * compiles patterns of bytes.
 *
 * A program that uses the library may have called setlocale(). Everywhere outside base/, numbers that may have a fraction
 * are formatted and read with these functions, or with those built on them; tests/layout.sh checks this.
 */
#ifndef ETI_BASE_C_LOCALE_H
#define ETI_BASE_C_LOCALE_H

#include <regex.h>
#include <stdarg.h>
#include <stddef.h>

/* Lets the compiler check a format against its arguments. */
#if defined(__GNUC__)
#define ETI_PRINTF(format_index, first_argument)                                                   \
    __attribute__((format(printf, format_index, first_argument)))
#else
#define ETI_PRINTF(format_index, first_argument)
#endif

/* Are vsnprintf(), snprintf() and strtod() in the "C" locale. */
int eti__vsnprintf(char *out, size_t size, const char *format, va_list arguments) ETI_PRINTF(3, 0);
int eti__snprintf(char *out, size_t size, const char *format, ...) ETI_PRINTF(3, 4);
double eti__strtod(const char *text, char **end);

/* Is regcomp() in the "C" locale, in which each byte is a character, so that texts need not be valid UTF-8. */
int eti__regcomp(regex_t *out, const char *pattern, int flags);

#endif
