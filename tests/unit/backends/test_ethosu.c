/* Tests the events of the backend for Ethos-U, and the sizes in its payload. */
#include "damage.h"
#include "program_files.h"

#include "backends/backends.h"
#include "base/text.h"

#include "support.h"

/* ==== ethos-u event =========================================================================== */

static void steps_have_roles(void **state) {
    static const struct {
        const char *name;
        uint8_t role;
    } steps[] = {
        {"EthosUBackend::execute()", ETI_DELEGATE_WRAPPER},
        {"+EthosUBackend::execute()processed_data", ETI_DELEGATE_WRAPPER},
        {"+EthosUBackend::execute()handles.input.memcpy()", ETI_DELEGATE_TRANSFER},
        {"+EthosUBackend::execute()handles.output.move()", ETI_DELEGATE_TRANSFER},
        {"+EthosUBackend::execute()NPU", ETI_DELEGATE_DEVICE},
        {"+EthosUBackend::execute()NPU2", ETI_DELEGATE_WRAPPER},
        {"+EthosUBackend::init()alloc", ETI_DELEGATE_LOAD},
        {"EthosUBackend::init()", ETI_DELEGATE_LOAD},
    };
    eti_arena arena = {0};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        eti_logged_event logged = {.name = eti__text_of(steps[i].name)};
        eti_delegate_event event;
        assert_true(eti__delegate_event_read(&event, ETI_BACKEND_ETHOSU, &logged, &arena));
        assert_int_equal(event.role, steps[i].role);
        assert_int_equal(event.clock, ETI_CLOCK_HOST);
        assert_int_equal(event.unit, ETI_UNIT_TICKS);
        assert_text(event.label, steps[i].name);
        assert_int_equal(event.compute_unit.data != NULL, event.role == ETI_DELEGATE_DEVICE);
        assert_int_equal(eti__backend_of_event(&logged), ETI_BACKEND_ETHOSU);
        logged.has_id = true;
        assert_int_equal(eti__backend_of_event(&logged), ETI_BACKEND_OTHER);
    }
    eti__arena_free(&arena);
}

static void other_names_show_no_backend(void **state) {
    static const char *const names[] = {"OPERATOR_CALL", "++EthosUBackend::execute()", "+",
                                        "EthosUBackend", ""};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_int_equal(eti__backend_of_event(&(eti_logged_event){.name = eti__text_of(names[i])}),
                         ETI_BACKEND_OTHER);
}

/* ==== vela stream ============================================================================= */

typedef struct payload {
    program_file program;
    eti_text bytes;
} payload;

static void open_payload(payload *p) {
    open_program(&p->program, "testdata/backends/ethosu_cnn/model.pte", NULL);
    assert_int_equal(p->program.pte.plans[0].n_delegates, 1);
    p->bytes = p->program.pte.plans[0].delegates[0].payload;
}

static void a_payload_has_sizes(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_vela vela;
    payload p;
    open_payload(&p);
    assert_ok(eti__vela_read(&vela, p.bytes, &err));
    assert_true(vela.has_scratch);
    assert_int_equal(vela.scratch_bytes, 85312);
    assert_int_equal(vela.command_bytes, 5252);
    assert_int_equal(vela.weight_bytes, 24464);
    close_program(&p.program);
}

static void try_payload(void *context, const uint8_t *data, size_t size) {
    damage_counts *counts = context;
    eti_error err = ETI_ERROR_INIT;
    eti_vela vela;
    eti_status status = eti__vela_read(&vela, (eti_text){(const char *)data, size}, &err);
    counts->tried++;
    if (status == ETI_OK)
        counts->same += vela.scratch_bytes == 85312;
    else
        counts->refused[status]++;
    assert_true(status == ETI_OK || (status == ETI_ERROR_MALFORMED && err.message[0] != '\0'));
}

static void a_cut_payload_is_refused(void **state) {
    (void)state;
    damage_counts counts = {0};
    payload p;
    open_payload(&p);
    cut_everywhere((const uint8_t *)p.bytes.data, p.bytes.size, try_payload, &counts);
    assert_true(counts.same == 0 && counts.refused[ETI_ERROR_MALFORMED] == counts.tried);
    print_counts("payload of Vela, cut", &counts, NULL);
    close_program(&p.program);
}

/* Writes a block with the given number of bytes, which follow by themselves. */
static size_t put_block(char *out, const char *name, uint32_t n) {
    memset(out, 0, 32);
    memcpy(out, name, strlen(name));
    for (size_t i = 0; i < 4; i++)
        out[16 + i] = (char)(n >> 8 * i);
    return 32;
}

static void damaged_blocks_are_refused(void **state) {
    char bytes[160];
    eti_error err = ETI_ERROR_INIT;
    eti_vela vela;
    (void)state;
    size_t n = put_block(bytes, "vela_bin_stream", 0);
    n += put_block(bytes + n, "weight_data", 0xffffffffu);
    assert_fails(eti__vela_read(&vela, (eti_text){bytes, n}, &err), ETI_ERROR_MALFORMED,
                 "byte 32: a block of Vela has 4294967295 bytes, but 0 are left");
    n = put_block(bytes, "vela_bin_stream", 0);
    n += put_block(bytes + n, "scratch_size", 3);
    n += put_block(bytes + n, "vela_end_stream", 0);
    assert_fails(eti__vela_read(&vela, (eti_text){bytes, n}, &err), ETI_ERROR_MALFORMED,
                 "byte 32: scratch_size has 3 bytes, fewer than 4");
    n = put_block(bytes, "vela_bin_stream", 0);
    assert_fails(eti__vela_read(&vela, (eti_text){bytes, n}, &err), ETI_ERROR_MALFORMED,
                 "byte 32: expected a block of Vela, but only 0 bytes are left");
    n += put_block(bytes + n, "vela_end_stream", 0);
    assert_ok(eti__vela_read(&vela, (eti_text){bytes, n}, &err));
    assert_false(vela.has_scratch);
    assert_fails(eti__vela_read(&vela, (eti_text){NULL, 0}, &err), ETI_ERROR_MALFORMED,
                 "not a payload of Vela");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_have_roles),           cmocka_unit_test(other_names_show_no_backend),
        cmocka_unit_test(a_payload_has_sizes),        cmocka_unit_test(a_cut_payload_is_refused),
        cmocka_unit_test(damaged_blocks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
