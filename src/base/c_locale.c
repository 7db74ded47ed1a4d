#include "base/c_locale.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

/* The locale of this thread, and the one to which it returns. */
typedef struct visit {
    locale_t c;
    locale_t before;
} visit;

/* Switches this thread to the "C" locale. glibc and musl hold it ready: newlocale() allocates nothing and cannot fail. */
static visit enter_c_locale(void) {
    visit v = {.c = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    if (v.c)
        v.before = uselocale(v.c);
    return v;
}

static void leave_c_locale(visit v) {
    if (!v.c)
        return;
    uselocale(v.before);
    freelocale(v.c);
}

int eti__vsnprintf(char *out, size_t size, const char *format, va_list arguments) {
    visit v = enter_c_locale();
    int length = vsnprintf(out, size, format, arguments);
    leave_c_locale(v);
    return length;
}

int eti__snprintf(char *out, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = eti__vsnprintf(out, size, format, arguments);
    va_end(arguments);
    return length;
}

double eti__strtod(const char *text, char **end) {
    visit v = enter_c_locale();
    double number = strtod(text, end);
    leave_c_locale(v);
    return number;
}

int eti__regcomp(regex_t *out, const char *pattern, int flags) {
    visit v = enter_c_locale();
    int code = regcomp(out, pattern, flags);
    leave_c_locale(v);
    return code;
}
