#include "model_fixture.h"

#include "support.h"

#include "record_builder.h"

#include "model/parts.h"

/* ==== associate =============================================================================== */

typedef struct fixture {
    model m;
    record_builder record_builder;
    eti_etrecord *record;
    eti_association counts;
} fixture;

#define OP(op_name, handle)                                                                        \
    {                                                                                              \
        .node = {.name = {op_name "_", sizeof op_name}},                                           \
        .op_type = {"op." op_name, sizeof "op." op_name - 1}, .has_debug_handle = true,            \
        .debug_handle = (handle)                                                                   \
    }

/* Nodes in graph order; two share handle 2, one has none. */
static const eti_graph_node associate_nodes[] = {
    OP("add", 1),
    OP("mul", 2),
    {.node = {.name = {"view_", 5}}, .op_type = {"op.view", 7}},
    OP("sub", 2),
    OP("zero", 0),
    OP("minus", -5),
    OP("large", INT64_MAX),
};
static const eti_graph associate_graph = {.nodes = associate_nodes,
                                          .n_nodes = COUNT_OF(associate_nodes)};

/* Builds blocks from `dump` (in f->m.b) and associates them with a record of the parts. */
static eti_status try_associate(fixture *f, place dump, const record_spec *spec,
                                const eti_graph *of) {
    build_model(&f->m, dump);
    make_record(&f->record_builder, spec);
    eti_status status =
        eti__etrecord_open(&f->record, &f->m.arena, &f->record_builder.file, &f->m.err);
    if (status != ETI_OK)
        fail_msg("%s", f->m.err.message);
    status =
        eti__associate(&f->m.blocks, &f->m.arena, f->record, 0, of, true, NULL, NULL, &f->m.err);
    f->counts = f->m.blocks.blocks[0].association;
    return status;
}

static void associate(fixture *f, place dump, record_spec spec) {
    if (try_associate(f, dump, &spec, &associate_graph) != ETI_OK)
        fail_msg("%s", f->m.err.message);
}

static void free_fixture(fixture *f) {
    eti__etrecord_close(f->record);
    free_record(&f->record_builder);
    free_model(&f->m);
}

static const eti_event *event_at(const fixture *f, size_t i) {
    assert_true(i < f->m.blocks.blocks[0].n_events);
    return &f->m.blocks.blocks[0].events[i];
}

static void assert_handles(const eti_event *event, eti_handles_kind kind, const char *expected) {
    char text[256] = "";
    for (size_t i = 0; i < event->known->handles.n; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%lld", i ? " " : "",
                 (long long)event->known->handles.handles[i]);
    assert_string_equal(text, expected);
    assert_int_equal(event->known->handles.kind, kind);
}

static void assert_operators(const eti_event *event, const char *op_types, const char *names) {
    eti_buffer found = {0};
    for (size_t i = 0; i < event->known->n_op_types; i++) {
        eti__buffer_add_string(&found, i ? " " : "");
        eti__buffer_add_text(&found, event->known->op_types[i]);
    }
    assert_text(eti__buffer_text(&found), op_types);
    found.size = 0;
    for (size_t i = 0; i < event->known->n_op_nodes; i++) {
        eti__buffer_add_string(&found, i ? " " : "");
        eti__buffer_add_text(&found, event->known->op_nodes[i]->name);
    }
    assert_text(eti__buffer_text(&found), names);
    eti__buffer_free(&found);
}

#define CALL(b, call_name, id) TIMED(b, .name = (call_name), .instruction_id = SOME(id))
#define DELEGATED_INT(b, id, delegate)                                                             \
    TIMED(b, .instruction_id = SOME(id), .delegate_id_int = SOME(delegate))
#define DELEGATED_STR(b, id, delegate)                                                             \
    TIMED(b, .instruction_id = SOME(id), .delegate_id_str = (delegate))

/* ---- handles --------------------------------------------------------------------------------- */

static void an_instruction_has_the_records_handles(void **state) {
    (void)state;
    fixture f = {0};
    builder *b = &f.m.b;
    associate(&f,
              DUMP(b, RUN(b, "r", CALL(b, "int", 1), CALL(b, "list", 2), CALL(b, "none", 3),
                          CALL(b, "null", 4), CALL(b, "empty", 5), TIMED(b, .name = "-1"))),
              (record_spec){.handles = "{\"1\": 7, \"2\": [8, 8, 9], \"4\": null, \"5\": [], "
                                       "\"-1\": 3}"});
    assert_handles(event_at(&f, 0), ETI_HANDLES_INT, "7");
    assert_handles(event_at(&f, 1), ETI_HANDLES_LIST, "8 8 9");
    assert_handles(event_at(&f, 2), ETI_HANDLES_NONE, "");
    assert_handles(event_at(&f, 3), ETI_HANDLES_NONE, "");
    assert_handles(event_at(&f, 4), ETI_HANDLES_LIST, "");
    assert_handles(event_at(&f, 5), ETI_HANDLES_INT, "3"); /* "-1" is a key like any other */
    free_fixture(&f);
}

static void num_outputs_count_only_for_known_instructions(void **state) {
    (void)state;
    fixture f = {0};
    builder *b = &f.m.b;
    associate(
        &f, DUMP(b, RUN(b, "r", CALL(b, "a", 1), CALL(b, "b", 2), CALL(b, "c", 3))),
        (record_spec){.handles = "{\"1\": 7, \"2\": 7}", .num_outputs = "{\"1\": 4, \"3\": 5}"});
    assert_int_equal(event_at(&f, 0)->known->num_outputs, 4);
    assert_int_equal(event_at(&f, 1)->known->num_outputs, 1);
    assert_int_equal(event_at(&f, 2)->known->num_outputs, 1);
    free_fixture(&f);
}

#define MAP_OF_13                                                                                  \
    "{\"4\": {\"name\": \"Npu\", \"delegate_map\": {\"1\": [10], \"13\": [130], \"3\": [30]}}}"

static void the_last_key_that_is_part_of_the_identifier_wins(void **state) {
    (void)state;
    fixture f = {0};
    builder *b = &f.m.b;
    associate(&f,
              DUMP(b, RUN(b, "r", DELEGATED_INT(b, 4, 13), DELEGATED_INT(b, 4, 1),
                          DELEGATED_INT(b, 4, 2), DELEGATED_STR(b, 4, "x1"))),
              (record_spec){.handles = "{\"4\": [1]}", .delegates = MAP_OF_13});
    assert_handles(event_at(&f, 0), ETI_HANDLES_LIST, "30"); /* although "13" is in the map */
    assert_handles(event_at(&f, 1), ETI_HANDLES_LIST, "10");
    assert_handles(event_at(&f, 2), ETI_HANDLES_NONE, "");
    assert_handles(event_at(&f, 3), ETI_HANDLES_LIST, "10");
    for (size_t i = 0; i < 4; i++)
        assert_text(event_at(&f, i)->known->backend_name, "Npu");
    free_fixture(&f);
}

static void a_string_identifier_is_matched_exactly_first(void **state) {
    (void)state;
    fixture f = {0};
    builder *b = &f.m.b;
    associate(&f, DUMP(b, RUN(b, "r", DELEGATED_STR(b, 4, "13"), DELEGATED_STR(b, 4, "null"))),
              (record_spec){.handles = "{\"4\": [1]}",
                            .delegates = "{\"4\": {\"name\": \"Npu\", \"delegate_map\": {\"1\": "
                                         "[10], \"13\": [130], \"3\": [30], \"null\": null, "
                                         "\"ul\": 9}}}"});
    assert_handles(event_at(&f, 0), ETI_HANDLES_LIST, "130");
    assert_handles(event_at(&f, 1), ETI_HANDLES_INT, "9"); /* null counts as not found */
    free_fixture(&f);
}

static void an_empty_key_is_part_of_everything(void **state) {
    (void)state;
    fixture f = {0};
    builder *b = &f.m.b;
    associate(&f, DUMP(b, RUN(b, "r", DELEGATED_INT(b, 4, 5))),
              (record_spec){.handles = "{\"4\": [1]}",
                            .delegates = "{\"4\": {\"name\": \"Npu\", \"delegate_map\": {\"5\": "
                                         "[50], \"\": [99]}}}"});
    assert_handles(event_at(&f, 0), ETI_HANDLES_LIST, "99");
    free_fixture(&f);
}

static void an_empty_or_null_delegate_map_gives_no_handles(void **state) {
    (void)state;
    static const char *const maps[] = {
        "{\"4\": {\"name\": \"Xnn\", \"delegate_map\": {}}}",
        "{\"4\": {\"name\": \"Xnn\", \"delegate_map\": null}}",
        "{\"4\": {\"name\": \"Xnn\"}}",
    };
    for (size_t i = 0; i < COUNT_OF(maps); i++) {
        fixture f = {0};
        builder *b = &f.m.b;
        associate(&f, DUMP(b, RUN(b, "r", DELEGATED_STR(b, 4, "conv"))),
                  (record_spec){.handles = "{\"4\": [1]}", .delegates = maps[i]});
        assert_handles(event_at(&f, 0), ETI_HANDLES_NONE, "");
        assert_text(event_at(&f, 0)->known->backend_name, "Xnn");
        assert_int_equal(f.counts.n_without_delegate_map, 0);
        free_fixture(&f);
    }
}

/* ---- backends -------------------------------------------------------------------------------- */

static void a_delegate_call_has_its_backends_name(void **state) {
    (void)state;
    fixture f = {0};
    builder *b = &f.m.b;
    associate(&f,
              DUMP(b, RUN(b, "r", CALL(b, "DELEGATE_CALL", 4), CALL(b, "OPERATOR_CALL", 4),
                          CALL(b, "DELEGATE_CALL", 5), CALL(b, "DELEGATE_CALL", 6))),
              (record_spec){.handles = "{\"4\": 1, \"5\": 1}",
                            .delegates = "{\"4\": {\"name\": \"Npu\"}, \"6\": {\"name\": "
                                         "\"Npu\"}}"});
    assert_text(event_at(&f, 0)->known->backend_name, "Npu");
    assert_absent(event_at(&f, 1)->known->backend_name);
    assert_absent(event_at(&f, 2)->known->backend_name);
    assert_absent(event_at(&f, 3)->known->backend_name); /* not in the debug_handle_map */
    assert_handles(event_at(&f, 0), ETI_HANDLES_INT, "1");
    free_fixture(&f);
}

static void a_backend_without_a_name_is_empty_not_absent(void **state) {
    (void)state;
    fixture f = {0};
    builder *b = &f.m.b;
    associate(&f, DUMP(b, RUN(b, "r", CALL(b, "DELEGATE_CALL", 4), DELEGATED_INT(b, 4, 1))),
              (record_spec){.handles = "{\"4\": 1}", .delegates = "{\"4\": {}}"});
    assert_text(event_at(&f, 0)->known->backend_name, "");
    assert_text(event_at(&f, 1)->known->backend_name, "");
    free_fixture(&f);
}

static void without_a_delegate_map_delegated_events_keep_the_calls_handles(void **state) {
    (void)state;
    static const char *const maps[] = {NULL, "{\"9\": {\"name\": \"Npu\"}}"};
    for (size_t i = 0; i < COUNT_OF(maps); i++) {
        fixture f = {0};
        builder *b = &f.m.b;
        associate(&f, DUMP(b, RUN(b, "r", DELEGATED_INT(b, 4, 13), DELEGATED_INT(b, 4, 14))),
                  (record_spec){.handles = "{\"4\": [1, 2]}", .delegates = maps[i]});
        assert_handles(event_at(&f, 0), ETI_HANDLES_LIST, "1 2");
        assert_absent(event_at(&f, 0)->known->backend_name);
        assert_int_equal(f.counts.n_without_delegate_map, 2);
        assert_int_equal(f.counts.example_without_delegate_map, 4);
        free_fixture(&f);
    }
}

/* ---- operators ------------------------------------------------------------------------------- */

static void operators_follow_handles_then_the_graph(void **state) {
    (void)state;
    fixture f = {0};
    builder *b = &f.m.b;
    associate(&f,
              DUMP(b, RUN(b, "r", CALL(b, "a", 1), CALL(b, "b", 2), CALL(b, "c", 3),
                          CALL(b, "d", 4), CALL(b, "e", 5))),
              (record_spec){.handles = "{\"1\": 1, \"2\": [2, 1], \"3\": [77], \"4\": 0, \"5\": "
                                       "[9223372036854775807, -5]}"});
    assert_operators(event_at(&f, 0), "op.add", "add_");
    assert_operators(event_at(&f, 1), "op.mul op.sub op.add", "mul_ sub_ add_");
    assert_operators(event_at(&f, 2), "", "");
    assert_operators(event_at(&f, 3), "op.zero", "zero_");
    assert_operators(event_at(&f, 4), "op.large op.minus", "large_ minus_");
    free_fixture(&f);
}

static void a_handle_listed_twice_lists_its_operators_twice(void **state) {
    (void)state;
    fixture f = {0};
    builder *b = &f.m.b;
    associate(&f, DUMP(b, RUN(b, "r", CALL(b, "a", 1), CALL(b, "b", 2))),
              (record_spec){.handles = "{\"1\": [1, 1, 2], \"2\": [2, 2]}"});
    assert_operators(event_at(&f, 0), "op.add op.add op.mul op.sub", "add_ mul_ sub_");
    assert_operators(event_at(&f, 1), "op.mul op.sub op.mul op.sub", "mul_ sub_");
    free_fixture(&f);
}

static void framework_events_have_handles_but_no_operators(void **state) {
    (void)state;
    fixture f = {0};
    builder *b = &f.m.b;
    associate(&f,
              DUMP(b, RUN(b, "r", CALL(b, "Method::init", 1), CALL(b, "Program::load_method", 1),
                          CALL(b, "Method::execute", 1), CALL(b, "Method::Init", 1),
                          CALL(b, "OPERATOR_CALL", 1))),
              (record_spec){.handles = "{\"1\": 1}"});
    for (size_t i = 0; i < 5; i++) {
        assert_handles(event_at(&f, i), ETI_HANDLES_INT, "1");
        assert_operators(event_at(&f, i), i < 3 ? "" : "op.add", i < 3 ? "" : "add_");
    }
    free_fixture(&f);
}

static void a_delegated_event_has_the_operators_of_its_own_handles(void **state) {
    (void)state;
    fixture f = {0};
    builder *b = &f.m.b;
    associate(&f, DUMP(b, RUN(b, "r", CALL(b, "DELEGATE_CALL", 4), DELEGATED_INT(b, 4, 7))),
              (record_spec){.handles = "{\"4\": [1, 2]}",
                            .delegates = "{\"4\": {\"delegate_map\": {\"7\": 2}}}"});
    assert_operators(event_at(&f, 0), "op.add op.mul op.sub", "add_ mul_ sub_");
    assert_operators(event_at(&f, 1), "op.mul op.sub", "mul_ sub_");
    free_fixture(&f);
}

/* ---- counts and limits ----------------------------------------------------------------------- */

static void counts_say_how_dump_and_record_fit(void **state) {
    (void)state;
    fixture f = {0};
    builder *b = &f.m.b;
    associate(
        &f,
        DUMP(b, RUN(b, "r", CALL(b, "Method::execute", 1), TIMED(b, .name = "free"),
                    CALL(b, "a", 1), CALL(b, "b", 2), CALL(b, "c", 3), DELEGATED_INT(b, 4, 5))),
        (record_spec){.handles = "{\"1\": 1, \"2\": 77, \"4\": [1]}",
                      .delegates = "{\"4\": {\"name\": \"Npu\", \"delegate_map\": {}}}"});
    assert_int_equal(f.counts.n_instructions, 4);
    assert_int_equal(f.counts.n_with_handles,
                     3); /* entries of the map, whatever the delegate's map holds */
    assert_int_equal(f.counts.n_with_operators, 1);
    assert_int_equal(f.counts.n_delegated, 1);
    free_fixture(&f);
}

/* 5000 handles with 4000 nodes each: 20 million operators from a few kilobytes. */
static void operators_are_limited(void **state) {
    (void)state;
    enum { N_NODES = 4000, N_HANDLES = 5000 };
    eti_graph_node *same = calloc(N_NODES, sizeof *same);
    assert_non_null(same);
    for (size_t i = 0; i < N_NODES; i++)
        same[i] = associate_nodes[0];
    const eti_graph large = {.nodes = same, .n_nodes = N_NODES};
    eti_buffer handles = {0};
    eti__buffer_add_string(&handles, "{\"1\": [");
    for (size_t i = 0; i < N_HANDLES; i++)
        eti__buffer_add_string(&handles, i ? ",1" : "1");
    eti__buffer_add(&handles, "]}", 3);

    fixture f = {0};
    place dump = DUMP(&f.m.b, RUN(&f.m.b, "r", CALL(&f.m.b, "a", 1)));
    record_spec spec = {.handles = handles.data};
    assert_int_equal(try_associate(&f, dump, &spec, &large), ETI_ERROR_LIMIT);
    char expected[64];
    snprintf(expected, sizeof expected, "give the events more than %zu operators",
             65536 + f.record_builder.file.size);
    assert_non_null(strstr(f.m.err.message, expected));
    free_fixture(&f);
    eti__buffer_free(&handles);
    free(same);
}

/* Events of the same instruction share one list, however many there are. */
static void a_shared_list_counts_once(void **state) {
    (void)state;
    enum { N_NODES = 4000, N_EVENTS = 5000 };
    eti_graph_node *same = calloc(N_NODES, sizeof *same);
    static place events[N_EVENTS];
    assert_non_null(same);
    for (size_t i = 0; i < N_NODES; i++)
        same[i] = associate_nodes[0];
    const eti_graph large = {.nodes = same, .n_nodes = N_NODES};
    fixture f = {0};
    builder *b = &f.m.b;
    for (size_t i = 0; i < N_EVENTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "e%zu", i);
        events[i] = CALL(b, name, 1);
    }
    place run = put_run(b, &(run_spec){.name = "r", .events = put_tables(b, events, N_EVENTS)});
    record_spec spec = {.handles = "{\"1\": [1]}"};
    assert_int_equal(try_associate(&f, DUMP(b, run), &spec, &large), ETI_OK);
    assert_int_equal(event_at(&f, 4999)->known->n_op_types, N_NODES);
    assert_ptr_equal(event_at(&f, 0)->known->op_types, event_at(&f, 4999)->known->op_types);
    free_fixture(&f);
    free(same);
}

/* 4000 operators of one source have its handle, and each instruction names it separately: 16 million operators would exceed
 * the limit. */
static void equal_lists_share_their_operators(void **state) {
    (void)state;
    enum { N_NODES = 4000, N_EVENTS = 4000 };
    eti_graph_node *same = calloc(N_NODES, sizeof *same);
    static place events[N_EVENTS];
    assert_non_null(same);
    for (size_t i = 0; i < N_NODES; i++)
        same[i] = associate_nodes[0];
    const eti_graph large = {.nodes = same, .n_nodes = N_NODES};
    eti_buffer handles = {0};
    fixture f = {0};
    builder *b = &f.m.b;
    for (size_t i = 0; i < N_EVENTS; i++) {
        eti__buffer_printf(&handles, "%s\"%zu\": %s", i ? ", " : "{", i, i % 2 ? "[1]" : "1");
        events[i] = CALL(b, "e", i);
    }
    eti__buffer_add(&handles, "}", 2);
    place run = put_run(b, &(run_spec){.name = "r", .events = put_tables(b, events, N_EVENTS)});
    record_spec spec = {.handles = handles.data};
    assert_int_equal(try_associate(&f, DUMP(b, run), &spec, &large), ETI_OK);
    for (size_t i = 0; i < N_EVENTS; i++) {
        assert_int_equal(event_at(&f, i)->known->n_op_types, N_NODES);
        assert_ptr_equal(event_at(&f, i)->known->op_types, event_at(&f, 0)->known->op_types);
        assert_int_equal(event_at(&f, i)->known->handles.kind,
                         i % 2 ? ETI_HANDLES_LIST : ETI_HANDLES_INT);
    }
    free_fixture(&f);
    eti__buffer_free(&handles);
    free(same);
}

/* ==== delegate keys =========================================================================== */

#define MOST 12

/* Entries whose handles are their own numbers, in file order. */
typedef struct keys {
    char texts[MOST][16];
    int64_t numbers[MOST];
    eti_delegate_entry entries[MOST];
    eti_delegate_call call;
    eti_delegate_keys found_by;
} keys;

static void open_keys(keys *k, size_t n) {
    for (size_t i = 0; i < n; i++) {
        k->numbers[i] = (int64_t)i;
        k->entries[i] = (eti_delegate_entry){
            eti__text_of(k->texts[i]),
            {ETI_HANDLES_INT, &k->numbers[i], 1},
        };
    }
    k->call = (eti_delegate_call){eti__text_of("backend"), k->entries, n};
    assert_true(eti__delegate_keys_init(&k->found_by, &k->call));
}

static void close_keys(keys *k) {
    eti__delegate_keys_free(&k->found_by);
}

/* Returns the number of the entry, or -1. */
static int64_t find(const keys *k, const char *identifier, bool is_string) {
    eti_debug_handles handles =
        eti__delegate_keys_find(&k->found_by, eti__text_of(identifier), is_string);
    return handles.kind == ETI_HANDLES_NONE ? -1 : handles.handles[0];
}

/* Searches exactly as the Inspector's source does. */
static int64_t find_slowly(const keys *k, const char *identifier, bool is_string) {
    int64_t found = -1;
    for (size_t i = 0; i < k->call.n_entries; i++) {
        if (is_string && strcmp(k->texts[i], identifier) == 0)
            return (int64_t)i;
        if (strstr(identifier, k->texts[i]))
            found = (int64_t)i;
    }
    return found;
}

static void the_last_key_that_is_part_of_the_text_wins(void **state) {
    (void)state;
    keys k = {.texts = {"tan", "an", "nt", "sin.tan.cos"}};
    open_keys(&k, 4);
    assert_int_equal(find(&k, "tan", true), 0);
    assert_int_equal(find(&k, "tan", false), 1);
    assert_int_equal(find(&k, "tant", true), 2);
    assert_int_equal(find(&k, "sin.tan.co", true), 1);
    assert_int_equal(find(&k, "sin.tan.cost", true), 3);
    assert_int_equal(find(&k, "ta", true), -1);
    assert_int_equal(find(&k, "", true), -1);
    close_keys(&k);
}

static void an_empty_key_is_part_of_everything_in_keys(void **state) {
    (void)state;
    keys k = {.texts = {"a", "", "b"}};
    open_keys(&k, 3);
    assert_int_equal(find(&k, "", true), 1);
    assert_int_equal(find(&k, "xa", true), 1);
    assert_int_equal(find(&k, "a", true), 0);
    assert_int_equal(find(&k, "ab", true), 2);
    close_keys(&k);
}

static void a_null_entry_is_passed_over_only_as_the_own_one(void **state) {
    (void)state;
    keys k = {.texts = {"a", "ab"}};
    open_keys(&k, 2);
    k.entries[1].handles = (eti_debug_handles){ETI_HANDLES_NONE, NULL, 0};
    assert_int_equal(find(&k, "ab", true), -1);
    k.entries[1].handles = k.entries[0].handles;
    k.entries[0].handles = (eti_debug_handles){ETI_HANDLES_NONE, NULL, 0};
    assert_int_equal(find(&k, "a", true), -1);
    assert_int_equal(find(&k, "ab", true), 0);
    close_keys(&k);
}

static void no_keys_find_nothing(void **state) {
    (void)state;
    keys k = {0};
    open_keys(&k, 0);
    assert_int_equal(find(&k, "a", true), -1);
    close_keys(&k);
}

/* Returns a text of up to `most` letters out of two. */
static void draw_text(char *out, uint64_t *random, size_t most) {
    *random = eti__hash_mix(*random, 1);
    size_t n = (size_t)(*random % (most + 1));
    for (size_t i = 0; i < n; i++)
        out[i] = "ab"[*random >> (i + 8) & 1];
    out[n] = '\0';
}

static bool has_equal_keys(const keys *k, size_t n) {
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(k->texts[i], k->texts[j]) == 0)
                return true;
        }
    }
    return false;
}

static void every_set_of_keys_finds_what_a_search_for_each_finds(void **state) {
    (void)state;
    uint64_t random = 1;
    for (int round = 0; round < 3000; round++) {
        keys k = {0};
        size_t n = 1 + (size_t)round % MOST;
        for (size_t i = 0; i < n; i++)
            draw_text(k.texts[i], &random, 6);
        if (has_equal_keys(&k, n))
            n = 1;
        open_keys(&k, n);
        for (int i = 0; i < 20; i++) {
            char identifier[32];
            draw_text(identifier, &random, 24);
            assert_int_equal(find(&k, identifier, i % 2), find_slowly(&k, identifier, i % 2));
        }
        close_keys(&k);
    }
}

/* Different bytes stay different. */
static void keys_may_branch_into_every_byte(void **state) {
    (void)state;
    static char texts[255][3];
    static eti_delegate_entry entries[255];
    static int64_t numbers[255];
    for (int i = 0; i < 255; i++) {
        texts[i][0] = 'x';
        texts[i][1] = (char)(i + 1);
        numbers[i] = i;
        entries[i] = (eti_delegate_entry){{texts[i], 2}, {ETI_HANDLES_INT, &numbers[i], 1}};
    }
    eti_delegate_call call = {eti__text_of(""), entries, 255};
    eti_delegate_keys found_by;
    assert_true(eti__delegate_keys_init(&found_by, &call));
    for (int i = 0; i < 255; i++) {
        char identifier[] = {'y', 'x', (char)(i + 1), '\0'};
        eti_debug_handles handles =
            eti__delegate_keys_find(&found_by, eti__text_of(identifier), true);
        assert_int_equal(handles.kind, ETI_HANDLES_INT);
        assert_int_equal(handles.handles[0], i);
    }
    eti__delegate_keys_free(&found_by);
}

/* ==== handle index ============================================================================ */
/* Finds nodes by their debug handles, those of a handle in graph order; unknown handles are not found. */

static void nodes_of_a_handle_lie_together_in_graph_order(void **state) {
    (void)state;
    const eti_graph_node nodes[] = {{.has_debug_handle = true, .debug_handle = 7},
                                    {.has_debug_handle = false},
                                    {.has_debug_handle = true, .debug_handle = 3},
                                    {.has_debug_handle = true, .debug_handle = 7},
                                    {.has_debug_handle = true, .debug_handle = INT64_MAX}};
    const eti_graph graph = {.nodes = nodes, .n_nodes = COUNT_OF(nodes)};
    eti_handle_index index;
    assert_true(eti__handle_index_init(&index, &graph));
    assert_int_equal(index.n, 4);
    assert_int_equal(eti__handle_index_first(&index, 7), 1);
    assert_int_equal(index.nodes[1].node, 0);
    assert_int_equal(index.nodes[2].node, 3);
    assert_int_equal(eti__handle_index_first(&index, INT64_MIN), 0);
    assert_int_equal(eti__handle_index_first(&index, 4), 1);
    assert_int_equal(eti__handle_index_first(&index, INT64_MAX), 3);
    eti__handle_index_free(&index);
    eti__handle_index_free(&index);
}

static void an_empty_graph_has_no_nodes(void **state) {
    (void)state;
    eti_handle_index index;
    assert_true(eti__handle_index_init(&index, &(eti_graph){0}));
    assert_int_equal(eti__handle_index_first(&index, 0), 0);
    assert_int_equal(index.n, 0);
    eti__handle_index_free(&index);
}

/* ==== record ================================================================================== */
/* Several inspectors share one record. */

static const eti_source mlp_record = {.path = "testdata/mlp/record.etrecord"};

static eti_inspector *open_with(eti_record *record, bool no_attribution) {
    static const eti_source dump = {.path = "testdata/mlp/run.etdp"};
    const eti_inputs inputs = {.etdumps = &dump, .n_etdumps = 1, .record = record};
    const eti_options options = {.target_time_scale = ETI_SCALE_MS,
                                 .no_attribution = no_attribution};
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_open(&inspector, &inputs, &options, &err));
    return inspector;
}

static void graphs_are_read_once(void **state) {
    (void)state;
    eti_record *record;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti_record_open(&record, &mlp_record, &err));
    assert_int_equal(record->n_graphs, 0);
    eti_inspector *first = open_with(record, false), *second = open_with(record, false);
    assert_ptr_equal(first->graph.nodes, second->graph.nodes);
    assert_true(first->graph.n_nodes > 0);
    assert_int_equal(record->n_graphs, 1);
    eti_inspector *third = open_with(record, true);
    assert_int_equal(record->n_graphs, 2);
    eti_inspector_close(third);
    eti_record_close(record);
    eti_inspector_close(first);
    assert_string_equal(second->record_file.name, mlp_record.path); /* the inspector keeps it */
    eti_text op = second->blocks.blocks[1].events[0].record->op_types[0];
    assert_text(op, "aten.permute_copy.default");
    eti_inspector_close(second);
}

/* A report that needs the values gets them from the inspector's graph if the inspector was opened with reads_values. */
static void values_are_read_with_the_graph(void **state) {
    (void)state;
    static const eti_source dump = {.path = "testdata/mlp/run.etdp"};
    eti_record *record;
    eti_inspector *inspector;
    eti_graph graph, again;
    eti_graph_values values, same;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti_record_open(&record, &mlp_record, &err));
    const eti_inputs inputs = {.etdumps = &dump, .n_etdumps = 1, .record = record};
    const eti_options options = {.target_time_scale = ETI_SCALE_MS, .reads_values = true};
    assert_ok(eti__inspector_open(&inspector, &inputs, &options, &err));
    assert_int_equal(record->n_graphs, 1);
    assert_ok(
        eti__record_graph(record, ETI_READ_VALUES, inspector->method, NULL, &graph, &values, &err));
    assert_ptr_equal(graph.nodes, inspector->graph.nodes);
    assert_true(values.n_values > 0);
    assert_ok(
        eti__record_graph(record, ETI_READ_LOWERED, inspector->method, NULL, &again, NULL, &err));
    assert_ptr_equal(again.nodes, graph.nodes);
    assert_ok(
        eti__record_graph(record, ETI_READ_VALUES, inspector->method, NULL, &again, &same, &err));
    assert_ptr_equal(same.values, values.values);
    assert_int_equal(record->n_graphs, 1);
    eti_inspector_close(inspector);
    eti_record_close(record);
}

/* Only a report that needs the values fails. A graph of another name is not the one that was read. */
static void values_that_cannot_be_read_do_not_hide_the_graph(void **state) {
    (void)state;
    record_builder made = {0};
    const record_spec spec = {.edge = "{\"graph_module\": {\"graph\": {\"nodes\": [" NODE(
                                  "add", "1", "") "], \"tensor_values\": []}}}"};
    eti_record *record;
    eti_graph graph;
    eti_graph_values values;
    eti_error err = ETI_ERROR_INIT;
    make_record(&made, &spec);
    const eti_source source = {
        .path = "x.etrecord", .data = made.bytes.data, .size = made.bytes.size};
    assert_ok(eti_record_open(&record, &source, &err));
    assert_ok(eti__record_graph(record, ETI_READ_VALUES, 0, NULL, &graph, NULL, &err));
    assert_int_equal(graph.n_nodes, 1);
    assert_fails(eti__record_graph(record, ETI_READ_VALUES, 0, NULL, &graph, &values, &err),
                 ETI_ERROR_MALFORMED, "edge_dialect_exported_program/forward");
    assert_int_equal(graph.n_nodes, 0);
    assert_fails(eti__record_graph(record, ETI_READ_VALUES, 0, "other", &graph, &values, &err),
                 ETI_ERROR_USAGE, "has no graph other");
    eti_record_close(record);
    free_record(&made);
}

static void what_is_missing_is_asked_for_again(void **state) {
    (void)state;
    eti_record *record;
    eti_error err = ETI_ERROR_INIT;
    eti_graph graph;
    assert_ok(eti_record_open(&record, &mlp_record, &err));
    for (int i = 0; i < 2; i++) {
        assert_fails(
            eti__record_graph(record, ETI_READ_REFERENCE, 0, "no/such", &graph, NULL, &err),
            ETI_ERROR_USAGE, "has no graph no/such");
        assert_int_equal(graph.n_nodes, 0);
    }
    assert_int_equal(record->n_graphs, 0);
    eti_record_close(record);
}

static void a_file_that_is_no_record(void **state) {
    (void)state;
    const eti_source source = {.path = "testdata/mlp/run.etdp"};
    eti_record *record = (eti_record *)1;
    eti_error err = ETI_ERROR_INIT;
    assert_fails(eti_record_open(&record, &source, &err), ETI_ERROR_MALFORMED,
                 "expected an ETRecord");
    assert_null(record);
    eti_record_close(NULL);
}

#define N_THREADS 8

typedef struct shared {
    eti_record *record;
    const eti_graph_node *nodes[N_THREADS];
} shared;

static void read_graph(void *context, size_t i) {
    shared *s = context;
    eti_graph graph;
    eti_error err = ETI_ERROR_INIT;
    if (eti__record_graph(s->record, i % 2 ? ETI_READ_EDGE : ETI_READ_LOWERED, 0, NULL, &graph,
                          NULL, &err) == ETI_OK)
        s->nodes[i] = graph.nodes;
}

static void threads_share_it(void **state) {
    (void)state;
    shared s = {.record = NULL};
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti_record_open(&s.record, &mlp_record, &err));
    eti__parallel(N_THREADS, read_graph, &s);
    for (size_t i = 0; i < N_THREADS; i++) {
        assert_non_null(s.nodes[i]);
        assert_ptr_equal(s.nodes[i], s.nodes[i % 2]);
    }
    assert_int_equal(s.record->n_graphs, 2);
    eti_record_close(s.record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_instruction_has_the_records_handles),
        cmocka_unit_test(num_outputs_count_only_for_known_instructions),
        cmocka_unit_test(the_last_key_that_is_part_of_the_identifier_wins),
        cmocka_unit_test(a_string_identifier_is_matched_exactly_first),
        cmocka_unit_test(an_empty_key_is_part_of_everything),
        cmocka_unit_test(an_empty_or_null_delegate_map_gives_no_handles),
        cmocka_unit_test(a_delegate_call_has_its_backends_name),
        cmocka_unit_test(a_backend_without_a_name_is_empty_not_absent),
        cmocka_unit_test(without_a_delegate_map_delegated_events_keep_the_calls_handles),
        cmocka_unit_test(operators_follow_handles_then_the_graph),
        cmocka_unit_test(a_handle_listed_twice_lists_its_operators_twice),
        cmocka_unit_test(framework_events_have_handles_but_no_operators),
        cmocka_unit_test(a_delegated_event_has_the_operators_of_its_own_handles),
        cmocka_unit_test(counts_say_how_dump_and_record_fit),
        cmocka_unit_test(operators_are_limited),
        cmocka_unit_test(a_shared_list_counts_once),
        cmocka_unit_test(equal_lists_share_their_operators),
        cmocka_unit_test(the_last_key_that_is_part_of_the_text_wins),
        cmocka_unit_test(an_empty_key_is_part_of_everything_in_keys),
        cmocka_unit_test(a_null_entry_is_passed_over_only_as_the_own_one),
        cmocka_unit_test(no_keys_find_nothing),
        cmocka_unit_test(every_set_of_keys_finds_what_a_search_for_each_finds),
        cmocka_unit_test(keys_may_branch_into_every_byte),
        cmocka_unit_test(nodes_of_a_handle_lie_together_in_graph_order),
        cmocka_unit_test(an_empty_graph_has_no_nodes),
        cmocka_unit_test(graphs_are_read_once),
        cmocka_unit_test(values_are_read_with_the_graph),
        cmocka_unit_test(values_that_cannot_be_read_do_not_hide_the_graph),
        cmocka_unit_test(what_is_missing_is_asked_for_again),
        cmocka_unit_test(a_file_that_is_no_record),
        cmocka_unit_test(threads_share_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
