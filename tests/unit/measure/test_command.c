#include "support.h"

#include "measure/command.h"

#include <sys/wait.h>
#include <unistd.h>

#define PATH "/tmp/a b/x.etdp"

static eti_arena arena;
static eti_error err = ETI_ERROR_INIT;

static int free_arena(void **state) {
    (void)state;
    eti__arena_free(&arena);
    return 0;
}

/* Returns the arguments of a command, each in brackets. */
static const char *split(const char *text) {
    static char out[512];
    eti_command command;
    size_t used = 0;
    assert_ok(eti__command_parse(&command, &arena, "new", text, false, &err));
    char **arguments = eti__command_arguments(&command, &arena, PATH);
    assert_non_null(arguments);
    out[0] = '\0';
    for (size_t i = 0; arguments[i]; i++)
        used += (size_t)snprintf(out + used, sizeof out - used, "[%s]", arguments[i]);
    return out;
}

static void refuse(const char *text, const char *part) {
    eti_command command;
    assert_fails(eti__command_parse(&command, &arena, "new", text, false, &err), ETI_ERROR_USAGE,
                 part);
}

static void blanks_separate_words(void **state) {
    (void)state;
    assert_string_equal(split("a b"), "[a][b]");
    assert_string_equal(split("  a\t b\n"), "[a][b]");
    assert_string_equal(split("a"), "[a]");
}

static void quotes_keep_characters(void **state) {
    (void)state;
    assert_string_equal(split("a 'b  c'"), "[a][b  c]");
    assert_string_equal(split("a \"b 'c' | x\""), "[a][b 'c' | x]");
    assert_string_equal(split("a 'b \\ \"'"), "[a][b \\ \"]");
    assert_string_equal(split("a \"\\\"b\\\\n\\n\\$x\\`\""), "[a][\"b\\n\\n$x`]");
    assert_string_equal(split("a b' 'c\" \"d"), "[a][b c d]");
    assert_string_equal(split("a '' \"\""), "[a][][]");
}

static void backslash_keeps_the_next_character(void **state) {
    (void)state;
    assert_string_equal(split("a\\ b \\$c \\' \\\\"), "[a b][$c]['][\\]");
}

static void path_replaces_each_place(void **state) {
    (void)state;
    assert_string_equal(split("app {}"), "[app][" PATH "]");
    assert_string_equal(split("app --out={},x '{}{}' {"),
                        "[app][--out=" PATH ",x][" PATH PATH "][{]");
}

static void nothing_is_expanded(void **state) {
    (void)state;
    assert_string_equal(split("app * ~ a=b # ! [x] ? %"), "[app][*][~][a=b][#][!][[x]][?][%]");
}

static void commands_that_need_a_shell_are_refused(void **state) {
    (void)state;
    const char *const texts[] = {"a | b", "a > b", "a < b", "a; b",     "a & b",   "a $b",
                                 "(a)",   "a `b`", "a>b",   "a \"$b\"", "a \"`b\""};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        refuse(texts[i], "has a meaning only in a shell");
    refuse("a $b", "new: $ has a meaning");
}

static void unfinished_commands_are_refused(void **state) {
    (void)state;
    refuse("a 'b", "a ' is not closed in: a 'b");
    refuse("a \"b", "a \" is not closed");
    refuse("a \"b\\\"", "a \" is not closed");
    refuse("a \\", "nothing follows the last \\");
    refuse("", "the command is empty");
    refuse("  ", "the command is empty");
    refuse("'' a", "the command contains no program");
}

static void place_is_known(void **state) {
    (void)state;
    eti_command command;
    assert_ok(eti__command_parse(&command, &arena, "new", "a x{}y", false, &err));
    assert_true(command.has_path);
    assert_ok(eti__command_parse(&command, &arena, "new", "a { }", false, &err));
    assert_false(command.has_path);
    assert_ok(eti__command_parse(&command, &arena, "new", "a {}", true, &err));
    assert_true(command.has_path);
    assert_ok(eti__command_parse(&command, &arena, "new", "a", true, &err));
    assert_false(command.has_path);
}

/* ---- shell ----------------------------------------------------------------------------------- */

/* Returns the output of the shell. */
static const char *run_in_shell(const char *script) {
    static char out[512];
    int ends[2];
    eti_command command;
    assert_ok(eti__command_parse(&command, &arena, "new", script, true, &err));
    char **arguments = eti__command_arguments(&command, &arena, PATH);
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execv(arguments[0], arguments);
        _exit(127);
    }
    close(ends[1]);
    ssize_t n = read(ends[0], out, sizeof out - 1);
    out[n > 0 ? n : 0] = '\0';
    close(ends[0]);
    waitpid(pid, NULL, 0);
    return out;
}

static void shell_gets_the_path_as_one_word(void **state) {
    (void)state;
    assert_string_equal(run_in_shell("printf '[%s]' {} x"), "[" PATH "][x]");
    assert_string_equal(run_in_shell("printf '[%s]' \"{}\" x"), "[" PATH "][x]");
    assert_string_equal(run_in_shell("printf '[%s]' '{}' x"), "[" PATH "][x]");
    assert_string_equal(run_in_shell("printf '[%s]' a{}b \"c {}\" 'd {}'"),
                        "[a" PATH "b][c " PATH "][d " PATH "]");
    assert_string_equal(run_in_shell("printf '[%s]' \"a\\\"{}\" 'b\\'{}"),
                        "[a\"" PATH "][b\\" PATH "]");
    assert_string_equal(run_in_shell("x=\"a\\\"{}\"; printf '[%s]' \"$x\" \\\"{}"),
                        "[a\"" PATH "][\"" PATH "]");
}

static void empty_script_is_refused(void **state) {
    (void)state;
    eti_command command;
    assert_fails(eti__command_parse(&command, &arena, "new", " \n", true, &err), ETI_ERROR_USAGE,
                 "the command is empty");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blanks_separate_words),
        cmocka_unit_test(quotes_keep_characters),
        cmocka_unit_test(backslash_keeps_the_next_character),
        cmocka_unit_test(path_replaces_each_place),
        cmocka_unit_test(nothing_is_expanded),
        cmocka_unit_test(commands_that_need_a_shell_are_refused),
        cmocka_unit_test(unfinished_commands_are_refused),
        cmocka_unit_test(place_is_known),
        cmocka_unit_test(shell_gets_the_path_as_one_word),
        cmocka_unit_test(empty_script_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, free_arena);
}
