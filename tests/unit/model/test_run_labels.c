/* Splits blocks of runs by the user's labels; two methods have the same instruction, so that both fit. */
#include "inspector_fixture.h"

#define EDGE_OF_ADD EDGE_PROGRAM(NODE("add", "1", "key,path,type"))
#define EDGE_OF_MUL EDGE_PROGRAM(NODE("mul", "1", "key,path,type"))
#define MOST_RUNS 8

/* Makes an ETDump of n runs, which take 1, 2, 3 ... ticks, of one block or of two in turns. */
static place make_dump(builder *b, size_t n, bool has_two_blocks) {
    place runs[MOST_RUNS];
    for (size_t i = 0; i < n; i++) {
        bool is_other = has_two_blocks && i % 2 == 1;
        place call = TIMED(b, .name = "OPERATOR_CALL", .instruction_id = SOME(1), .start_time = 10,
                           .end_time = 11);
        place execute = TIMED(b, .name = "Method::execute", .start_time = 10, .end_time = 11 + i);
        runs[i] = is_other ? RUN(b, "Other", call, execute) : RUN(b, "Execute", call, execute);
    }
    return put_dump(b, (optional){0}, put_tables(b, runs, n));
}

static void add_methods(session *s) {
    add_member(&s->record, "ETRECORD_V0", "");
    add_member(&s->record, "edge_dialect_exported_program/decode", EDGE_OF_ADD);
    add_member(&s->record, "edge_dialect_exported_program/prefill", EDGE_OF_MUL);
    add_member(&s->record, "debug_handle_map",
               "{\"decode\": {\"1\": 1}, \"prefill\": {\"1\": 1}, \"load\": {\"2\": 1}}");
    finish_record(&s->record);
}

static eti_status try_labels(session *s, eti_options *options, const char *labels, size_t n,
                             bool has_two_blocks) {
    options->run_methods = labels;
    s->options = options;
    add_methods(s);
    return try_session(s, make_dump(&s->b, n, has_two_blocks));
}

/* Checks the blocks: "prefill:1 2, decode:3" has the times of their runs. */
static void assert_blocks(const char *labels, size_t n, bool has_two_blocks, size_t skip,
                          const char *expected) {
    eti_options options = {.skip_first = skip};
    session s = {0};
    if (try_labels(&s, &options, labels, n, has_two_blocks) != ETI_OK)
        fail_msg("%s: %s", labels, s.err.message);
    eti_buffer text = {0};
    for (size_t b = 0; b < s.inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &s.inspector->blocks.blocks[b];
        assert_int_equal(block->number, b);
        eti__buffer_printf(&text, "%s%.*s:", b ? ", " : "", ETI_TEXT_ARGS(block->label));
        for (size_t i = 0; i < block->n_events; i++)
            assert_ptr_equal(block->events[i].block, block);
        for (size_t i = 0; i < block->n_runs; i++)
            eti__buffer_printf(&text, "%s%g", i ? " " : "", block->raw[block->n_runs + i]);
    }
    assert_text(eti__buffer_text(&text), expected);
    eti__buffer_free(&text);
    close_session(&s);
}

static void runs_get_their_labels_in_order(void **state) {
    (void)state;
    assert_blocks(NULL, 4, false, 0, "Execute:1 2 3 4");
    assert_blocks("prefill,decode*3", 4, false, 0, "prefill:1, decode:2 3 4");
    assert_blocks("prefill,decode*", 4, false, 0, "prefill:1, decode:2 3 4");
    assert_blocks(" decode*2 , prefill\t,decode ", 4, false, 0, "decode:1 2 4, prefill:3");
    assert_blocks("prefill*", 3, false, 0, "prefill:1 2 3");
    assert_blocks("prefill,decode*2,*", 7, false, 0, "prefill:1 4 7, decode:2 3 5 6");
    assert_blocks("decode,*", 2, false, 0, "decode:1 2");
    assert_blocks("prefill\ndecode\ndecode", 3, false, 0, "prefill:1, decode:2 3");
}

static void labels_run_through_all_blocks(void **state) {
    (void)state;
    assert_blocks("prefill,decode*", 4, true, 0, "prefill:1, decode [0]:3, decode [1]:2 4");
    assert_blocks("prefill,decode,*", 4, true, 0, "prefill:1 3, decode:2 4");
}

static void runs_are_skipped_in_each_part(void **state) {
    (void)state;
    assert_blocks("prefill*2,decode*", 5, false, 1, "prefill:2, decode:4 5");
    eti_options options = {.skip_first = 1};
    session s = {0};
    assert_int_equal(try_labels(&s, &options, "prefill,decode*", 5, false), ETI_ERROR_USAGE);
    assert_string_equal(s.err.message,
                        "skip_first: this would drop all runs of the block prefill, which has 1 "
                        "run");
    close_session(&s);
}

static void parts_have_the_operators_of_their_methods(void **state) {
    (void)state;
    eti_options options = {.n_threads = 1};
    session s = {0};
    assert_int_equal(try_labels(&s, &options, "prefill,decode*", 3, false), ETI_OK);
    static const char *const ops[] = {"mul", "add"};
    for (size_t b = 0; b < COUNT_OF(ops); b++) {
        const eti_event_block *block = &s.inspector->blocks.blocks[b];
        assert_true(block->is_labelled);
        const eti_event_record *known = block->events[0].known;
        assert_int_equal(known->n_op_types, 1);
        assert_true(eti__text_contains(known->op_types[0], eti__text_of(ops[b])));
        assert_ptr_equal(block->events[0].record, known);
    }
    close_session(&s);
}

static void assert_refused(const char *labels, size_t n, const char *message) {
    eti_options options = {.n_threads = 1};
    session s = {0};
    assert_int_equal(try_labels(&s, &options, labels, n, false), ETI_ERROR_USAGE);
    assert_string_equal(s.err.message, message);
    close_session(&s);
}

static void wrong_lists_are_refused(void **state) {
    (void)state;
    assert_refused("prefil,decode*", 2,
                   "run_methods: there is no method prefil: there are decode, prefill, load");
    assert_refused("decode,load", 2,
                   "run_methods: load is the label of run 1 of test.etdp, whose instructions are "
                   "those of: decode, prefill");
    assert_refused("prefill,decode*2", 4,
                   "run_methods: there are labels for 3 runs, but test.etdp has 4 runs whose "
                   "method is unknown: add labels, or end the list with NAME* or with *");
    assert_refused("prefill,,decode", 2,
                   "run_methods: a label is empty: expected a list such as prefill,decode*");
    assert_refused("", 2, "run_methods: a label is empty: expected a list such as prefill,decode*");
    assert_refused("decode*,prefill", 2,
                   "run_methods: NAME* labels all remaining runs, so that 'prefill' after it has "
                   "none");
    assert_refused("decode,*,prefill", 2,
                   "run_methods: * repeats the list for all remaining runs, so that 'prefill' "
                   "after it has none");
    assert_refused("*", 2, "run_methods: '*' has no name of a method before it");
    static const char *const counts[] = {"decode*0", "decode*x", "decode*2*", "decode*4294967296",
                                         "decode*-1"};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        char message[128];
        snprintf(message, sizeof message,
                 "run_methods: '%s' is not NAME, NAME*N with N of at least 1, or NAME*", counts[i]);
        assert_refused(counts[i], 2, message);
    }
}

static void labels_without_runs_are_noted(void **state) {
    (void)state;
    eti_options options = {.n_threads = 1};
    session s = {0};
    assert_int_equal(try_labels(&s, &options, "prefill,decode*5", 2, false), ETI_OK);
    bool is_noted = false;
    for (size_t i = 0; i < eti_inspector_note_count(s.inspector); i++)
        is_noted |= eti__text_is(eti_inspector_note_text(s.inspector, i),
                                 "run_methods: there are labels for 6 runs, but no ETDump has more "
                                 "than 2 runs whose method is unknown: the last labels are not "
                                 "used");
    assert_true(is_noted);
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_get_their_labels_in_order),
        cmocka_unit_test(labels_run_through_all_blocks),
        cmocka_unit_test(runs_are_skipped_in_each_part),
        cmocka_unit_test(parts_have_the_operators_of_their_methods),
        cmocka_unit_test(wrong_lists_are_refused),
        cmocka_unit_test(labels_without_runs_are_noted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
