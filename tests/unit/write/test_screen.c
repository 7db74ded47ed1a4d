#include "support.h"
#include "write/screen.h"
#include "write/writer.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char *const variables[] = {"COLUMNS",  "NO_COLOR", "CLICOLOR_FORCE", "TERM", "LC_ALL",
                                        "LC_CTYPE", "LANG"};

static int clear_environment(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(variables); i++)
        unsetenv(variables[i]);
    return 0;
}

static bool ignore(void *context, const void *data, size_t size) {
    (void)context;
    (void)data;
    (void)size;
    return true;
}

static eti_screen screen_of_function(eti_write_options options) {
    eti_output *output;
    assert_int_equal(eti__output_open_function(&output, ignore, NULL, NULL), ETI_OK);
    eti_screen screen = eti__screen_of(output, &options);
    eti__output_discard(output);
    return screen;
}

static void test_no_terminal(void **state) {
    (void)state;
    const eti_write_options defaults = ETI_WRITE_OPTIONS_DEFAULT;
    eti_write_options options = defaults;
    setenv("COLUMNS", "40", 1); /* applies to terminals only */
    setenv("TERM", "xterm", 1);
    eti_screen screen = screen_of_function(options);
    assert_int_equal(screen.width, 0);
    assert_false(screen.is_terminal || screen.has_color || screen.has_utf8);
    options.width = 33;
    options.color = ETI_COLOR_ALWAYS;
    screen = screen_of_function(options);
    assert_int_equal(screen.width, 33);
    assert_true(screen.has_color);
}

static void test_color(void **state) {
    (void)state;
    const eti_write_options defaults = ETI_WRITE_OPTIONS_DEFAULT;
    eti_write_options options = defaults;
    options.for_terminal = true;
    assert_false(screen_of_function(options).has_color); /* of an unknown kind */
    setenv("TERM", "dumb", 1);
    assert_false(screen_of_function(options).has_color);
    setenv("TERM", "xterm", 1);
    assert_true(screen_of_function(options).has_color);
    options.color = ETI_COLOR_NEVER;
    assert_false(screen_of_function(options).has_color);
    options.color = ETI_COLOR_AUTO;
    setenv("NO_COLOR", "", 1);
    assert_true(screen_of_function(options).has_color);
    setenv("NO_COLOR", "1", 1);
    assert_false(screen_of_function(options).has_color);
    options.color = ETI_COLOR_ALWAYS;
    assert_true(screen_of_function(options).has_color);
    unsetenv("NO_COLOR");
    assert_false(screen_of_function(defaults).has_color);
    setenv("CLICOLOR_FORCE", "0", 1);
    assert_false(screen_of_function(defaults).has_color);
    setenv("CLICOLOR_FORCE", "1", 1);
    assert_true(screen_of_function(defaults).has_color);
}

static void test_characters(void **state) {
    (void)state;
    const eti_write_options defaults = ETI_WRITE_OPTIONS_DEFAULT;
    eti_write_options options = defaults;
    setenv("LANG", "de_DE.utf8", 1);
    assert_true(screen_of_function(options).has_utf8);
    setenv("LC_CTYPE", "en_US.UTF-8", 1);
    setenv("LANG", "C", 1);
    assert_true(screen_of_function(options).has_utf8);
    setenv("LC_ALL", "POSIX", 1);
    assert_false(screen_of_function(options).has_utf8);
    setenv("LC_ALL", "", 1);
    assert_true(screen_of_function(options).has_utf8);
    options.ascii = true;
    assert_false(screen_of_function(options).has_utf8);
}

static void test_width_of_a_terminal(void **state) {
    (void)state;
    const eti_write_options defaults = ETI_WRITE_OPTIONS_DEFAULT;
    eti_write_options options = defaults;
    options.for_terminal = true;
    assert_int_equal(screen_of_function(options).width, 80);
    setenv("COLUMNS", "40", 1);
    assert_int_equal(screen_of_function(options).width, 40);
    setenv("COLUMNS", "40x", 1);
    assert_int_equal(screen_of_function(options).width, 80);

    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0)
        skip();
    int kept_open = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    struct winsize size = {.ws_col = 123, .ws_row = 20};
    assert_int_equal(ioctl(terminal, TIOCSWINSZ, &size), 0);
    eti_output *output;
    assert_int_equal(eti__output_open(&output, ptsname(terminal), NULL), ETI_OK);
    assert_int_equal(eti__screen_of(output, &defaults).width, 123);
    assert_true(eti__screen_of(output, &defaults).is_terminal);
    setenv("COLUMNS", "40", 1);
    assert_int_equal(eti__screen_of(output, &defaults).width, 40);
    eti__output_discard(output);
    close(kept_open);
    close(terminal);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_no_terminal, clear_environment),
        cmocka_unit_test_setup(test_color, clear_environment),
        cmocka_unit_test_setup(test_characters, clear_environment),
        cmocka_unit_test_setup(test_width_of_a_terminal, clear_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
