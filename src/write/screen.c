#include "write/screen.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define DEFAULT_WIDTH 80 /* of a terminal that does not report its width */
#define MAX_WIDTH 10000

/* Returns the value of an environment variable; "" if it is not set. */
static const char *environment(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

static size_t environment_columns(void) {
    char *end;
    const char *value = environment("COLUMNS");
    unsigned long columns = strtoul(value, &end, 10);
    bool is_number = eti__is_digit(*value) && *end == '\0';
    return is_number && columns <= MAX_WIDTH ? columns : 0;
}

static size_t find_width(const eti_output *output, const eti_write_options *options,
                         bool is_terminal) {
    if (options->width > 0 || !is_terminal)
        return options->width;
    size_t width = environment_columns();
    if (width == 0)
        width = eti__output_terminal_columns(output);
    return width > 0 ? width : DEFAULT_WIDTH;
}

/* Decides whether to use colours, as specified by no-color.org and bixense.com/clicolors. */
static bool find_color(const eti_write_options *options, bool is_terminal) {
    if (options->color != ETI_COLOR_AUTO)
        return options->color == ETI_COLOR_ALWAYS;
    if (*environment("NO_COLOR"))
        return false;
    const char *force = environment("CLICOLOR_FORCE");
    if (*force && strcmp(force, "0") != 0)
        return true;
    const char *terminal = environment("TERM");
    return is_terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

/* Finds out as setlocale() does whether the locale has UTF-8, without changing the program's
 * locale. */
static bool find_utf8(void) {
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = environment(variables[i]);
        if (*value)
            return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
    }
    return false;
}

eti_screen eti__screen_of(const eti_output *output, const eti_write_options *options) {
    bool is_terminal = options->for_terminal || eti__output_is_terminal(output);
    return (eti_screen){
        .width = find_width(output, options, is_terminal),
        .is_terminal = is_terminal,
        .has_color = find_color(options, is_terminal),
        .has_utf8 = !options->ascii && find_utf8(),
    };
}
