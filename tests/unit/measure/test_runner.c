#include "support.h"

#include "base/arena.h"
#include "measure/parts.h"

#include <sys/wait.h>
#include <unistd.h>

/* ==== runner ================================================================================== */

static eti_error err = ETI_ERROR_INIT;
static eti_arena arena;
static char logged[8192];
static size_t n_logged;

static int free_arena(void **state) {
    (void)state;
    eti__arena_free(&arena);
    return 0;
}

static bool log_lines(void *context, const void *data, size_t size) {
    (void)context;
    assert_true(n_logged + size < sizeof logged);
    memcpy(logged + n_logged, data, size);
    n_logged += size;
    logged[n_logged] = '\0';
    return true;
}

static eti_runner open_runner(const eti_measure_options *options) {
    eti_runner runner;
    assert_ok(eti__runner_open(&runner, &arena, options, &err));
    runner.log = log_lines;
    n_logged = 0;
    logged[0] = '\0';
    return runner;
}

/* Options with a shell and a time limit that no test reaches. */
static eti_measure_options in_shell(const char *new_side) {
    return (eti_measure_options){.new_side = new_side, .uses_shell = true, .timeout = 60};
}

static void commands_run_in_their_order(void **state) {
    (void)state;
    char path[] = "/tmp/etinspect-runner-XXXXXX", text[64] = "";
    int descriptor = mkstemp(path);
    eti_measure_options options = in_shell("printf new, >>{}");
    options.base = "printf base, >>{}";
    options.before = "printf before, >>{}";
    options.pull = "printf pull, >>{}";
    eti_runner runner = open_runner(&options);
    assert_ok(eti__runner_run(&runner, ETI_MEASURED_NEW, path, &err));
    assert_ok(eti__runner_run(&runner, ETI_MEASURED_BASE, path, &err));
    FILE *file = fdopen(descriptor, "r");
    assert_non_null(fgets(text, sizeof text, file));
    assert_string_equal(text, "before,new,pull,before,base,pull,");
    fclose(file);
    remove(path);
}

static void fail_at(const char *script, const char *part) {
    const eti_measure_options options = in_shell(script);
    eti_runner runner = open_runner(&options);
    assert_fails(eti__runner_run(&runner, ETI_MEASURED_NEW, "x", &err), ETI_ERROR_READ, part);
}

static void failures_name_the_command_and_its_end(void **state) {
    (void)state;
    fail_at("exit 3; {}", "new: exit status 3: exit 3; {}");
    fail_at("kill -ABRT $$; {}", "new: ended by signal 6 (Aborted): kill");
    eti_measure_options options = {.new_side = "/no/such {}", .timeout = 60};
    eti_runner runner = open_runner(&options);
    assert_fails(eti__runner_run(&runner, ETI_MEASURED_NEW, "x", &err), ETI_ERROR_READ,
                 "new: cannot be started: No such file or directory: /no/such {}");
    options.new_side = "A=B true {}";
    runner = open_runner(&options);
    assert_fails(eti__runner_run(&runner, ETI_MEASURED_NEW, "x", &err), ETI_ERROR_READ,
                 "No such file or directory (env A=B COMMAND sets variables): A=B true {}");
    options = in_shell("sleep 30; {}");
    options.timeout = 1;
    runner = open_runner(&options);
    runner.timeout = 0.1;
    assert_fails(eti__runner_run(&runner, ETI_MEASURED_NEW, "x", &err), ETI_ERROR_READ,
                 "new: took longer than the 0.1 seconds of timeout: sleep 30");
}

/* The command of the side does not run if the one before it failed. */
static void failure_ends_the_process(void **state) {
    (void)state;
    eti_measure_options options = in_shell("echo ran >&2; false {}");
    options.before = "echo before >&2; exit 1";
    eti_runner runner = open_runner(&options);
    assert_fails(eti__runner_run(&runner, ETI_MEASURED_NEW, "x", &err), ETI_ERROR_READ,
                 "before: exit status 1");
    assert_string_equal(logged, "before\n");
}

static void errors_of_a_failed_command_are_logged(void **state) {
    (void)state;
    fail_at("echo out; echo one >&2; printf two >&2; exit 1; {}", "exit status 1");
    assert_string_equal(logged, "one\ntwo\n");
    fail_at("echo out; exit 1; {}", "exit status 1");
    assert_string_equal(logged, "out\n");
    fail_at("exit 1; {}", "exit status 1");
    assert_string_equal(logged, "");
}

static void last_lines_are_logged(void **state) {
    (void)state;
    fail_at("i=0; while [ $i -lt 100 ]; do echo line $i >&2; i=$((i + 1)); done; exit 1; {}",
            "exit status 1");
    assert_non_null(strstr(logged, "line 99\n"));
    assert_true(strncmp(logged, "line 80\n", 8) == 0);
}

static void success_logs_nothing(void **state) {
    (void)state;
    const eti_measure_options options = in_shell("echo one >&2; : {}");
    eti_runner runner = open_runner(&options);
    assert_ok(eti__runner_run(&runner, ETI_MEASURED_NEW, "x", &err));
    assert_string_equal(logged, "");
}

static bool refuse_to_wait(void *context) {
    (void)context;
    return false;
}

static void caller_cancels(void **state) {
    (void)state;
    const eti_measure_options options = in_shell("sleep 30; {}");
    eti_runner runner = open_runner(&options);
    runner.wait = refuse_to_wait;
    assert_fails(eti__runner_run(&runner, ETI_MEASURED_NEW, "x", &err), ETI_ERROR_CANCELLED,
                 "cancelled by the caller");
}

static void refuse(const eti_measure_options *options, const char *part) {
    eti_runner runner;
    assert_fails(eti__runner_open(&runner, &arena, options, &err), ETI_ERROR_USAGE, part);
}

static void command_of_the_new_side_is_needed(void **state) {
    (void)state;
    refuse(&(eti_measure_options){0}, "no command was given: use new COMMAND");
    refuse(&(eti_measure_options){.base = "a {}"}, "base needs new: give the command");
}

static void path_must_be_in_a_command(void **state) {
    (void)state;
    eti_runner runner;
    refuse(&(eti_measure_options){.new_side = "a"}, "new: expected {} in the command");
    refuse(&(eti_measure_options){.new_side = "a {}", .base = "b"},
           "base: expected {} in the command");
    refuse(&(eti_measure_options){.new_side = "a", .pull = "b"}, "new: expected {} in the command");
    assert_ok(eti__runner_open(&runner, &arena,
                               &(eti_measure_options){.new_side = "a", .pull = "b {}"}, &err));
    refuse(&(eti_measure_options){.new_side = "a {}", .pull = "b |"}, "pull: |");
    refuse(&(eti_measure_options){.new_side = "a {}", .before = "'"}, "before: a '");
}

/* ==== command ================================================================================= */

#define PATH "/tmp/a b/x.etdp"

/* Returns the arguments of a command, each in brackets. */
static const char *split(const char *text) {
    static char out[512];
    eti_command command;
    size_t used = 0;
    assert_ok(eti__command_parse(&command, &arena, "new", text, false, &err));
    char **arguments = eti__command_arguments(&command, &arena, PATH, NULL);
    assert_non_null(arguments);
    out[0] = '\0';
    for (size_t i = 0; arguments[i]; i++)
        used += (size_t)snprintf(out + used, sizeof out - used, "[%s]", arguments[i]);
    return out;
}

static void refuse_command(const char *text, const char *part) {
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
        refuse_command(texts[i], "has a meaning only in a shell");
    refuse_command("a $b", "new: $ has a meaning");
}

static void unfinished_commands_are_refused(void **state) {
    (void)state;
    refuse_command("a 'b", "a ' is not closed in: a 'b");
    refuse_command("a \"b", "a \" is not closed");
    refuse_command("a \"b\\\"", "a \" is not closed");
    refuse_command("a \\", "nothing follows the last \\");
    refuse_command("", "the command is empty");
    refuse_command("  ", "the command is empty");
    refuse_command("'' a", "the command contains no program");
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
    char **arguments = eti__command_arguments(&command, &arena, PATH, NULL);
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

static int run_runner(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_run_in_their_order),
        cmocka_unit_test(failures_name_the_command_and_its_end),
        cmocka_unit_test(failure_ends_the_process),
        cmocka_unit_test(errors_of_a_failed_command_are_logged),
        cmocka_unit_test(last_lines_are_logged),
        cmocka_unit_test(success_logs_nothing),
        cmocka_unit_test(caller_cancels),
        cmocka_unit_test(command_of_the_new_side_is_needed),
        cmocka_unit_test(path_must_be_in_a_command),
    };
    return cmocka_run_group_tests(tests, NULL, free_arena);
}

static int run_command(void) {
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

int main(void) {
    return run_runner() + run_command();
}
