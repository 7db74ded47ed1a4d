#include "support.h"

#include "base/arena.h"
#include "base/files.h"
#include "base/text.h"
#include "etrecord/etrecord.h"
#include "read/read.h"

#include <zip.h>

#define UPSTREAM_2023 "../shared/data/upstream-2023.etrecord"

/* ---- making records -------------------------------------------------------------------------- */

typedef struct member {
    const char *name;
    const char *text;
    bool deflated;
} member;

/* An open record, and the bytes from which it was made. */
typedef struct fixture {
    struct eti_file file;
    uint8_t *bytes;
    eti_arena arena;
    eti_etrecord *record;
    eti_error err;
} fixture;

#define EDGE "edge_dialect_exported_program"
#define GRAPH(op)                                                                                  \
    "{\"graph_module\": {\"graph\": {\"nodes\": [{\"target\": "                                    \
    "\"executorch.exir.dialects.edge.ops." op                                                      \
    "\", \"inputs\": [], \"outputs\": [{\"as_tensor\": {\"name\": \"t\"}}], "                      \
    "\"metadata\": {\"debug_handle\": \"5\"}}]}}}"

static void add_member(zip_t *zip, const member *m) {
    zip_source_t *source = zip_source_buffer(zip, m->text, strlen(m->text), 0);
    assert_non_null(source);
    zip_int64_t index = zip_file_add(zip, m->name, source, 0);
    assert_true(index >= 0);
    zip_int32_t method = m->deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE;
    assert_int_equal(zip_set_file_compression(zip, (zip_uint64_t)index, method, 0), 0);
}

static void take_bytes(fixture *f, zip_source_t *source) {
    zip_stat_t stat;
    assert_int_equal(zip_source_stat(source, &stat), 0);
    assert_int_equal(zip_source_open(source), 0);
    f->bytes = malloc((size_t)stat.size);
    assert_non_null(f->bytes);
    assert_true(zip_source_read(source, f->bytes, stat.size) == (zip_int64_t)stat.size);
    zip_source_close(source);
    f->file = (struct eti_file){
        .name = (char *)"r.etrecord", .data = f->bytes, .size = (size_t)stat.size};
}

/* Checks the list of graphs in the message about an unknown one, which ends with that of the extra program; NULL: the
 * record has no graph. */
static void assert_extra_graph(fixture *f, const char *name) {
    eti_graph graph;
    eti_error err = ETI_ERROR_INIT;
    char end[100];
    snprintf(end, sizeof end, "%s%s", name ? "it has " ETI_EDGE_GRAPH ", " : "it has ",
             name ? name : "(none)");
    assert_fails(eti__etrecord_read_reference_graph(f->record, 0, "nothing", &graph, &err),
                 ETI_ERROR_USAGE, "has no graph nothing; ");
    const char *found = strstr(err.message, "it has ");
    assert_non_null(found);
    assert_string_equal(found, end);
}

static void make_zip(fixture *f, const member *members, size_t n) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = zip_source_buffer_create(NULL, 0, 0, &error);
    zip_t *zip = zip_open_from_source(source, ZIP_TRUNCATE, &error);
    assert_non_null(zip);
    zip_source_keep(source);
    for (size_t i = 0; i < n; i++)
        add_member(zip, &members[i]);
    assert_int_equal(zip_close(zip), 0);
    take_bytes(f, source);
    zip_source_free(source);
    zip_error_fini(&error);
}

static eti_status open_fixture(fixture *f) {
    return eti__etrecord_open(&f->record, &f->arena, &f->file, &f->err);
}

static void release(fixture *f) {
    eti__etrecord_close(f->record);
    eti__arena_free(&f->arena);
    free(f->bytes);
}

static void open_members(fixture *f, const member *members, size_t n) {
    *f = (fixture){0};
    make_zip(f, members, n);
    assert_ok_at(open_fixture(f), &f->err, __FILE__, __LINE__);
}

/* ---- good records ---------------------------------------------------------------------------- */

static void a_record_of_today(void **state) {
    (void)state;
    const member members[] = {
        {"ETRECORD_V0", "", false},
        {"exported_program", "not even JSON", false},
        {"exported_program_state_dict", "", false},
        {EDGE "/forward", GRAPH("aten.add.Tensor"), true},
        {EDGE "/forward_state_dict", "", false},
        {EDGE "/forward_constants", "", false},
        {EDGE "/forward_example_inputs", "", false},
        {"before/forward", GRAPH("aten.mul.Tensor"), false},
        {"before/forward_state_dict", "", false},
        {"debug_handle_map", "{\"forward\": {\"0\": 5, \"1\": [1, 1, 2], \"-1\": null, \"01\": 9}}",
         true},
        {"delegate_map",
         "{\"forward\": {\"1\": {\"name\": \"XnnpackBackend\", \"delegate_map\": {\"7\": [3, 4], "
         "\"8\": 6, \"7\": [9]}}, \"2\": {\"delegate_map\": null}}}",
         false},
        {"instruction_id_to_num_outs_map", "{\"forward\": {\"1\": 3}}", false},
        {"reference_outputs", "PK", false},
        {"export_graph_id", "18446744073709551615", false},
    };
    fixture f;
    open_members(&f, members, COUNT_OF(members));
    assert_int_equal(eti__etrecord_method_count(f.record), 1);
    assert_text(eti__etrecord_method_name(f.record, 0), "forward");
    assert_true(eti__etrecord_method_has_graph(f.record, 0));
    assert_true(eti__etrecord_method_has_handle_map(f.record, 0));
    assert_int_equal(eti__etrecord_method_instruction_count(f.record, 0), 4);

    eti_debug_handles handles;
    assert_true(eti__etrecord_find_handles(f.record, 0, 0, &handles));
    assert_int_equal(handles.kind, ETI_HANDLES_INT);
    assert_true(handles.n == 1 && handles.handles[0] == 5);
    assert_true(eti__etrecord_find_handles(f.record, 0, 1, &handles));
    assert_int_equal(handles.kind, ETI_HANDLES_LIST);
    assert_true(handles.n == 3 && handles.handles[1] == 1 && handles.handles[2] == 2);
    assert_true(eti__etrecord_find_handles(f.record, 0, -1, &handles));
    assert_int_equal(handles.kind, ETI_HANDLES_NONE);
    assert_false(eti__etrecord_find_handles(f.record, 0, 2, &handles));

    const eti_delegate_call *call = eti__etrecord_find_delegate(f.record, 0, 1);
    assert_non_null(call);
    assert_text(call->backend_name, "XnnpackBackend");
    assert_int_equal(call->n_entries, 2);
    assert_text(call->entries[0].identifier, "7");
    assert_true(call->entries[0].handles.n == 1 && call->entries[0].handles.handles[0] == 9);
    assert_int_equal(call->entries[1].handles.kind, ETI_HANDLES_INT);
    call = eti__etrecord_find_delegate(f.record, 0, 2);
    assert_non_null(call);
    assert_text(call->backend_name, "");
    assert_int_equal(call->n_entries, 0);
    assert_null(eti__etrecord_find_delegate(f.record, 0, 0));
    assert_int_equal(eti__etrecord_find_num_outputs(f.record, 0, 1), 3);
    assert_int_equal(eti__etrecord_find_num_outputs(f.record, 0, 0), 1);

    eti_graph graph;
    assert_ok_at(eti__etrecord_read_graph(f.record, 0, &graph, &f.err), &f.err, __FILE__, __LINE__);
    assert_int_equal(graph.n_nodes, 1);
    assert_text(graph.nodes[0].op_type, "aten.add.Tensor");
    assert_extra_graph(&f, "before/forward");
    assert_ok_at(eti__etrecord_read_reference_graph(f.record, 0, "before/forward", &graph, &f.err),
                 &f.err, __FILE__, __LINE__);
    assert_text(graph.nodes[0].op_type, "aten.mul.Tensor");
    uint64_t id;
    assert_true(eti__etrecord_export_graph_id(f.record, &id) && id == UINT64_MAX);
    release(&f);
}

static void methods_of_maps_come_first(void **state) {
    (void)state;
    const member members[] = {
        {"ETRECORD_V0", "", false},
        {EDGE "/encode", GRAPH("aten.a.b"), false},
        {EDGE "/forward", GRAPH("aten.c.d"), false},
        {"debug_handle_map", "{\"forward\": {}, \"decode\": {\"3\": []}, \"encode\": null}", false},
    };
    fixture f;
    open_members(&f, members, COUNT_OF(members));
    assert_int_equal(eti__etrecord_method_count(f.record), 3);
    assert_text(eti__etrecord_method_name(f.record, 0), "forward");
    assert_text(eti__etrecord_method_name(f.record, 1), "decode");
    assert_text(eti__etrecord_method_name(f.record, 2), "encode");
    assert_true(eti__etrecord_method_has_handle_map(f.record, 0));
    assert_false(eti__etrecord_method_has_handle_map(f.record, 2));
    assert_true(eti__etrecord_method_has_graph(f.record, 0));
    assert_false(eti__etrecord_method_has_graph(f.record, 1));
    assert_true(eti__etrecord_method_has_graph(f.record, 2));
    eti_graph graph;
    assert_ok_at(eti__etrecord_read_graph(f.record, 1, &graph, &f.err), &f.err, __FILE__, __LINE__);
    assert_int_equal(graph.n_nodes, 0);
    uint64_t id;
    assert_false(eti__etrecord_export_graph_id(f.record, &id));
    release(&f);
}

/* A program without a method name belongs to the only method of the maps, or to "forward". */
/* The name of a record's only program is ignored: the method name in the maps counts. */
static void the_only_program_belongs_to_the_method_of_the_maps(void **state) {
    (void)state;
    static const struct {
        const char *program, *map, *method;
    } cases[] = {
        {EDGE "/forward", "{\"prefill\": {\"0\": 1}}", "prefill"},
        {EDGE "/encode", "{\"forward\": {\"0\": 1}}", "forward"},
        {EDGE "/encode", "{\"decode\": {}, \"forward\": {}}", "forward"},
        {EDGE "/encode", "{\"forward\": {}, \"encode\": {}}", "encode"},
        {EDGE, "{\"prefill\": {\"0\": 1}}", "prefill"},
        {EDGE "/encode", "{}", "encode"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const member members[] = {{"ETRECORD_V0", "", false},
                                  {cases[i].program, GRAPH("aten.a.b"), false},
                                  {"debug_handle_map", cases[i].map, false}};
        fixture f;
        open_members(&f, members, COUNT_OF(members));
        for (size_t m = 0; m < eti__etrecord_method_count(f.record); m++) {
            bool is_method = eti__text_is(eti__etrecord_method_name(f.record, m), cases[i].method);
            assert_int_equal(eti__etrecord_method_has_graph(f.record, m), is_method);
        }
        release(&f);
    }
}

static void older_layouts_have_one_method(void **state) {
    (void)state;
    static const struct {
        const char *program, *map, *method;
    } cases[] = {
        {EDGE, "{}", "forward"},
        {EDGE, "{\"encode\": {\"0\": 1}}", "encode"},
        {"et_dialect_graph_module/run", "{}", "run"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const member members[] = {
            {"ETRECORD_V0", "", false},
            {cases[i].program, GRAPH("aten.a.b"), false},
            {"program_buffer", "\x18", false},
            {"debug_handle_map", cases[i].map, false},
        };
        fixture f;
        open_members(&f, members, COUNT_OF(members));
        assert_int_equal(eti__etrecord_method_count(f.record), 1);
        assert_text(eti__etrecord_method_name(f.record, 0), cases[i].method);
        eti_graph graph;
        assert_ok_at(eti__etrecord_read_graph(f.record, 0, &graph, &f.err), &f.err, __FILE__,
                     __LINE__);
        assert_int_equal(graph.n_nodes, 1);
        release(&f);
    }
}

static void a_record_may_have_nothing_but_its_name(void **state) {
    (void)state;
    const member members[] = {{"ETRECORD_V0", "", false}};
    fixture f;
    open_members(&f, members, COUNT_OF(members));
    assert_int_equal(eti__etrecord_method_count(f.record), 0);
    assert_extra_graph(&f, NULL);
    release(&f);
}

/* Replaces `from` with `to`, of the same length, everywhere in the ZIP. */
static void patch(fixture *f, const char *from, const char *to) {
    size_t size = strlen(from);
    for (size_t i = 0; i + size <= f->file.size; i++) {
        if (memcmp(f->bytes + i, from, size) == 0)
            memcpy(f->bytes + i, to, size);
    }
}

static void of_equal_names_the_last_counts(void **state) {
    (void)state;
    const member members[] = {
        {"ETRECORD_V0", "", false},
        {"debug_handle_mXX", "{\"forward\": {\"0\": 1}}", false},
        {"debug_handle_mYY", "{\"forward\": {\"0\": 2}, \"forward\": {\"4\": 4, \"4\": 5}}", false},
    };
    fixture f = {0};
    make_zip(&f, members, COUNT_OF(members));
    patch(&f, "debug_handle_mXX", "debug_handle_map");
    patch(&f, "debug_handle_mYY", "debug_handle_map");
    assert_ok_at(open_fixture(&f), &f.err, __FILE__, __LINE__);
    eti_debug_handles handles;
    assert_false(eti__etrecord_find_handles(f.record, 0, 0, &handles));
    assert_true(eti__etrecord_find_handles(f.record, 0, 4, &handles));
    assert_true(handles.handles[0] == 5);
    assert_int_equal(eti__etrecord_method_instruction_count(f.record, 0), 1);
    release(&f);
}

static void lookups_are_fast(void **state) {
    (void)state;
    enum { N = 100000 };
    eti_buffer text = {0};
    eti__buffer_add_string(&text, "{\"forward\": {");
    for (int i = 0; i < N; i++)
        eti__buffer_printf(&text, "%s\"%d\": [%d]", i ? ", " : "", i, i * 2);
    eti__buffer_add(&text, "}}", 3);
    assert_false(text.failed);
    const member members[] = {{"ETRECORD_V0", "", false}, {"debug_handle_map", text.data, true}};
    fixture f;
    open_members(&f, members, COUNT_OF(members));
    for (int32_t i = 0; i < N; i++) {
        eti_debug_handles handles;
        assert_true(eti__etrecord_find_handles(f.record, 0, i, &handles));
        assert_true(handles.handles[0] == (int64_t)i * 2);
    }
    release(&f);
    eti__buffer_free(&text);
}

static void the_sample_of_2023_is_read(void **state) {
    (void)state;
    FILE *sample = fopen(UPSTREAM_2023, "rb");
    if (!sample) {
        print_message("skipped: %s is not there\n", UPSTREAM_2023);
        skip();
    }
    fclose(sample);
    fixture f = {0};
    f.bytes = read_whole_file(UPSTREAM_2023, &f.file.size);
    f.file.data = f.bytes;
    f.file.name = (char *)UPSTREAM_2023;
    assert_ok_at(open_fixture(&f), &f.err, __FILE__, __LINE__);
    assert_int_equal(eti__etrecord_method_count(f.record), 1);
    assert_text(eti__etrecord_method_name(f.record, 0), "forward");
    assert_false(eti__etrecord_method_has_handle_map(f.record, 0));
    eti_graph graph;
    assert_ok_at(eti__etrecord_read_graph(f.record, 0, &graph, &f.err), &f.err, __FILE__, __LINE__);
    assert_int_equal(graph.n_nodes, 1);
    assert_text(graph.nodes[0].node.name, "aten_mul_tensor_");
    assert_text(graph.nodes[0].op_type, "aten.mul.Tensor");
    assert_true(graph.nodes[0].has_debug_handle && graph.nodes[0].debug_handle == 2);
    assert_true(
        eti__text_contains(graph.nodes[0].node.stack_trace, eti__text_of("return input * other")));
    assert_extra_graph(&f, "aten_dialect_output/forward");
    release(&f);
}

/* ---- bad records ----------------------------------------------------------------------------- */

static void expect_refusal(fixture *f, eti_status status, const char *message) {
    assert_fails_at(open_fixture(f), status, message, &f->err, __FILE__, __LINE__);
    assert_null(f->record);
    release(f);
}

static void files_other_than_records_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "r.etrecord: expected an ETRecord, found an empty file; an ETRecord is made with"},
        {"\1", "r.etrecord: expected an ETRecord, found a file that is not a ZIP"},
        {"P", "r.etrecord: expected an ETRecord, found a text without"},
        {"....ED00 this is no ZIP at all", "r.etrecord: expected an ETRecord, found an ETDump"},
        {"PK\3\4 the directory is missing",
         "r.etrecord: the ZIP's directory, which is at its end, is missing"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        fixture f = {.file = {.name = (char *)"r.etrecord"}};
        f.file.data = (const uint8_t *)cases[i].text;
        f.file.size = strlen(cases[i].text);
        f.file.kind = eti_file_kind_of(f.file.data, f.file.size);
        eti_status status = eti__input_expect(&f.file, ETI_FILE_ETRECORD, &f.err);
        if (status == ETI_OK)
            status = open_fixture(&f);
        assert_fails_at(status, ETI_ERROR_MALFORMED, cases[i].message, &f.err, __FILE__, __LINE__);
        release(&f);
    }
    const member members[] = {{"data.pkl", "", false}};
    fixture f = {0};
    make_zip(&f, members, 1);
    expect_refusal(&f, ETI_ERROR_MALFORMED, "r.etrecord: expected a member ETRECORD_V0");
}

static void bad_maps_are_refused_by_name(void **state) {
    (void)state;
    static const struct {
        const char *name, *text;
        eti_status status;
        const char *message;
    } cases[] = {
        {"debug_handle_map", "{\"forward\": {\"0\": [1,}}", ETI_ERROR_MALFORMED,
         "r.etrecord: member debug_handle_map: byte 21: expected an integer, found '}'"},
        {"debug_handle_map", "[]", ETI_ERROR_MALFORMED, "byte 0: expected an object"},
        {"debug_handle_map", "{\"forward\": {\"0\": \"x\"}}", ETI_ERROR_MALFORMED,
         "expected an integer"},
        {"debug_handle_map", "{\"forward\": {\"0\": 99999999999999999999}}", ETI_ERROR_LIMIT,
         "out of range"},
        {"delegate_map", "{\"forward\": {\"0\": 1}}", ETI_ERROR_MALFORMED,
         "member delegate_map: byte 18: expected an object"},
        {"delegate_map", "{\"forward\": {\"0\": {\"name\": 1}}}", ETI_ERROR_MALFORMED,
         "expected a string"},
        {"instruction_id_to_num_outs_map", "{\"forward\": {\"0\": 1.5}}", ETI_ERROR_MALFORMED,
         "member instruction_id_to_num_outs_map"},
        {"export_graph_id", "{", ETI_ERROR_MALFORMED, "member export_graph_id: byte 1"},
        {"export_graph_id", "", ETI_ERROR_MALFORMED, "found the end"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const member members[] = {{"ETRECORD_V0", "", false},
                                  {cases[i].name, cases[i].text, false}};
        fixture f = {0};
        make_zip(&f, members, COUNT_OF(members));
        expect_refusal(&f, cases[i].status, cases[i].message);
    }
}

static void a_bad_graph_is_refused_when_it_is_read(void **state) {
    (void)state;
    const member members[] = {{"ETRECORD_V0", "", false}, {EDGE "/forward", "{\"a\": 1", true}};
    fixture f;
    open_members(&f, members, COUNT_OF(members));
    eti_graph graph;
    assert_fails_at(eti__etrecord_read_graph(f.record, 0, &graph, &f.err), ETI_ERROR_MALFORMED,
                    "r.etrecord: member " EDGE "/forward: byte 7: expected ',' or '}'", &f.err,
                    __FILE__, __LINE__);
    release(&f);
}

/* Writes `value`, little-endian, `offset` bytes after the start of the last directory entry, and to the same place in the
 * member's own header, which lacks the first version field. */
static void patch_member(fixture *f, size_t offset, uint32_t value, size_t width) {
    size_t entry = f->file.size - 4;
    while (memcmp(f->bytes + entry, "PK\1\2", 4) != 0)
        entry--;
    size_t header = entry - 4;
    while (memcmp(f->bytes + header, "PK\3\4", 4) != 0)
        header--;
    for (size_t i = 0; i < width; i++) {
        f->bytes[entry + offset + i] = (uint8_t)(value >> (8 * i));
        f->bytes[header + offset - 2 + i] = (uint8_t)(value >> (8 * i));
    }
}

static void impossible_members_are_refused(void **state) {
    (void)state;
    static const struct {
        size_t offset;
        uint32_t value;
        size_t width;
        bool deflated;
        eti_status status;
        const char *message;
    } cases[] = {
        {8, 1, 2, false, ETI_ERROR_MALFORMED, "it is encrypted"},
        {10, 14, 2, false, ETI_ERROR_MALFORMED, "found compression method 14"},
        {16, 12345, 4, false, ETI_ERROR_MALFORMED,
         "member debug_handle_map: damaged: its checksum differs from the one in the ZIP"},
        {20, 1000000, 4, false, ETI_ERROR_MALFORMED, "it does not end before the directory"},
        {20, 1, 4, false, ETI_ERROR_MALFORMED, "damaged: its size is 2 bytes, but 1 are stored"},
        {24, 3, 4, false, ETI_ERROR_MALFORMED, "damaged: its size is 3 bytes, but 2 are stored"},
        {24, 2000000000, 4, true, ETI_ERROR_LIMIT, "inflate to 2000000000"},
        {24, 1, 4, true, ETI_ERROR_MALFORMED, "damaged"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *text = cases[i].deflated ? "{                                        }" : "{}";
        const member members[] = {{"ETRECORD_V0", "", false},
                                  {"debug_handle_map", text, cases[i].deflated}};
        fixture f = {0};
        make_zip(&f, members, COUNT_OF(members));
        patch_member(&f, cases[i].offset, cases[i].value, cases[i].width);
        expect_refusal(&f, cases[i].status, cases[i].message);
    }
}

/* Returns a JSON text of `size` bytes, mostly white space. */
static char *make_blank_object(size_t size) {
    char *text = malloc(size + 1);
    assert_non_null(text);
    memset(text, ' ', size);
    text[0] = '{';
    text[size - 1] = '}';
    text[size] = '\0';
    return text;
}

/* All members together may inflate to 256 KiB and 64 times the file, in each reading; members that are stored or never read
 * do not count. */
static void inflation_is_limited_for_the_whole_record(void **state) {
    (void)state;
    const size_t size = (size_t)200 << 10;
    char *blank = make_blank_object(size);
    const member members[] = {
        {"ETRECORD_V0", "", false},        {"debug_handle_map", blank, true},
        {"delegate_map", "{}", true},      {"instruction_id_to_num_outs_map", blank, false},
        {"exported_program", blank, true}, {"x_constants", blank, true},
        {EDGE "/forward", blank, true},
    };
    fixture f;
    open_members(&f, members, COUNT_OF(members)); /* a large file, because of one stored member */
    release(&f);

    const member small_file[] = {members[0], members[1], members[2], members[4], members[5]};
    open_members(&f, small_file, COUNT_OF(small_file));
    release(&f);

    const member two_maps[] = {members[0], members[1], {"delegate_map", blank, true}};
    f = (fixture){0};
    make_zip(&f, two_maps, COUNT_OF(two_maps));
    expect_refusal(&f, ETI_ERROR_LIMIT, "r.etrecord: member delegate_map: ");

    const member map_and_graph[] = {members[0], members[1], members[6]};
    open_members(&f, map_and_graph, COUNT_OF(map_and_graph));
    eti_graph graph;
    assert_fails_at(eti__etrecord_read_graph(f.record, 0, &graph, &f.err), ETI_ERROR_LIMIT,
                    "bytes inflate to 204800; for a file of ", &f.err, __FILE__, __LINE__);
    release(&f);

    const member one_graph[] = {members[0], {EDGE "/forward", GRAPH("aten.add.Tensor"), true}};
    open_members(&f, one_graph, COUNT_OF(one_graph));
    for (int i = 0; i < 3; i++)
        assert_ok_at(eti__etrecord_read_graph(f.record, 0, &graph, &f.err), &f.err, __FILE__,
                     __LINE__);
    release(&f);
    free(blank);
}

/* A record that is shared reads a graph again with its values. */
static void values_do_not_count_as_inflated_twice(void **state) {
    (void)state;
    static const char graph_json[] = GRAPH("aten.add.Tensor");
    const size_t size = (size_t)200 << 10;
    char *blank = make_blank_object(size);
    memcpy(blank, graph_json, sizeof graph_json - 2); /* without its last brace */
    const member members[] = {{"ETRECORD_V0", "", false}, {EDGE "/forward", blank, true}};
    fixture f;
    eti_graph graph;
    eti_graph_values values;
    open_members(&f, members, COUNT_OF(members));
    assert_ok_at(eti__etrecord_read_lowered(f.record, 0, &graph, &f.err), &f.err, __FILE__,
                 __LINE__);
    for (int i = 0; i < 3; i++)
        assert_ok_at(eti__etrecord_read_values(f.record, 0, NULL, &graph, &values, &f.err), &f.err,
                     __FILE__, __LINE__);
    assert_int_equal(graph.n_nodes, 1);
    release(&f);
    free(blank);
}

/* The limit holds for any file size; by its size this file would be allowed 1088 MiB. */
static void inflation_ends_at_a_gibibyte(void **state) {
    (void)state;
    char *blank = make_blank_object((size_t)17 << 20);
    const member members[] = {{"ETRECORD_V0", "", false},
                              {"program_buffer", blank, false},
                              {"delegate_map", "{                                  }", true}};
    fixture f = {0};
    make_zip(&f, members, COUNT_OF(members));
    patch_member(&f, 24, (1u << 30) + 1, 4);
    expect_refusal(&f, ETI_ERROR_LIMIT, "at most 1073741824 may be inflated");
    free(blank);
}

static void methods_are_limited(void **state) {
    (void)state;
    eti_buffer text = {0};
    for (int i = 0; i <= 10000; i++)
        eti__buffer_printf(&text, "%s\"m%d\": {}", i ? ", " : "{", i);
    eti__buffer_add(&text, "}", 2);
    assert_false(text.failed);
    const member members[] = {{"ETRECORD_V0", "", false}, {"delegate_map", text.data, true}};
    fixture f = {0};
    make_zip(&f, members, COUNT_OF(members));
    expect_refusal(&f, ETI_ERROR_LIMIT, "more than 10000 methods");
    eti__buffer_free(&text);
}

/* Checks that a map of `before`, `n` times `text`, and `after` is rejected. */
static void expect_too_many(const char *map, const char *before, const char *text, size_t n,
                            const char *after, const char *message) {
    eti_buffer json = {0};
    eti__buffer_add_string(&json, before);
    eti__buffer_add_repeated(&json, text, n);
    eti__buffer_add(&json, after, strlen(after) + 1);
    assert_false(json.failed);
    const member members[] = {{"ETRECORD_V0", "", false}, {map, json.data, false}};
    fixture f = {0};
    make_zip(&f, members, COUNT_OF(members));
    if (message) {
        expect_refusal(&f, ETI_ERROR_LIMIT, message);
    } else {
        assert_ok_at(open_fixture(&f), &f.err, __FILE__, __LINE__);
        release(&f);
    }
    eti__buffer_free(&json);
}

/* Keys count whether they are new or not: 2097152 including "m". */
static void keys_handles_and_identifiers_are_limited(void **state) {
    (void)state;
    const size_t most_keys = 2097152, most_handles = 4194304;
    const char *map = "instruction_id_to_num_outs_map";
    expect_too_many(map, "{\"m\":{\"0\":1", ",\"0\":1", most_keys - 2, "}}", NULL);
    expect_too_many(map, "{\"m\":{\"0\":1", ",\"0\":1", most_keys - 1, "}}",
                    "more than 2097152 keys in the maps of the record");
    expect_too_many("debug_handle_map", "{\"m\":{\"0\":[1", ",1", most_handles - 1, "]}}", NULL);
    expect_too_many("debug_handle_map", "{\"m\":{\"0\":[1", ",1", most_handles, "]}}",
                    "more than 4194304 debug handles in lists");
    eti_buffer identifier = {0};
    eti__buffer_add_string(&identifier, ",\"");
    eti__buffer_add_repeated(&identifier, "k", 1000000);
    eti__buffer_add(&identifier, "\":1", 4);
    expect_too_many("delegate_map", "{\"m\":{\"0\":{\"delegate_map\":{\"a\":1", identifier.data, 8,
                    "}}}}", NULL);
    expect_too_many("delegate_map", "{\"m\":{\"0\":{\"delegate_map\":{\"a\":1", identifier.data, 9,
                    "}}}}", "more than 8388608 bytes of delegates' identifiers");
    eti__buffer_free(&identifier);
}

/* Cuts the record everywhere and flips every byte: it is read or rejected with a message. */
static void damage_is_never_fatal(void **state) {
    (void)state;
    const member members[] = {
        {"ETRECORD_V0", "", false},
        {EDGE "/forward", GRAPH("aten.add.Tensor"), true},
        {"debug_handle_map", "{\"forward\": {\"0\": 5, \"1\": [1, 1, 2]}}", false},
    };
    fixture whole = {0};
    make_zip(&whole, members, COUNT_OF(members));
    for (size_t i = 0; i < whole.file.size * 2; i++) {
        fixture f = {.file = whole.file};
        bool cut = i < whole.file.size;
        f.file.size = cut ? i : whole.file.size;
        f.bytes = malloc(f.file.size + 1);
        assert_non_null(f.bytes);
        memcpy(f.bytes, whole.bytes, f.file.size);
        f.file.data = f.bytes;
        if (!cut)
            f.bytes[i - whole.file.size] ^= (uint8_t)(1 + i % 255);
        eti_status status = open_fixture(&f);
        eti_graph graph;
        if (status == ETI_OK && eti__etrecord_method_count(f.record) > 0)
            status = eti__etrecord_read_graph(f.record, 0, &graph, &f.err);
        assert_true(status == ETI_OK || (status == f.err.status && f.err.message[0] != '\0'));
        release(&f);
    }
    release(&whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_of_today),
        cmocka_unit_test(methods_of_maps_come_first),
        cmocka_unit_test(the_only_program_belongs_to_the_method_of_the_maps),
        cmocka_unit_test(older_layouts_have_one_method),
        cmocka_unit_test(a_record_may_have_nothing_but_its_name),
        cmocka_unit_test(of_equal_names_the_last_counts),
        cmocka_unit_test(lookups_are_fast),
        cmocka_unit_test(the_sample_of_2023_is_read),
        cmocka_unit_test(files_other_than_records_are_refused),
        cmocka_unit_test(bad_maps_are_refused_by_name),
        cmocka_unit_test(a_bad_graph_is_refused_when_it_is_read),
        cmocka_unit_test(impossible_members_are_refused),
        cmocka_unit_test(inflation_is_limited_for_the_whole_record),
        cmocka_unit_test(values_do_not_count_as_inflated_twice),
        cmocka_unit_test(inflation_ends_at_a_gibibyte),
        cmocka_unit_test(methods_are_limited),
        cmocka_unit_test(keys_handles_and_identifiers_are_limited),
        cmocka_unit_test(damage_is_never_fatal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
