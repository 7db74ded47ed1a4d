/* Finds the nodes of real runs of Vulkan delegates, in dumps of all ages; damaged payloads never fail a run. */
#include "program_files.h"
#include "support.h"

#include "base/text.h"
#include "model/model.h"
#include "places/places.h"

#define FOLDER "testdata/backends/"

static eti_inspector *open_run(const char *dump, const char *record, const eti_source *program) {
    const eti_source etdump = {.path = dump}, etrecord = {.path = record};
    const eti_inputs inputs = {.etdumps = &etdump,
                               .n_etdumps = 1,
                               .etrecord = record ? &etrecord : NULL,
                               .programs = program,
                               .n_programs = program != NULL};
    eti_options options = ETI_OPTIONS_DEFAULT;
    eti_error err = ETI_ERROR_INIT;
    eti_inspector *inspector = NULL;
    if (eti__open_seen_through(&inspector, &inputs, &options, &err) != ETI_OK)
        fail_msg("%s", err.message);
    return inspector;
}

/* Appends a line of each delegated event with operators: its attribution and the handles of its nodes. */
static void describe(const eti_inspector *inspector, eti_buffer *out) {
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        for (size_t i = 0; i < block->n_events; i++) {
            const eti_event_record *known = block->events[i].known;
            if (!block->events[i].is_delegated_op || known->n_op_types == 0)
                continue;
            eti__buffer_add_text(out, eti__attribution_name(known->attribution));
            for (size_t k = 0; k < known->handles.n; k++)
                eti__buffer_printf(out, " %d", (int)known->handles.handles[k]);
            eti__buffer_add_string(out, "\n");
        }
    }
}

static void check_run(const char *dump, const char *record, const char *program,
                      const char *expected) {
    const eti_source pte = {.path = program};
    eti_buffer text = {0};
    eti_inspector *inspector = open_run(dump, record, &pte);
    describe(inspector, &text);
    assert_text(eti__buffer_text(&text), expected);
    eti__buffer_free(&text);
    eti_inspector_close(inspector);
}

/* The exporter numbers the operators anew, so that the record's map is wrong for all of them. */
static void a_network_is_seen_in_dumps_of_all_ages(void **state) {
    (void)state;
    static const char *const dumps[] = {FOLDER "vulkan_cnn/run.etdp",
                                        FOLDER "vulkan_cnn_old13/run.etdp",
                                        FOLDER "vulkan_cnn_old10/run.etdp"};
    for (size_t i = 0; i < COUNT_OF(dumps); i++)
        check_run(dumps[i], FOLDER "vulkan_cnn/model.etrecord", FOLDER "vulkan_cnn/model.pte",
                  "exact 1 2 3\nexact 4 5 6\nexact 7 8 9\nexact 10 11\nexact 12 13 14\n"
                  "exact 15 16 17\nexact 18 19\nexact 20\nexact 21 22 23\nexact 24 25 26\n"
                  "exact 27 28\nexact 29\ninferred 29\nexact 30\nexact 31\nexact 32\n");
}

#define EACH_RUN                                                                                   \
    "exact 8\nexact 8\nexact 1 2\nexact 3\nexact 4\nexact 5 6\nexact 7\ninferred 8\n"              \
    "exact 8\nexact 8\nexact 8\ninferred 8\nexact 8\nexact 9\nexact 10 11\nexact 12\n"             \
    "exact 14\n"

/* Six nodes of a hardsigmoid share a handle, and another delegate follows. Names have numbers that grow from run to run, so
 * that each run is a block of its own. */
static void two_delegates_are_seen(void **state) {
    (void)state;
    check_run(FOLDER "vulkan_se/run.etdp", FOLDER "vulkan_se/model.etrecord",
              FOLDER "vulkan_se/model.pte", EACH_RUN EACH_RUN EACH_RUN EACH_RUN);
}

/* The operators that the events name are enough, unless they name none. */
static void without_a_program_nodes_are_inferred(void **state) {
    (void)state;
    static const struct {
        const char *dump, *expected;
    } cases[] = {
        {FOLDER "vulkan_cnn/run.etdp", "inferred 1 2 3\ninferred 4 5 6\n"},
        {FOLDER "vulkan_cnn_old13/run.etdp", "inferred 1 2 3\ninferred 4 5 6\n"},
        {FOLDER "vulkan_cnn_old10/run.etdp", ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_buffer text = {0};
        eti_inspector *inspector =
            open_run(cases[i].dump, FOLDER "vulkan_cnn/model.etrecord", NULL);
        describe(inspector, &text);
        size_t size = strlen(cases[i].expected);
        assert_true(text.size >= size && (size > 0 || text.size == 0));
        assert_memory_equal(text.data ? text.data : "", cases[i].expected, size);
        eti__buffer_free(&text);
        eti_inspector_close(inspector);
    }
}

/* Names of old releases have neither tensors nor numbers of nodes. */
static void the_graph_completes_old_events(void **state) {
    (void)state;
    const eti_source pte = {.path = FOLDER "vulkan_cnn/model.pte"};
    eti_inspector *inspector =
        open_run(FOLDER "vulkan_cnn_old10/run.etdp", FOLDER "vulkan_cnn/model.etrecord", &pte);
    size_t n = 0;
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        for (size_t i = 0; i < block->n_events; i++) {
            const eti_delegate_event *logged = block->events[i].logged;
            if (!eti__text_is(block->events[i].name, "conv2d_pw_tiled_float_2"))
                continue;
            n++;
            assert_text(logged->node, "1");
            assert_int_equal(logged->n_tensors, 4);
            assert_int_equal(logged->tensors[1].n_sizes, 4);
            assert_int_equal(logged->tensors[1].sizes[0], 64);
            assert_true(logged->tensors[1].is_constant);
        }
    }
    assert_int_equal(n, 1);
    eti_inspector_close(inspector);
}

/* Without the program, the record's map is not used either. */
static void maps_of_the_record_are_never_used(void **state) {
    (void)state;
    eti_inspector *inspector =
        open_run(FOLDER "vulkan_cnn/run.etdp", FOLDER "vulkan_cnn/model.etrecord", NULL);
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        for (size_t i = 0; i < block->n_events; i++) {
            const eti_event_record *known = block->events[i].known;
            assert_int_not_equal(known->attribution, ETI_ATTRIBUTION_RECORDED);
            for (size_t k = 0; k < known->handles.n; k++)
                assert_true(known->handles.handles[k] <= 32);
        }
    }
    eti_inspector_close(inspector);
}

/* The program of another export: nothing of it fits. */
static void programs_of_other_exports_are_noticed(void **state) {
    (void)state;
    const eti_source pte = {.path = FOLDER "vulkan_se/model.pte"};
    eti_buffer text = {0};
    eti_inspector *inspector =
        open_run(FOLDER "vulkan_cnn/run.etdp", FOLDER "vulkan_cnn/model.etrecord", &pte);
    describe(inspector, &text);
    assert_text(eti__buffer_text(&text), "");
    eti__buffer_free(&text);
    eti_inspector_close(inspector);
}

static void no_damage_of_payloads_fails_a_run(void **state) {
    (void)state;
    enum { STEP = 7 };
    program_file program;
    open_program(&program, FOLDER "vulkan_se/model.pte", NULL);
    size_t size = (size_t)program.file.size;
    uint8_t *copy = malloc(size);
    assert_non_null(copy);
    for (uint32_t i = 0; i < program.pte.plans[0].n_delegates; i++) {
        eti_text payload = program.pte.plans[0].delegates[i].payload;
        size_t first = (size_t)((const uint8_t *)payload.data - program.file.data);
        for (size_t at = first; at < first + payload.size; at += STEP) {
            const eti_source pte = {"model.pte", copy, size};
            memcpy(copy, program.file.data, size);
            copy[at] = (uint8_t)(copy[at] ^ (1u << at % 8));
            eti_inspector_close(
                open_run(FOLDER "vulkan_se/run.etdp", FOLDER "vulkan_se/model.etrecord", &pte));
        }
    }
    free(copy);
    close_program(&program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_network_is_seen_in_dumps_of_all_ages),
        cmocka_unit_test(two_delegates_are_seen),
        cmocka_unit_test(without_a_program_nodes_are_inferred),
        cmocka_unit_test(the_graph_completes_old_events),
        cmocka_unit_test(maps_of_the_record_are_never_used),
        cmocka_unit_test(programs_of_other_exports_are_noticed),
        cmocka_unit_test(no_damage_of_payloads_fails_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
