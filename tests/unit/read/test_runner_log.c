#include "support.h"

#include "base/files.h"
#include "read/read.h"
#include "read/runner_log.h"

/* Reads a text as a log. */
static eti_status read_log(eti_runner_log *out, const char *text, eti_error *err) {
    struct eti_file log;
    eti_status status =
        eti__file_open_source(&log, &(eti_source){"uart.log", text, strlen(text)}, err);
    if (status == ETI_OK)
        status = eti__runner_log_read(out, &log, err);
    eti__file_release(&log);
    return status;
}

static void assert_file(const struct eti_file *file, const char *name, const char *content) {
    assert_string_equal(file->name, name);
    assert_int_equal(file->size, strlen(content));
    assert_memory_equal(file->data, content, file->size);
}

static void assert_refused(const char *text, const char *message) {
    eti_runner_log log;
    eti_error err = ETI_ERROR_INIT;
    assert_int_equal(read_log(&log, text, &err), ETI_ERROR_MALFORMED);
    if (!strstr(err.message, message))
        fail_msg("expected \"%s\", found \"%s\"", message, err.message);
    assert_int_equal(log.n_dumps + log.n_debug_buffers, 0);
}

/* RFC 4648, section 10. */
static void base64_of_every_length(void **state) {
    (void)state;
    static const char *const texts[][2] = {{"", ""},
                                           {"Zg==", "f"},
                                           {"Zm8=", "fo"},
                                           {"Zm9v", "foo"},
                                           {"Zm9vYg==", "foob"},
                                           {"Zm9vYmE=", "fooba"},
                                           {"Zm9vYmFy", "foobar"},
                                           {"+/+/", "\xfb\xff\xbf"}};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        char text[128];
        snprintf(text, sizeof text,
                 "boot\n#[RUN THIS]\necho \"%s\" | base64 -d >etdump.bin\n#[END]\n", texts[i][0]);
        eti_runner_log log;
        eti_error err = ETI_ERROR_INIT;
        assert_ok(read_log(&log, text, &err));
        assert_int_equal(log.n_dumps, 1);
        assert_int_equal(log.n_debug_buffers, 0);
        assert_file(&log.dumps[0], "uart.log, line 3", texts[i][1]);
        eti__runner_log_free(&log);
    }
}

static void several_places_and_debug_buffers(void **state) {
    (void)state;
    eti_runner_log log;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(read_log(&log,
                       "echo \"before\"\r\n#[RUN THIS]\r\n# Writing debug_buffer.bin [base64]\r\n"
                       "echo \"Zm9v\" | base64 -d >debug_buffer.bin\r\n"
                       "echo \"Zm\r\n9v\r\nYmFy\" | base64 -d >etdump.bin\r\n#[END]\r\nreset\r\n"
                       "#[RUN THIS]\r\necho \"Zg==\" | base64 -d >etdump.bin\r\n" /* no end */
                       "#[RUN THIS]\r\necho \"Zm8=\" | base64 -d >etdump.bin",
                       &err));
    assert_int_equal(log.n_dumps, 3);
    assert_file(&log.dumps[0], "uart.log, line 5", "foobar");
    assert_file(&log.dumps[1], "uart.log, line 11", "f");
    assert_file(&log.dumps[2], "uart.log, line 13", "fo");
    assert_int_equal(log.n_debug_buffers, 1);
    assert_file(&log.debug_buffers[0], "uart.log, line 4", "foo");
    eti__runner_log_free(&log);
}

/* Loggers put a prefix before each line: logcat (-v threadtime, brief), Zephyr, a terminal program, systemd. */
static void each_line_may_have_the_prefix_of_a_logger(void **state) {
    (void)state;
    static const char *const prefixes[][2] = {
        {"11-28 20:10:01.999  4242  4243 I ExecuTorch: ",
         "11-28 20:10:02.000  4242  4243 I ExecuTorch: "},
        {"I/ExecuTorch( 4242): ", "I/ExecuTorch(14242): "},
        {"[00:00:09.999,000] <inf> app:", "[00:00:10.000,125] <inf> app:"},
        {"9:59:59.9 -> ", "10:00:00.0 -> "},
        {"[    9.999999] ", "[   10.000000] "},
        {"99 ", "100 "},
        {"board runner[7]: ", "board runner[7]: "},
        {"  ", "  "},
        {"I (9) etc: ", ""}, /* a terminal broke the line */
    };
    for (size_t i = 0; i < COUNT_OF(prefixes); i++) {
        for (int ends = 0; ends < 2; ends++) {
            char text[512];
            const char *first = prefixes[i][0], *next = prefixes[i][1], *end = ends ? "\r\n" : "\n";
            /* The second line begins with digits, which belong to no number of a prefix. */
            snprintf(text, sizeof text,
                     "%s#[RUN THIS]%s%secho \"Zm9v%s%s0000%s%sYmFy\" | base64 -d "
                     ">etdump.bin%s%s#[END]%s",
                     first, end, first, end, next, end, next, end, next, end);
            eti_runner_log log;
            eti_error err = ETI_ERROR_INIT;
            if (read_log(&log, text, &err) != ETI_OK)
                fail_msg("%s: %s", first, err.message);
            assert_int_equal(log.n_dumps, 1);
            assert_file(&log.dumps[0], "uart.log, line 2",
                        "foo\xd3\x4d\x34"
                        "bar");
            eti__runner_log_free(&log);
        }
    }
}

/* Lines of others between those of the runner are not skipped, or events would be missing. */
static void other_lines_in_base64_are_refused(void **state) {
    (void)state;
    static const char *const lines[] = {
        "11-28 20:10:01.123  4242  4243 I Other: Zm9v",
        "11-28 20:10:01.123  4242  4243 W ExecuTorch: Zm9v",
        "11-28 20:10:01.123  4242 I ExecuTorch: Zm9v",
        "11-28 20:10:01.123  4242  4243 I ExecuTorch",
    };
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "#[RUN THIS]\n11-28 20:10:01.123  4242  4243 I ExecuTorch: echo \"Zm9v\n%s\n\" | "
                 "base64",
                 lines[i]);
        assert_refused(text, "line 3: expected base64, found byte 0x2d");
    }
    assert_refused("#[RUN THIS]\nI (1): echo \"Zm9v\nI (2): Zm?v\n\" | base64",
                   "line 3: expected base64, found byte 0x3f");
    assert_refused("#[RUN THIS]\nx7echo \"Zm9v\nx?Zm9v\n\" | base64",
                   "line 3: expected base64, found byte 0x3f");
}

static void faults_are_reported_with_their_line(void **state) {
    (void)state;
    assert_refused("#[RUN THIS]\n#[END]\n",
                   "uart.log: the log of a runner (#[RUN THIS]) in which no");
    assert_refused("#[RUN THIS]\necho \"Zm9v", "line 2: the log ends within the base64");
    assert_refused("#[RUN THIS]\necho \"Zm9v\n#[END]\n\" | base64", "line 2: the log ends within");
    assert_refused("#[RUN THIS]\necho \"Zm9v\nZm9vZ\" | base64",
                   "line 3: characters of the base64 are");
    assert_refused("#[RUN THIS]\necho \"Zm9v\nZm*v\" | base64",
                   "line 3: expected base64, found byte 0x2a");
    assert_refused("#[RUN THIS]\necho \"Zg==Zm9v\" | base64",
                   "line 2: expected base64, found byte 0x5a");
    assert_refused("#[RUN THIS]\necho \"====\" | base64",
                   "line 2: expected base64, found byte 0x3d");
    assert_refused("#[RUN THIS]\necho \"Zg=\" | base64",
                   "line 2: characters of the base64 are missing");
}

#define PLACE(echo, check) "#[RUN THIS]\n" echo check "\n#[END]\n"
#define FOO "echo \"Zm9v\" | base64 -d >etdump.bin\n"
#define BUFFER "echo \"YmFy\" | base64 -d >debug_buffer.bin\n"

#define FULL "# etcapture full lost=90 bytes=1024 needed=3904"

static void too_little_memory_is_said(void **state) {
    (void)state;
    eti_runner_log log;
    eti_error err = ETI_ERROR_INIT;
    assert_refused(
        PLACE("", FULL) PLACE("", FULL),
        "line 5: the device had too little memory: it lost 90 events, and no run is complete; give "
        "its capture at least 3904 bytes instead of 1024");
    assert_refused(PLACE("", "# etcapture full lost=90 bytes=1024 needed="),
                   "line 2: the line about the memory of the device is damaged");
    assert_refused(PLACE("", "# etcapture full lost=90 bytes=1024 needed=1x"),
                   "line 2: the line about the memory of the device is damaged");
    /* Later there was enough. */
    assert_ok(read_log(
        &log, PLACE("", FULL) PLACE(FOO, "# etcapture bytes=3 crc32=8c736521 lost=90"), &err));
    assert_int_equal(log.n_dumps, 1);
    assert_int_equal(log.n_events_lost, 90);
    eti__runner_log_free(&log);
}

static void losses_on_the_wire_are_noticed(void **state) {
    (void)state;
    eti_runner_log log;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(read_log(&log,
                       PLACE(FOO, "# etcapture bytes=3 crc32=8c736521 lost=4\r") PLACE(
                           BUFFER FOO, "# etcapture bytes=3 crc32=8c736521 lost=5 debug_bytes=3 "
                                       "debug_crc32=76ff8caa"),
                       &err));
    assert_int_equal(log.n_dumps, 2);
    assert_int_equal(log.n_debug_buffers, 1);
    assert_int_equal(log.n_events_lost, 5); /* the second number includes the first */
    eti__runner_log_free(&log);
    assert_ok(read_log(&log,
                       PLACE(FOO, "# etcapture bytes=3 crc32=8c736521 lost=7")
                           PLACE(FOO, "# etcapture bytes=3 crc32=8c736521 lost=7")
                               PLACE(FOO, "# etcapture bytes=3 crc32=8c736521 lost=2")
                                   PLACE(FOO, "# etcapture bytes=3 crc32=8c736521 lost=3"),
                       &err));
    assert_int_equal(log.n_events_lost, 10); /* the device started again after the second print */
    eti__runner_log_free(&log);

    assert_refused(PLACE(FOO, "# etcapture bytes=6 crc32=8c736521 lost=0"),
                   "line 3: the device printed 6 bytes of the ETDump, and 3 arrived: was");
    assert_refused(PLACE(FOO, "# etcapture bytes=3 crc32=8c736522 lost=0"),
                   "line 3: the ETDump differs from the one printed by the device: its CRC-32 is "
                   "8c736521, expected 8c736522: was");
    assert_refused(
        PLACE(FOO, "# etcapture bytes=3 crc32=8c736521 lost=0 debug_bytes=3 debug_crc32=76ff8caa"),
        "line 3: the device printed 3 bytes of the debug buffer, and 0 arrived");
    assert_refused(PLACE(BUFFER FOO, "# etcapture bytes=3 crc32=8c736521 lost=0"),
                   "line 4: the device printed 0 bytes of the debug buffer, and 3 arrived");
    assert_refused(
        PLACE(BUFFER FOO, "# etcapture bytes=3 crc32=8c736521 lost=0 debug_bytes=3 debug_crc32=0"),
        "line 4: the debug buffer differs from the one");
    assert_refused(PLACE("", "# etcapture bytes=3 crc32=8c736521 lost=0"),
                   "line 2: the device printed 3 bytes of the ETDump, and 0 arrived");
    static const char *const damaged[] = {
        "",
        "bytes=",
        "bytes=x crc32=8c736521 lost=0",
        "bytes=3 crc32=8c736521",
        "bytes=3 crc32=8c736521 lost=",
        "bytes=3 crc32=8c736521 lost=0x",
        "bytes=3 crc32=8c736521 lost=0 debug_bytes=3",
        "bytes=3 crc32=8c736521 lost=0 debug_byte",
        "bytes=3 crc32=8C736521 lost=0",
        "bytes=18446744073709551616 crc32=8c736521 lost=0",
        "bytes=3 lost=0",
    };
    for (size_t i = 0; i < COUNT_OF(damaged); i++) {
        char text[256];
        snprintf(text, sizeof text, "#[RUN THIS]\n" FOO "# etcapture %s\n#[END]\n", damaged[i]);
        assert_refused(text,
                       "line 3: the line with the size and the CRC-32 of the ETDump is damaged");
    }
}

static void logs_are_recognized_among_other_files(void **state) {
    (void)state;
    assert_int_equal(eti_file_kind_of("x\n#[RUN THIS]\n", 14), ETI_FILE_RUNNER_LOG);
    assert_int_equal(eti_file_kind_of("x\n#[RUN THIS\n", 13), ETI_FILE_UNKNOWN);
    assert_int_equal(eti_file_kind_of("\0#[RUN THIS]\n", 13), ETI_FILE_UNKNOWN);
    assert_int_equal(eti_file_kind_of("#[RUN THIS]", 11), ETI_FILE_RUNNER_LOG);
}

static void a_debug_buffer_takes_the_place_of_its_log(void **state) {
    (void)state;
    static const char text[] = "#[RUN THIS]\necho \"Zm9v\" | base64 -d >debug_buffer.bin\n";
    struct eti_file log;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__file_open_source(&log, &(eti_source){"uart.log", text, sizeof text - 1}, &err));
    assert_ok(eti__runner_log_take_debug_buffer(&log, &err));
    assert_file(&log, "uart.log, line 2", "foo");
    eti__file_release(&log);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base64_of_every_length),
        cmocka_unit_test(several_places_and_debug_buffers),
        cmocka_unit_test(each_line_may_have_the_prefix_of_a_logger),
        cmocka_unit_test(other_lines_in_base64_are_refused),
        cmocka_unit_test(faults_are_reported_with_their_line),
        cmocka_unit_test(too_little_memory_is_said),
        cmocka_unit_test(losses_on_the_wire_are_noticed),
        cmocka_unit_test(logs_are_recognized_among_other_files),
        cmocka_unit_test(a_debug_buffer_takes_the_place_of_its_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
