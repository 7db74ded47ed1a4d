#include "locale_fixture.h"

#include "measure/machine.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file system with the files that Linux provides. */
static char root[] = "/tmp/etinspect-machine-XXXXXX";

static int make_root(void **state) {
    (void)state;
    return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    return system(command);
}

static void write_file(const char *path, const char *text) {
    char whole[256];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    for (char *slash = whole + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(whole, 0777);
        *slash = '/';
    }
    FILE *file = fopen(whole, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void remove_file(const char *path) {
    char whole[256];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    unlink(whole);
}

#define GOVERNOR "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
#define ZONE(i) "/sys/class/thermal/thermal_zone" #i "/temp"

static const char *describe(const eti_machine *machine) {
    static char out[256];
    eti_buffer text = {0};
    eti__machine_describe(machine, &text);
    snprintf(out, sizeof out, "%.*s", (int)text.size, text.data);
    eti__buffer_free(&text);
    return out;
}

static void unknown_facts_are_left_out(void **state) {
    (void)state;
    eti_machine machine = eti__machine_start(root);
    machine.n_processors = 1;
    eti__machine_look(&machine);
    assert_string_equal(describe(&machine), "1 processor");
    assert_false(eti__machine_was_busy(&machine));
    assert_true(isnan(machine.first_load));
}

static void facts_are_ranges(void **state) {
    (void)state;
    write_file("/proc/loadavg", "0.30 0.20 0.10 1/100 4711\n");
    write_file(GOVERNOR, "performance\n");
    write_file(ZONE(0), "47600\n");
    write_file(ZONE(1), "51200\n");
    eti_machine machine = eti__machine_start(root);
    machine.n_processors = 4;
    eti__machine_look(&machine);
    assert_string_equal(describe(&machine),
                        "4 processors, governor performance, load average 0.30, 51 °C");
    write_file("/proc/loadavg", "1.50 0.20 0.10 1/100 4711\n");
    write_file(ZONE(0), "60400\n");
    eti__machine_look(&machine);
    assert_string_equal(
        describe(&machine),
        "4 processors, governor performance, load average 0.30 to 1.50, 51 to 60 °C");
    assert_string_equal(machine.other_governor, "");
}

static void numbers_have_a_decimal_point_in_any_locale(void **state) {
    enter_comma_locale();
    facts_are_ranges(state);
}

static void changed_governor_is_kept(void **state) {
    (void)state;
    write_file(GOVERNOR, "performance\n");
    eti_machine machine = eti__machine_start(root);
    eti__machine_look(&machine);
    write_file(GOVERNOR, "powersave\n");
    eti__machine_look(&machine);
    write_file(GOVERNOR, "performance\n");
    eti__machine_look(&machine);
    assert_string_equal(machine.governor, "performance");
    assert_string_equal(machine.other_governor, "powersave");
    assert_non_null(strstr(describe(&machine), "governor performance and powersave"));
}

static void load_before_the_first_process_counts(void **state) {
    (void)state;
    write_file("/proc/loadavg", "1.10 0 0 1/1 1\n");
    eti_machine machine = eti__machine_start(root);
    machine.n_processors = 2;
    eti__machine_look(&machine);
    assert_true(eti__machine_was_busy(&machine));
    machine.n_processors = 4;
    assert_false(eti__machine_was_busy(&machine));
    write_file("/proc/loadavg", "9 0 0 1/1 1\n");
    eti__machine_look(&machine);
    assert_false(eti__machine_was_busy(&machine));
}

static void strange_files_are_left_out(void **state) {
    (void)state;
    write_file("/proc/loadavg", "busy\n");
    write_file(GOVERNOR, "");
    write_file(ZONE(0), "hot\n");
    eti_machine machine = eti__machine_start(root);
    machine.n_processors = 1;
    eti__machine_look(&machine);
    assert_string_equal(describe(&machine), "1 processor");
    remove_file("/proc/loadavg");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_facts_are_left_out),
        cmocka_unit_test(facts_are_ranges),
        cmocka_unit_test_teardown(numbers_have_a_decimal_point_in_any_locale, leave_comma_locale),
        cmocka_unit_test(changed_governor_is_kept),
        cmocka_unit_test(load_before_the_first_process_counts),
        cmocka_unit_test(strange_files_are_left_out),
    };
    return cmocka_run_group_tests(tests, make_root, remove_root);
}
