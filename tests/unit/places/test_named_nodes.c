/* Finds the nodes of events that have names of nodes, of operations, or keys of the delegate_map. */
#include "seen_fixture.h"

#include "pte/pte.h"

#define IN(name) "{\"name\": \"x\", \"arg\": {\"as_tensor\": {\"name\": \"" name "\"}}}"
#define OUT(name) "{\"as_tensor\": {\"name\": \"" name "\"}}"
/* A node that takes and returns values. */
#define FX(op, inputs, outputs, handle)                                                            \
    "{\"target\": \"executorch.exir.dialects.edge.ops.aten." op ".default\", \"inputs\": [" inputs \
    "], \"outputs\": [" outputs "], \"metadata\": {\"debug_handle\": \"" handle                    \
    "\", \"nn_module_stack\": \"L__self__,,M\"}}"
#define RECORD_OF(backend, map, ids, nodes)                                                        \
    &(record_spec) {                                                                               \
        .handles = (map),                                                                          \
        .delegates = "{\"0\": {\"name\": \"" backend "\", \"delegate_map\": " ids "}}",            \
        .edge = EDGE_PROGRAM(nodes)                                                                \
    }
#define QNN(map, nodes) RECORD_OF("QnnBackend", map, "{}", nodes)

static place log_names(builder *b, const char *const *names, size_t n) {
    place events[16];
    for (size_t i = 0; i < n; i++)
        events[i] = TIMED(b, .delegate_id_str = names[i], .instruction_id = SOME(0),
                          .start_time = 1, .end_time = 3);
    events[n] = CALL_OF(b, 0);
    return DUMP(b,
                put_run(b, &(run_spec){.name = "Execute", .events = put_tables(b, events, n + 1)}));
}

#define NAMES(b, ...)                                                                              \
    log_names((b), (const char *const[]){__VA_ARGS__},                                             \
              COUNT_OF(((const char *const[]){__VA_ARGS__})))

/* ---- names of nodes -------------------------------------------------------------------------- */

static void names_of_values_are_names_of_nodes(void **state) {
    (void)state;
    seen s = {0};
    open_seen(&s, NAMES(&s.session.b, "conv:OpId_1 (cycles)", "norm:OpId_2 (cycles)"),
              QNN("{\"0\": [7, 8]}",
                  FX("convolution", IN("x"), OUT("conv"), "7") "," FX(
                      "_native_batch_norm_legit_no_training", IN("conv"),
                      OUT("getitem") "," OUT("norm_unused_1") "," OUT("norm_unused_2"), "8")));
    assert_seen(&s, "conv:OpId_1 (cycles)", "exact [7] aten.convolution.default");
    assert_seen(&s, "norm:OpId_2 (cycles)",
                "exact [8] aten._native_batch_norm_legit_no_training.default");
    /* the Inspector's result is unchanged */
    assert_int_equal(event_called(&s, "conv:OpId_1 (cycles)")->record->n_op_types, 0);
    close_seen(&s);
}

static void other_numbers_are_paired_in_their_order(void **state) {
    (void)state;
    seen s = {0};
    open_seen(&s,
              NAMES(&s.session.b, "relu_10:OpId_4 (cycles)", "relu_9:OpId_3 (cycles)",
                    "tanh_7:OpId_5 (cycles)", "tanh_8:OpId_6 (cycles)", "gelu:OpId_8 (cycles)"),
              QNN("{\"0\": [1, 2, 3, 4]}",
                  FX("relu", IN("x"), OUT("relu"),
                     "1") "," FX("relu", IN("relu"), OUT("relu_1"),
                                 "2") "," FX("tanh", IN("relu_1"), OUT("tanh"),
                                             "3") "," FX("gelu", IN("tanh"), OUT("gelu_1"), "4")));
    assert_seen(&s, "relu_9:OpId_3 (cycles)", "aligned [1] aten.relu.default");
    assert_seen(&s, "relu_10:OpId_4 (cycles)", "aligned [2] aten.relu.default");
    /* two of one that the graph has once */
    assert_seen(&s, "tanh_7:OpId_5 (cycles)", "call [1, 2, 3, 4]");
    assert_seen(&s, "tanh_8:OpId_6 (cycles)", "call [1, 2, 3, 4]");
    assert_seen(&s, "gelu:OpId_8 (cycles)", "aligned [4] aten.gelu.default");
    close_seen(&s);
}

static void inserted_nodes_belong_to_the_node_of_their_input(void **state) {
    (void)state;
    seen s = {0};
    open_seen(&s,
              NAMES(&s.session.b, "relu_1_permute:OpId_4", "relu_1_quant_permute_3:OpId_5",
                    "relu_2_permute:OpId_6", "other_permute:OpId_7", "permute:OpId_8",
                    "relu_1_a_b_c_d_e:OpId_9"),
              QNN("{\"0\": [1, 2]}", FX("relu", IN("x"), OUT("relu"),
                                        "1") "," FX("relu", IN("relu"), OUT("relu_1"), "2")));
    assert_seen(&s, "relu_1_permute:OpId_4", "inferred [2] aten.relu.default");
    assert_seen(&s, "relu_1_quant_permute_3:OpId_5", "inferred [2] aten.relu.default");
    assert_seen(&s, "relu_2_permute:OpId_6", "call [1, 2]");
    assert_seen(&s, "other_permute:OpId_7", "call [1, 2]");
    assert_seen(&s, "permute:OpId_8", "call [1, 2]");
    assert_seen(&s, "relu_1_a_b_c_d_e:OpId_9", "call [1, 2]");
    close_seen(&s);
}

static void nodes_of_other_calls_do_not_count(void **state) {
    (void)state;
    seen s = {0};
    open_seen(&s, NAMES(&s.session.b, "relu:OpId_1", "tanh:OpId_2"),
              QNN("{\"0\": [1], \"1\": [2]}", FX("relu", IN("x"), OUT("relu"), "1") "," FX(
                                                  "tanh", IN("relu"), OUT("tanh"), "2")));
    assert_seen(&s, "relu:OpId_1", "exact [1] aten.relu.default");
    assert_seen(&s, "tanh:OpId_2", "call [1]");
    close_seen(&s);
}

static void figures_belong_to_the_call(void **state) {
    (void)state;
    seen s = {0};
    open_seen(&s,
              NAMES(&s.session.b, "QNN (execute) time (us)", "Input OpId_2 (cycles)",
                    "DDR spill (bytes)", "relu:OpId_3 (bytes)"),
              QNN("{\"0\": [1]}", FX("relu", IN("x"), OUT("relu"), "1")));
    assert_seen(&s, "QNN (execute) time (us)", "call [1]");
    assert_seen(&s, "Input OpId_2 (cycles)", "call [1]");
    assert_seen(&s, "DDR spill (bytes)", "call [1]");
    assert_seen(&s, "relu:OpId_3 (bytes)", "call [1]");
    assert_int_equal(event_called(&s, "DDR spill (bytes)")->known->n_op_nodes, 0);
    close_seen(&s);
}

/* ---- keys of the delegate_map ---------------------------------------------------------------- */

static place log_numbers(builder *b, const int *ids, size_t n) {
    place events[16];
    for (size_t i = 0; i < n; i++)
        events[i] = TIMED(b, .delegate_id_int = SOME(ids[i]), .instruction_id = SOME(0),
                          .metadata = ids[i] == 9 ? "\1\2" : "\14", .start_time = 1, .end_time = 3);
    events[n] = CALL_OF(b, 0);
    return DUMP(b,
                put_run(b, &(run_spec){.name = "Execute", .events = put_tables(b, events, n + 1)}));
}

#define CONV_NORM_ADD                                                                              \
    FX("add", IN("x"), OUT("add"), "1")                                                            \
    "," FX("convolution", IN("add"), OUT("conv"), "2") "," FX("relu", IN("conv"), OUT("relu"), "3")

static void numbers_are_keys_of_the_map(void **state) {
    (void)state;
    seen s = {0};
    const int ids[] = {0, 1, 12};
    open_seen(&s, log_numbers(&s.session.b, ids, COUNT_OF(ids)),
              RECORD_OF("NeutronBackend", "{\"0\": [1, 2, 3]}",
                        "{\"0\": [1, 2, 3, 2], \"1\": [1, 3], \"2\": []}", CONV_NORM_ADD));
    /* the main operator comes first; 12 is no key, although 1 and 2 are in it */
    assert_seen(&s, "0",
                "recorded [1, 2, 3] aten.convolution.default aten.add.default aten.relu.default");
    assert_int_equal(event_called(&s, "0")->known->n_own_nodes, 1);
    assert_text(eti__event_op(event_called(&s, "0")), "aten.convolution.default");
    assert_seen(&s, "1", "recorded [1, 3] aten.add.default aten.relu.default");
    assert_null(eti__event_op(event_called(&s, "1")).data);
    assert_seen(&s, "12", "call [1, 2, 3]");
    assert_int_equal(notes_with(&s, "delegate_map"), 0);
    close_seen(&s);
}

static void a_map_of_other_numbers_is_not_used(void **state) {
    (void)state;
    seen s = {0};
    const int ids[] = {0, 1};
    open_seen(&s, log_numbers(&s.session.b, ids, COUNT_OF(ids)),
              RECORD_OF("NeutronBackend", "{\"0\": [1, 2, 3]}", "{\"0\": [1], \"1\": [74]}",
                        CONV_NORM_ADD));
    assert_seen(&s, "0", "call [1, 2, 3]");
    assert_int_equal(notes_with(&s,
                                "the delegate_map of instruction 0 (NeutronBackend) holds other "
                                "numbers than debug handles: not used"),
                     1);
    close_seen(&s);
}

static void a_device_runs_all_operators_of_its_call(void **state) {
    (void)state;
    seen s = {0};
    open_seen(&s, NAMES(&s.session.b, "VGF_QUEUE_SUBMIT_AND_WAIT_FENCE", "VGF_COPY_INPUTS"),
              RECORD_OF("VgfBackend", "{\"0\": [2, 3]}", "{}", CONV_NORM_ADD));
    assert_seen(&s, "VGF_QUEUE_SUBMIT_AND_WAIT_FENCE",
                "call [2, 3] aten.convolution.default aten.relu.default");
    assert_seen(&s, "VGF_COPY_INPUTS", "call [2, 3]");
    close_seen(&s);
}

/* ---- payloads of core ml --------------------------------------------------------------------- */

#define FOLDER "testdata/backends/coreml_cnn/"

static eti_inspector *open_files(const eti_source *record, const eti_source *program) {
    const eti_source dump = {.path = FOLDER "run.etdp"};
    const eti_inputs inputs = {.etdumps = &dump,
                               .n_etdumps = 1,
                               .etrecord = record,
                               .programs = program,
                               .n_programs = program != NULL};
    eti_error err = ETI_ERROR_INIT;
    eti_inspector *inspector;
    assert_ok(eti__open_seen_through(&inspector, &inputs, NULL, &err));
    return inspector;
}

#define NORM_CONV "aten__native_batch_norm_legit_no_training_default_7_cast_fp16:conv"

static void the_payload_alone_has_handles(void **state) {
    (void)state;
    const eti_source program = {.path = FOLDER "model.pte"};
    eti_inspector *inspector = open_files(NULL, &program);
    size_t n_exact = 0;
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        for (size_t i = 0; i < block->n_events; i++)
            n_exact += block->events[i].known->attribution == ETI_ATTRIBUTION_EXACT;
    }
    assert_int_equal(n_exact, 24);
    size_t n_notes = 0;
    for (size_t i = 0; i < inspector->n_notes; i++)
        n_notes += eti__text_contains(inspector->notes[i].text,
                                      eti__text_of("Core ML estimates the times"));
    assert_int_equal(n_notes, 1);
    const eti_event_record *known = event_named(inspector, NORM_CONV)->known;
    assert_int_equal(known->handles.n, 1);
    assert_int_equal(known->handles.handles[0], 22);
    eti_inspector_close(inspector);
}

static void the_map_of_the_record_comes_first(void **state) {
    (void)state;
    const eti_source record = {.path = FOLDER "model.etrecord"};
    const eti_source program = {.path = FOLDER "model.pte"};
    eti_inspector *inspector = open_files(&record, &program);
    const eti_event *event = event_named(inspector, NORM_CONV);
    /* the norm was folded into the convolution before it */
    assert_int_equal(event->known->attribution, ETI_ATTRIBUTION_RECORDED);
    assert_int_equal(event->known->handles.n, 2);
    assert_int_equal(event->known->handles.handles[0], 22);
    assert_int_equal(event->known->handles.handles[1], 21);
    assert_text(eti__event_op(event), "aten.convolution.default");
    assert_text(event->known->op_types[0], "aten.conv2d.default");
    /* no convolution was folded into a cast that has the same handle */
    event = event_named(inspector, "x_to_fp16:cast");
    assert_int_equal(event->known->handles.n, 1);
    eti_inspector_close(inspector);
}

/* Opens the program with another byte near its end, where the payload has the list of its files. */
static void a_damaged_payload_gives_a_note(void **state) {
    (void)state;
    size_t size, n_damaged = 0;
    uint8_t *bytes = read_whole_file(FOLDER "model.pte", &size);
    for (size_t i = 1; i < 1400; i += 41) {
        bytes[size - i] ^= 0x20;
        const eti_source program = {.path = "test.pte", .data = bytes, .size = size};
        eti_inspector *inspector = open_files(NULL, &program);
        bool is_exact =
            event_named(inspector, NORM_CONV)->known->attribution == ETI_ATTRIBUTION_EXACT;
        size_t n_notes = 0;
        for (size_t k = 0; k < inspector->n_notes; k++)
            n_notes += eti__text_contains(inspector->notes[k].text,
                                          eti__text_of("cannot read 1 payload of Core ML ("));
        assert_int_equal(n_notes, !is_exact);
        n_damaged += n_notes;
        eti_inspector_close(inspector);
        bytes[size - i] ^= 0x20;
    }
    assert_true(n_damaged > 10);
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_values_are_names_of_nodes),
        cmocka_unit_test(other_numbers_are_paired_in_their_order),
        cmocka_unit_test(inserted_nodes_belong_to_the_node_of_their_input),
        cmocka_unit_test(nodes_of_other_calls_do_not_count),
        cmocka_unit_test(figures_belong_to_the_call),
        cmocka_unit_test(numbers_are_keys_of_the_map),
        cmocka_unit_test(a_map_of_other_numbers_is_not_used),
        cmocka_unit_test(a_device_runs_all_operators_of_its_call),
        cmocka_unit_test(the_payload_alone_has_handles),
        cmocka_unit_test(the_map_of_the_record_comes_first),
        cmocka_unit_test(a_damaged_payload_gives_a_note),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
