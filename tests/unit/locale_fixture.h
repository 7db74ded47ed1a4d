/* locale_fixture.h - a locale with a decimal comma, as a program that uses the library may have. */
#ifndef ETI_TESTS_UNIT_LOCALE_FIXTURE_H
#define ETI_TESTS_UNIT_LOCALE_FIXTURE_H

#include "support.h"

#include <locale.h>

/* Makes the locale in a temporary folder, and switches to it; needs localedef and the locales' sources. */
static inline bool make_comma_locale(void) {
    char folder[] = "/tmp/etinspect-locale-XXXXXX", command[256];
    if (!mkdtemp(folder))
        return false;
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >%s/log 2>&1",
             folder, folder);
    setenv("LOCPATH", folder, 1);
    bool is_made = system(command) == 0 && setlocale(LC_ALL, "de_DE.UTF-8");
    unsetenv("LOCPATH");
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 && is_made;
}

/* Switches to a locale with a decimal comma; without one, skips the rest of the test. */
static inline void enter_comma_locale(void) {
    char text[16] = "";
    if (setlocale(LC_ALL, "de_DE.UTF-8") || make_comma_locale())
        snprintf(text, sizeof text, "%.1f", 0.5);
    if (strcmp(text, "0,5") == 0)
        return;
    setlocale(LC_ALL, "C");
    print_message("# SKIP there is no locale de_DE.UTF-8, and localedef cannot make it\n");
    skip();
}

/* Tears a test down that switched. */
static inline int leave_comma_locale(void **state) {
    (void)state;
    return setlocale(LC_ALL, "C") ? 0 : -1;
}

#endif
