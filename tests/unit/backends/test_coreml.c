/* Tests the events of Core ML, and the debug handles in its payload. */
#include "damage.h"
#include "logged.h"
#include "program_files.h"

#include "support.h"

/* ==== core ml event =========================================================================== */

#define METADATA                                                                                   \
    "{\"preferredComputeUnit\": \"NE\", \"supportedComputeUnits\": [\"CPU\", \"NE\"], "            \
    "\"outputNames\": [\"y\"], \"operatorName\": \"ios16.conv\", \"estimatedCost\": 0.04}"

static void metadata_name_units_and_kernel(void **state) {
    (void)state;
    eti_arena arena = {0};
    eti_delegate_event event =
        read_logged(ETI_BACKEND_COREML, "y_cast_fp16:conv", METADATA, &arena);
    assert_int_equal(event.role, ETI_DELEGATE_NODE);
    assert_int_equal(event.unit, ETI_UNIT_NS);
    assert_int_equal(event.clock, ETI_CLOCK_DEVICE);
    assert_true(event.is_estimate);
    assert_text(event.label, "y_cast_fp16:conv");
    assert_text(event.compute_unit, "NE");
    assert_text(event.kernel, "ios16.conv");
    assert_int_equal(event.n_supported_units, 2);
    assert_text(event.supported_units[0], "CPU");
    assert_text(event.supported_units[1], "NE");
    eti__arena_free(&arena);
}

static void damaged_metadata_give_less(void **state) {
    static const char *const metadata[] = {
        NULL,
        "",
        "NE",
        "[]",
        "{",
        "{\"preferredComputeUnit\": 7, \"operatorName\": []}",
        "{\"supportedComputeUnits\": {\"a\": 1}}",
        "{\"supportedComputeUnits\": [1, 2",
    };
    (void)state;
    eti_arena arena = {0};
    for (size_t i = 0; i < COUNT_OF(metadata); i++) {
        eti_delegate_event event = read_logged(ETI_BACKEND_COREML, "a:b", metadata[i], &arena);
        assert_absent(event.compute_unit);
        assert_absent(event.kernel);
        assert_int_equal(event.n_supported_units, 0);
    }
    eti_delegate_event event =
        read_logged(ETI_BACKEND_COREML, "a:b", "{\"preferredComputeUnit\": \"GPU\", \"x", &arena);
    assert_text(event.compute_unit, "GPU");
    event = read_logged(ETI_BACKEND_COREML, "a:b",
                        "{\"supportedComputeUnits\": [\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\","
                        "\"8\",\"9\"]}",
                        &arena);
    assert_int_equal(event.n_supported_units, 8);
    eti__arena_free(&arena);
}

static void metadata_show_the_backend(void **state) {
    (void)state;
    eti_logged_event logged = {
        .name = eti__text_of("y:conv"), .metadata = eti__text_of(METADATA), .has_id = true};
    assert_int_equal(eti__backend_of_event(&logged), ETI_BACKEND_COREML);
    logged.metadata = eti__text_of("{\"cost\": 1}");
    assert_int_equal(eti__backend_of_event(&logged), ETI_BACKEND_OTHER);
    logged = (eti_logged_event){.name = eti__text_of("y:conv"), .metadata = eti__text_of(METADATA)};
    assert_int_equal(eti__backend_of_event(&logged), ETI_BACKEND_OTHER);
}

/* ==== core ml payload ========================================================================= */

static void a_payload_has_handles(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    program_file program;
    eti_coreml payload;
    open_program(&program, "testdata/backends/coreml_cnn/model.pte", NULL);
    assert_int_equal(program.pte.plans[0].n_delegates, 1);
    assert_ok(eti__coreml_read(&payload, &program.arena, program.pte.plans[0].delegates[0].payload,
                               &err));
    assert_int_equal(payload.n_symbols, 114);
    assert_int_equal(payload.n_operators, 24);
    const eti_coreml_symbol *symbol =
        eti__coreml_find(&payload, eti__text_of("linear_0_cast_fp16:linear"));
    assert_non_null(symbol);
    assert_int_equal(symbol->n_handles, 1);
    assert_int_equal(symbol->handles[0], 31);
    assert_false(symbol->is_constant);
    symbol = eti__coreml_find(&payload, eti__text_of("aten_conv2d_default_pad_0:const"));
    assert_non_null(symbol);
    assert_true(symbol->is_constant);
    assert_null(eti__coreml_find(&payload, eti__text_of("linear_0_cast_fp16")));
    close_program(&program);
}

/* Reads a payload of `file` and a description, which is reversed. */
static eti_status read_made(eti_coreml *out, eti_arena *arena, const char *file,
                            const char *description, eti_error *err) {
    size_t n_file = strlen(file), n = strlen(description);
    char *bytes = malloc(n_file + n + 1);
    assert_non_null(bytes);
    memcpy(bytes, file, n_file);
    for (size_t i = 0; i < n; i++)
        bytes[n_file + i] = description[n - 1 - i];
    eti_status status = eti__coreml_read(out, arena, (eti_text){bytes, n_file + n}, err);
    free(bytes);
    return status;
}

#define FILE_NODE(offset, size)                                                                    \
    "{\"name\": \"debug_info.json\", \"kind\": 0, \"dataRegion\": {\"offset\": " offset            \
    ", \"size\": " size "}, \"children\": {}}"
#define ROOT(child) "{\"name\": \"\", \"kind\": 1, \"children\": {\"debug_info.json\": " child "}}"
#define NODES(nodes) "{\"nodes\": [" nodes "]}"

static void made_payloads_are_read(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_arena arena = {0};
    eti_coreml payload;
    const char *file =
        "{\"debugSymbolToHandles\": {\"b:x\": [2, -3], \"a:const\": [], \"b:x\": [4]}}";
    char size[8];
    char description[512];
    snprintf(size, sizeof size, "%zu", strlen(file));
    snprintf(description, sizeof description,
             "{\"version\": 1, \"nodes\": [" FILE_NODE("0", "%s") ", " ROOT("0") "]}", size);
    assert_ok(read_made(&payload, &arena, file, description, &err));
    assert_int_equal(payload.n_symbols, 2);
    assert_int_equal(payload.n_operators, 1);
    const eti_coreml_symbol *symbol = eti__coreml_find(&payload, eti__text_of("b:x"));
    assert_int_equal(symbol->n_handles, 1);
    assert_int_equal(symbol->handles[0], 4); /* the last of equal names counts */
    assert_ok(read_made(&payload, &arena, "{}", NODES(ROOT("1") "," FILE_NODE("0", "2")), &err));
    assert_int_equal(payload.n_symbols, 0);
    assert_null(eti__coreml_find(&payload, eti__text_of("b:x")));
    eti__arena_free(&arena);
}

static void damaged_payloads_are_refused(void **state) {
    static const struct {
        const char *file, *description, *message;
        eti_status status;
    } cases[] = {
        {"", "", "not a payload of Core ML", ETI_ERROR_MALFORMED},
        {"", "[]", "not a payload of Core ML", ETI_ERROR_MALFORMED},
        {"", "{}", "the payload of Core ML has no root directory", ETI_ERROR_MALFORMED},
        {"", NODES("{\"kind\": 1}"), "the payload of Core ML has no debug_info.json",
         ETI_ERROR_MALFORMED},
        /* each is the child of another */
        {"",
         NODES("{\"kind\": 1, \"children\": {\"a\": 1}}, {\"kind\": 1, \"children\": {\"b\": 0}}"),
         "the payload of Core ML has no root directory", ETI_ERROR_MALFORMED},
        {"", NODES(ROOT("0")), "the payload of Core ML has no root directory", ETI_ERROR_MALFORMED},
        {"", NODES(ROOT("5")), "debug_info.json is node 5 of the payload's 1, which is no file",
         ETI_ERROR_MALFORMED},
        {"", NODES(ROOT("1") ", {\"kind\": 1}"),
         "debug_info.json is node 1 of the payload's 2, which is no file", ETI_ERROR_MALFORMED},
        {"", NODES(ROOT("65536")),
         "the list of files: byte 72: the number of a node is 65536, but at most 65536 nodes are "
         "read",
         ETI_ERROR_LIMIT},
        {"{}", NODES(ROOT("1") "," FILE_NODE("1", "200")),
         "debug_info.json has 200 bytes at byte 1, but the payload has 171", ETI_ERROR_MALFORMED},
        {"{}", NODES(ROOT("1") "," FILE_NODE("18446744073709551615", "2")),
         "debug_info.json has 2 bytes at byte 18446744073709551615, but the payload has 188",
         ETI_ERROR_MALFORMED},
        {"{}", NODES(ROOT("1") "," FILE_NODE("0", "1")),
         "debug_info.json: byte 1: expected a key in double quotes, found the end",
         ETI_ERROR_MALFORMED},
    };
    (void)state;
    eti_arena arena = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_error err = ETI_ERROR_INIT;
        eti_coreml payload;
        assert_fails(read_made(&payload, &arena, cases[i].file, cases[i].description, &err),
                     cases[i].status, cases[i].message);
    }
    eti__arena_free(&arena);
}

/* The description is at the end of the payload, so a cut or a flipped bit there shows. */
static void try_payload(void *context, const uint8_t *data, size_t size) {
    damage_counts *counts = context;
    eti_error err = ETI_ERROR_INIT;
    eti_arena arena = {0};
    eti_coreml payload;
    eti_status status =
        eti__coreml_read(&payload, &arena, (eti_text){(const char *)data, size}, &err);
    counts->tried++;
    if (status != ETI_OK)
        counts->refused[status]++;
    else if (payload.n_symbols == 1)
        counts->same++;
    else
        counts->changed++;
    assert_true(status == ETI_OK || err.message[0] != '\0');
    eti__arena_free(&arena);
}

static void every_cut_and_flip_is_survived(void **state) {
    static const char file[] = "{\"debugSymbolToHandles\": {\"b:x\": [2, 3]}}";
    static const char description[] = NODES(FILE_NODE("0", "41") ", " ROOT("0"));
    char bytes[sizeof file + sizeof description];
    size_t n_file = sizeof file - 1, n = sizeof description - 1;
    damage_counts counts = {0};
    (void)state;
    memcpy(bytes, file, n_file);
    for (size_t i = 0; i < n; i++)
        bytes[n_file + i] = description[n - 1 - i];
    cut_everywhere((const uint8_t *)bytes, n_file + n, try_payload, &counts);
    assert_int_equal(counts.same, 0);
    flip_everywhere((const uint8_t *)bytes, n_file + n, try_payload, &counts);
    assert_true(counts.refused[ETI_ERROR_MALFORMED] > 1000);
    print_counts("payload of Core ML", &counts, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metadata_name_units_and_kernel),
        cmocka_unit_test(damaged_metadata_give_less),
        cmocka_unit_test(metadata_show_the_backend),
        cmocka_unit_test(a_payload_has_handles),
        cmocka_unit_test(made_payloads_are_read),
        cmocka_unit_test(damaged_payloads_are_refused),
        cmocka_unit_test(every_cut_and_flip_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
