#include "model_fixture.h"

#include "inspector_fixture.h"

#include "support.h"

/* ==== block =================================================================================== */

/* Returns the start time that run `run` recorded for event `event`. */
static uint64_t start_of(const eti_event_block *block, size_t run, size_t event) {
    const eti_block_run *of = &block->runs[run];
    eti_position position = eti__block_run_position(of, of->layout->profile_events[event]);
    return eti__etdump_read_stamps(of->dump, position).start_time;
}

/* ---- groups and signatures ------------------------------------------------------------------- */

static void events_become_adjacent_when_they_share_an_instruction(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m, DUMP(b, RUN(b, "Execute", TIMED(b, .name = "a", .instruction_id = SOME(0)),
                                TIMED(b, .name = "b", .instruction_id = SOME(1)),
                                TIMED(b, .name = "c", .instruction_id = SOME(0)))));
    assert_int_equal(m.blocks.n_blocks, 1);
    assert_names(&m.blocks.blocks[0], "a c b");
    free_model(&m);
}

static void equal_events_keep_the_first_place_and_the_last_content(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(
        &m,
        DUMP(b, RUN(b, "Execute", TIMED(b, .name = "a", .instruction_id = SOME(0), .start_time = 1),
                    TIMED(b, .name = "b", .instruction_id = SOME(0), .start_time = 2),
                    TIMED(b, .name = "a", .instruction_id = SOME(0), .start_time = 7))));
    const eti_event_block *block = &m.blocks.blocks[0];
    assert_names(block, "a b");
    assert_int_equal(start_of(block, 0, 0), 7);
    assert_int_equal(start_of(block, 0, 1), 2);
    free_model(&m);
}

static void the_chain_is_part_of_the_group_but_not_of_the_event(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(
        &m,
        DUMP(b, RUN(b, "Execute", TIMED(b, .name = "a", .instruction_id = SOME(0), .start_time = 1),
                    TIMED(b, .name = "x", .instruction_id = SOME(5)),
                    TIMED(b, .name = "a", .instruction_id = SOME(0), .chain_index = SOME(1),
                          .start_time = 7),
                    TIMED(b, .name = "b", .instruction_id = SOME(0), .chain_index = SOME(1)))));
    const eti_event_block *block = &m.blocks.blocks[0];
    assert_names(block, "a x b"); /* "b" is not adjacent to "a": another group */
    assert_int_equal(start_of(block, 0, 0), 7);
    free_model(&m);
}

static void an_allocation_between_chains_changes_nothing(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m, DUMP(b, RUN(b, "Execute",
                                TIMED(b, .name = "a", .instruction_id = SOME(0),
                                      .chain_index = SOME(1), .start_time = 1),
                                ALLOCATED(b),
                                TIMED(b, .name = "a", .instruction_id = SOME(0),
                                      .chain_index = SOME(0), .start_time = 7))));
    assert_names(&m.blocks.blocks[0], "a");
    assert_int_equal(start_of(&m.blocks.blocks[0], 0, 0), 7);
    free_model(&m);
}

static void an_absent_delegate_string_is_another_group_than_an_empty_one(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m,
                DUMP(b, RUN(b, "Execute", TIMED(b, .name = "a", .instruction_id = SOME(0)),
                            TIMED(b, .name = "b", .instruction_id = SOME(0), .delegate_id_str = ""),
                            TIMED(b, .name = "c", .instruction_id = SOME(0)))));
    assert_names(&m.blocks.blocks[0], "a c b");
    assert_false(m.blocks.blocks[0].events[2].is_delegated_op); /* "" is not an identifier */
    free_model(&m);
}

static void the_largest_chain_of_a_debug_event_is_not_minus_one(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(
        &m, DUMP(b, RUN(b, "Execute",
                        TIMED(b, .name = "a", .instruction_id = SOME(0), .chain_index = SOME(-1)),
                        LOGGED(b, .name = "d", .instruction_id = SOME(0),
                               .chain_index = SOME(UINT64_MAX), .value = INT_VALUE(b, 1)))));
    assert_names(&m.blocks.blocks[0], "a d");
    free_model(&m);
}

static void a_debug_event_joins_the_profile_events_of_its_call(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(
        &m,
        DUMP(b, RUN(b, "Execute", TIMED(b, .name = "a", .instruction_id = SOME(4), .start_time = 1),
                    LOGGED(b, .instruction_id = SOME(4), .value = INT_VALUE(b, 1)),
                    LOGGED(b, .instruction_id = SOME(4), .value = INT_VALUE(b, 2)),
                    TIMED(b, .name = "c", .instruction_id = SOME(4), .start_time = 3))));
    const eti_event_block *block = &m.blocks.blocks[0];
    assert_names(block, "a c");
    assert_int_equal(block->runs[0].layout->debug_events[0].n, 2);
    assert_int_equal(block->runs[0].layout->debug_events[1].n,
                     2); /* both have all events of the group */
    assert_ptr_equal(block->runs[0].layout->debug_events[0].events,
                     block->runs[0].layout->debug_events[1].events);
    assert_true(block->runs[0].layout->profile_events[0] != ETI_NO_EVENT);
    free_model(&m);
}

static void a_group_of_debug_events_alone_is_an_event_without_time(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m, DUMP(b, RUN(b, "Execute",
                                LOGGED(b, .instruction_id = SOME(4), .value = INT_VALUE(b, 1)),
                                LOGGED(b, .name = "later", .instruction_id = SOME(4),
                                       .value = INT_VALUE(b, 2)))));
    const eti_event_block *block = &m.blocks.blocks[0];
    assert_int_equal(block->n_events, 1);
    assert_text(block->events[0].name, ""); /* name of the first debug event */
    assert_int_equal(block->runs[0].layout->profile_events[0], ETI_NO_EVENT);
    assert_int_equal(block->runs[0].layout->debug_events[0].n, 2);
    free_model(&m);
}

/* ---- names and identifiers ------------------------------------------------------------------- */

static void a_delegate_identifier_names_the_event_and_an_int_goes_first(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m, DUMP(b, RUN(b, "Execute", TIMED(b, .name = "x", .delegate_id_int = SOME(0)),
                                TIMED(b, .name = "x", .delegate_id_int = SOME(-2)),
                                TIMED(b, .name = "x", .delegate_id_str = "conv"),
                                TIMED(b, .name = "x", .delegate_id_str = "conv",
                                      .delegate_id_int = SOME(13)),
                                TIMED(b, .name = "x", .delegate_id_int = SOME(-1)))));
    const eti_event *events = m.blocks.blocks[0].events;
    assert_names(&m.blocks.blocks[0], "0 -2 conv 13 x");
    assert_int_equal(events[0].delegate_id_kind, ETI_DELEGATE_ID_INT);
    assert_int_equal(events[1].delegate_id_int, -2);
    assert_int_equal(events[2].delegate_id_kind, ETI_DELEGATE_ID_STRING);
    assert_text(eti_event_delegate_debug_identifier(&events[2]).string_id, "conv");
    assert_int_equal(events[3].delegate_id_kind, ETI_DELEGATE_ID_INT);
    assert_int_equal(events[4].delegate_id_kind, ETI_DELEGATE_ID_NONE);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(events[i].is_delegated_op, i < 4);
        assert_int_equal(events[i].is_timed_as_delegated, i < 4);
    }
    free_model(&m);
}

static void a_debug_events_name_replaces_the_profile_events(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(
        &m,
        DUMP(b,
             RUN(b, "Execute", TIMED(b, .name = "timed", .instruction_id = SOME(1)),
                 LOGGED(b, .name = "logged", .instruction_id = SOME(1), .value = INT_VALUE(b, 1)),
                 TIMED(b, .name = "kept", .instruction_id = SOME(2)),
                 LOGGED(b, .name = "", .instruction_id = SOME(2), .value = INT_VALUE(b, 1)))));
    assert_names(&m.blocks.blocks[0], "logged kept");
    free_model(&m);
}

static void ids_of_minus_one_and_none_are_the_same(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m, DUMP(b, RUN(b, "r", TIMED(b, .name = "a"), TIMED(b, .name = "b")),
                         RUN(b, "r", TIMED(b, .name = "a", .instruction_id = SOME(-1)),
                             TIMED(b, .name = "b", .delegate_id_int = SOME(-1)))));
    assert_int_equal(m.blocks.n_blocks, 1);
    assert_int_equal(m.blocks.blocks[0].n_runs, 2);
    assert_int_equal(m.blocks.blocks[0].events[0].instruction_id, -1);
    assert_int_equal(m.blocks.blocks[0].events[0].record->num_outputs, 1);
    free_model(&m);
}

/* ---- runs into blocks ------------------------------------------------------------------------ */

static void runs_with_equal_signatures_merge_in_file_order(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m, DUMP(b, RUN(b, "Default", TIMED(b, .name = "init", .start_time = 5)),
                         RUN(b, "Execute", TIMED(b, .name = "a", .start_time = 10)),
                         RUN(b, "Default", TIMED(b, .name = "init", .start_time = 15)),
                         RUN(b, "Execute", TIMED(b, .name = "a", .start_time = 20))));
    assert_int_equal(m.blocks.n_blocks, 2);
    assert_int_equal(m.blocks.n_runs, 4);
    const eti_event_block *block = &m.blocks.blocks[0];
    assert_text(block->name, "Default");
    assert_int_equal(block->n_runs, 2);
    assert_int_equal(start_of(block, 0, 0), 5);
    assert_int_equal(start_of(block, 1, 0), 15);
    assert_int_equal(block->runs[1].index, 2);
    assert_text(m.blocks.blocks[1].name, "Execute");
    free_model(&m);
}

static void any_difference_makes_another_block(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
#define A TIMED(b, .name = "a", .instruction_id = SOME(0))
#define B TIMED(b, .name = "b", .instruction_id = SOME(1))
    build_model(
        &m, DUMP(b, RUN(b, "r", A, B), RUN(b, "s", A, B), RUN(b, "r", B, A), RUN(b, "r", A),
                 RUN(b, "r", A, TIMED(b, .name = "b", .instruction_id = SOME(2))),
                 RUN(b, "r", A, TIMED(b, .name = "c", .instruction_id = SOME(1))),
                 RUN(b, "r", A,
                     TIMED(b, .name = "b", .instruction_id = SOME(1), .delegate_id_str = "b")),
                 RUN(b, "r", A,
                     TIMED(b, .name = "b", .instruction_id = SOME(1), .delegate_id_int = SOME(1))),
                 RUN(b, "r", A, B, LOGGED(b, .instruction_id = SOME(1), .value = INT_VALUE(b, 1))),
                 put_run(b, &(run_spec){.name = "r",
                                        .bundled_input_index = SOME(0),
                                        .events = EVENTS(b, A, B)})));
    assert_int_equal(m.blocks.n_blocks, 10);
    assert_int_equal(m.blocks.blocks[9].bundled_input_index, 0);
    assert_int_equal(m.blocks.blocks[0].bundled_input_index, -1);
#undef A
#undef B
    free_model(&m);
}

static void equal_runs_make_no_other_block(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m, DUMP(b, RUN(b, "r", TIMED(b, .name = NULL, .delegate_id_str = NULL)),
                         RUN(b, "r",
                             TIMED(b, .name = "", .delegate_id_str = "", .chain_index = SOME(9),
                                   .metadata = "m", .start_time = 4)),
                         put_run(b, &(run_spec){.name = "r",
                                                .bundled_input_index = SOME(-1),
                                                .events = EVENTS(b, TIMED(b, .name = NULL))})));
    assert_int_equal(m.blocks.n_blocks, 1);
    assert_int_equal(m.blocks.blocks[0].n_runs, 3);
    free_model(&m);
}

static void a_run_without_events_is_skipped_and_one_with_none_is_not(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m,
                DUMP(b, put_run(b, &(run_spec){.name = "absent"}),
                     put_run(b, &(run_spec){.name = "empty", .events = put_tables(b, NULL, 0)})));
    assert_int_equal(m.blocks.n_blocks, 1);
    assert_text(m.blocks.blocks[0].name, "empty");
    assert_int_equal(m.blocks.blocks[0].n_events, 0);
    assert_int_equal(m.blocks.n_runs, 2);
    assert_int_equal(m.blocks.n_runs_without_events, 2);
    free_model(&m);
}

static void allocation_events_are_counted_and_passed_over(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m, DUMP(b, RUN(b, "r", ALLOCATED(b), TIMED(b, .name = "a"), ALLOCATED(b)),
                         RUN(b, "r", TIMED(b, .name = "a"))));
    assert_int_equal(m.blocks.n_blocks, 1);
    assert_int_equal(m.blocks.blocks[0].n_events, 1);
    assert_int_equal(m.blocks.n_allocation_events, 2);
    free_model(&m);
}

static void run_outputs_are_kept_apart_and_make_no_event(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m, DUMP(b, RUN(b, "r", TIMED(b, .name = "a", .instruction_id = SOME(0)),
                                LOGGED(b, .instruction_id = SOME(9), .value = INT_OUTPUT(b, 1)),
                                LOGGED(b, .instruction_id = SOME(0), .value = INT_OUTPUT(b, 2)))));
    const eti_event_block *block = &m.blocks.blocks[0];
    assert_names(block, "a");
    assert_int_equal(block->runs[0].layout->n_outputs, 2);
    assert_null(block->runs[0].layout->debug_events);
    free_model(&m);
}

static void a_run_output_takes_the_place_of_its_group(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m,
                DUMP(b, RUN(b, "r", LOGGED(b, .instruction_id = SOME(9), .value = INT_OUTPUT(b, 1)),
                            TIMED(b, .name = "a", .instruction_id = SOME(0)),
                            TIMED(b, .name = "b", .instruction_id = SOME(9)))));
    assert_names(&m.blocks.blocks[0], "b a");
    free_model(&m);
}

static void several_dumps_are_one_long_dump(void **state) {
    (void)state;
    model m = {0}, n = {0};
    build_model(&m, DUMP(&m.b, RUN(&m.b, "r", TIMED(&m.b, .name = "a", .start_time = 1))));
    build_model(&n, DUMP(&n.b, RUN(&n.b, "s", TIMED(&n.b, .name = "a", .start_time = 2)),
                         RUN(&n.b, "r", TIMED(&n.b, .name = "a", .start_time = 3))));
    const eti_etdump dumps[] = {m.dump, n.dump};
    eti_arena arena = {0};
    eti_blocks blocks;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__blocks_build(&blocks, &arena, dumps, 2, 1, &err));
    assert_int_equal(blocks.n_blocks, 2);
    assert_int_equal(blocks.blocks[0].n_runs, 2);
    assert_int_equal(start_of(&blocks.blocks[0], 1, 0), 3);
    eti__arena_free(&arena);
    free_model(&m);
    free_model(&n);
}

static void many_runs_and_events_keep_their_order(void **state) {
    (void)state;
    enum { N_RUNS = 60, N_EVENTS = 300 };
    model m = {0};
    builder *b = &m.b;
    static place runs[N_RUNS], events[N_EVENTS];
    for (size_t r = 0; r < N_RUNS; r++) {
        for (size_t e = 0; e < N_EVENTS; e++)
            events[e] = TIMED(b, .name = "e", .instruction_id = SOME((e * 7919) % 1009),
                              .start_time = r * 1000 + e + 1);
        runs[r] = put_run(b, &(run_spec){.name = r % 2 ? "odd" : "even",
                                         .events = put_tables(b, events, N_EVENTS)});
    }
    build_model(&m, put_dump(b, (optional){0}, put_tables(b, runs, N_RUNS)));
    assert_int_equal(m.blocks.n_blocks, 2);
    const eti_event_block *odd = &m.blocks.blocks[1];
    assert_int_equal(odd->n_events, N_EVENTS);
    assert_int_equal(odd->n_runs, N_RUNS / 2);
    for (size_t e = 0; e < N_EVENTS; e++) {
        assert_int_equal(odd->events[e].instruction_id, (e * 7919) % 1009);
        assert_int_equal(start_of(odd, 3, e), 7 * 1000 + e + 1);
    }
    free_model(&m);
}

/* ---- missing data ---------------------------------------------------------------------------- */

static void assert_malformed(model *m, place dump, const char *what) {
    assert_int_equal(try_model(m, dump), ETI_ERROR_MALFORMED);
    assert_int_equal(m->err.status, ETI_ERROR_MALFORMED);
    assert_string_equal(m->err.message, what);
    free_model(m);
}

static void an_event_with_nothing_set_is_malformed(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    assert_malformed(&m, DUMP(b, RUN(b, "r", TIMED(b, .name = "a"), put_event(b, 0, 0, 0))),
                     "test.etdp: run 0: event 1: expected a profile, debug or allocation event, "
                     "found none");
}

static void a_run_without_a_name_is_malformed(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    assert_malformed(&m, DUMP(b, RUN(b, "r", TIMED(b, .name = "a")), put_run(b, &(run_spec){0})),
                     "test.etdp: run 1: RunData.name is missing");
}

static void a_debug_event_without_a_value_is_malformed(void **state) {
    (void)state;
    static const char message[] = "test.etdp: run 0: event 0: DebugEvent.debug_entry is missing "
                                  "(was the ETDump cut short?)";
    model m = {0};
    builder *b = &m.b;
    assert_malformed(&m, DUMP(b, RUN(b, "r", LOGGED(b, .name = "d"))), message);
    b = &m.b;
    place both = put_event(b, put_profile(b, &(profile_spec){.name = "p"}), 0,
                           put_debug(b, &(debug_spec){.name = "d"}));
    assert_malformed(&m, DUMP(b, RUN(b, "r", both)), message);
}

/* ==== names =================================================================================== */
/* Names that are not UTF-8 are made readable. */

#define REPLACEMENT "\xef\xbf\xbd"

static void assert_text_is(eti_text text, const char *expected) {
    assert_int_equal(text.size, strlen(expected));
    assert_memory_equal(text.data, expected, text.size);
}

static void names_of_blocks_events_and_delegate_ids_are_repaired(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s,
        DUMP(b, RUN(b,
                    "Ex\xf0"
                    "cute",
                    TIMED(b, .name = "op\xff", .instruction_id = SOME(1)),
                    TIMED(b, .name = "", .instruction_id = SOME(2), .delegate_id_str = "\xc3"))),
        NULL);
    const eti_event_block *block = eti_inspector_block(s.inspector, 0);
    assert_text_is(eti_event_block_name(block), "Ex" REPLACEMENT "cute");
    assert_text_is(eti_event_name(eti_event_block_event(block, 0)), "op" REPLACEMENT);
    const eti_event *delegated = eti_event_block_event(block, 1);
    assert_text_is(eti_event_name(delegated), REPLACEMENT);
    assert_text_is(eti_event_delegate_debug_identifier(delegated).string_id, REPLACEMENT);
    close_session(&s);
}

/* Bytes are counted as Python's bytes.decode(errors="replace") counts them. */
static void each_run_of_bytes_that_is_no_character_becomes_one(void **state) {
    (void)state;
    static const struct {
        const char *found, *repaired;
    } cases[] = {
        {"\xf0\x9f\x98"
         "a",
         REPLACEMENT "a"},
        {"\xed\xa0\x80", REPLACEMENT REPLACEMENT REPLACEMENT},
        {"\xc3\xbc\xc3", "\xc3\xbc" REPLACEMENT},
        {"12345678\x80"
         "87654321",
         "12345678" REPLACEMENT "87654321"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        session s = {0};
        builder *b = &s.b;
        open_session(&s, DUMP(b, RUN(b, "r", TIMED(b, .name = cases[i].found))), NULL);
        assert_text_is(
            eti_event_name(eti_event_block_event(eti_inspector_block(s.inspector, 0), 0)),
            cases[i].repaired);
        close_session(&s);
    }
}

/* Runs are equal only if their bytes are. */
static void names_that_only_look_the_same_stay_apart(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s,
        DUMP(b, RUN(b, "r\xfe", TIMED(b, .name = "op")), RUN(b, "r\xff", TIMED(b, .name = "op"))),
        NULL);
    assert_int_equal(eti_inspector_block_count(s.inspector), 2);
    close_session(&s);
}

static void repaired_names_are_reported(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s, DUMP(b, RUN(b, "r", TIMED(b, .name = "op\xff"))), NULL);
    bool is_reported = false;
    for (size_t i = 0; i < eti_inspector_note_count(s.inspector); i++) {
        is_reported = is_reported ||
                      (eti_inspector_note_kind(s.inspector, i) == ETI_NOTE_WARNING &&
                       eti__text_contains(eti_inspector_note_text(s.inspector, i),
                                          eti__text_of("1 name in the ETDump is not valid UTF-8")));
    }
    assert_true(is_reported);
    close_session(&s);
}

static void overlapping_names_are_limited(void **state) {
    (void)state;
    char bytes[] = "\xff\xff\xff\xff";
    eti_event events[] = {{.name = {bytes, 4}}, {.name = {bytes, 4}}, {.name = {bytes + 1, 3}}};
    eti_event_block block = {.name = {"", 0}, .events = events, .n_events = 3};
    eti_blocks blocks = {.blocks = &block, .n_blocks = 1, .has_broken_names = true};
    eti_arena arena = {0};
    size_t n;
    eti_error err = ETI_ERROR_INIT;
    assert_fails(eti__names_repair(&blocks, &arena, 20, &n, &err), ETI_ERROR_LIMIT, "overlap");
    eti__arena_free(&arena);

    events[0].name = events[1].name = (eti_text){bytes, 4};
    events[2].name = (eti_text){bytes + 1, 3};
    assert_ok(eti__names_repair(&blocks, &arena, 21, &n, &err));
    assert_int_equal(n, 2); /* the first two are the same name */
    assert_ptr_equal(events[0].name.data, events[1].name.data);
    eti__arena_free(&arena);
}

/* ==== block label ============================================================================= */
/* Tests the labels of EventBlocks for people. */

#define BLOCK(text, input)                                                                         \
    { .name = {text, sizeof(text) - 1}, .bundled_input_index = (input) }

static void assert_labels(eti_event_block *blocks, size_t n, const char *const *expected) {
    eti_blocks all = {.blocks = blocks, .n_blocks = n};
    eti_arena arena = {0};
    assert_true(eti__blocks_label(&all, false, &arena));
    for (size_t i = 0; i < n; i++)
        assert_text(blocks[i].label, expected[i]);
    eti__arena_free(&arena);
}

static void test_a_name_of_its_own_stays(void **state) {
    (void)state;
    eti_event_block blocks[] = {BLOCK("Default", -1), BLOCK("Execute", 3)};
    static const char *const expected[] = {"Default", "Execute"};
    assert_labels(blocks, COUNT_OF(blocks), expected);
    assert_labels(blocks, 0, NULL);
}

static void test_inputs_distinguish_blocks(void **state) {
    (void)state;
    eti_event_block blocks[] = {BLOCK("Execute", 0), BLOCK("Default", -1), BLOCK("Execute", 7)};
    static const char *const expected[] = {"Execute [input 0]", "Default", "Execute [input 7]"};
    assert_labels(blocks, COUNT_OF(blocks), expected);
}

static void test_or_else_their_numbers(void **state) {
    (void)state;
    eti_event_block methods[] = {BLOCK("Execute", -1), BLOCK("Default", -1), BLOCK("Execute", -1)};
    static const char *const numbered[] = {"Execute [0]", "Default", "Execute [1]"};
    assert_labels(methods, COUNT_OF(methods), numbered);
    eti_event_block twice[] = {BLOCK("Execute", 1), BLOCK("Execute", 1), BLOCK("Execute", 2)};
    static const char *const all[] = {"Execute [0]", "Execute [1]", "Execute [2]"};
    assert_labels(twice, COUNT_OF(twice), all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_become_adjacent_when_they_share_an_instruction),
        cmocka_unit_test(equal_events_keep_the_first_place_and_the_last_content),
        cmocka_unit_test(the_chain_is_part_of_the_group_but_not_of_the_event),
        cmocka_unit_test(an_allocation_between_chains_changes_nothing),
        cmocka_unit_test(an_absent_delegate_string_is_another_group_than_an_empty_one),
        cmocka_unit_test(the_largest_chain_of_a_debug_event_is_not_minus_one),
        cmocka_unit_test(a_debug_event_joins_the_profile_events_of_its_call),
        cmocka_unit_test(a_group_of_debug_events_alone_is_an_event_without_time),
        cmocka_unit_test(a_delegate_identifier_names_the_event_and_an_int_goes_first),
        cmocka_unit_test(a_debug_events_name_replaces_the_profile_events),
        cmocka_unit_test(ids_of_minus_one_and_none_are_the_same),
        cmocka_unit_test(runs_with_equal_signatures_merge_in_file_order),
        cmocka_unit_test(any_difference_makes_another_block),
        cmocka_unit_test(equal_runs_make_no_other_block),
        cmocka_unit_test(a_run_without_events_is_skipped_and_one_with_none_is_not),
        cmocka_unit_test(allocation_events_are_counted_and_passed_over),
        cmocka_unit_test(run_outputs_are_kept_apart_and_make_no_event),
        cmocka_unit_test(a_run_output_takes_the_place_of_its_group),
        cmocka_unit_test(several_dumps_are_one_long_dump),
        cmocka_unit_test(many_runs_and_events_keep_their_order),
        cmocka_unit_test(an_event_with_nothing_set_is_malformed),
        cmocka_unit_test(a_run_without_a_name_is_malformed),
        cmocka_unit_test(a_debug_event_without_a_value_is_malformed),
        cmocka_unit_test(names_of_blocks_events_and_delegate_ids_are_repaired),
        cmocka_unit_test(each_run_of_bytes_that_is_no_character_becomes_one),
        cmocka_unit_test(names_that_only_look_the_same_stay_apart),
        cmocka_unit_test(repaired_names_are_reported),
        cmocka_unit_test(overlapping_names_are_limited),
        cmocka_unit_test(test_a_name_of_its_own_stays),
        cmocka_unit_test(test_inputs_distinguish_blocks),
        cmocka_unit_test(test_or_else_their_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
