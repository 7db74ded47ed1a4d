/*
 * etrecord.c - reads an ETRecord, a ZIP whose members are recognized by name:
 *
 *     ETRECORD_V0                              empty, required
 *     edge_dialect_exported_program/<method>   JSON: the graph of a method
 *     edge_dialect_exported_program            the same, until 2026, for one method
 *     et_dialect_graph_module/<method>         the same, in the first files of 2023
 *     debug_handle_map, delegate_map, instruction_id_to_num_outs_map, export_graph_id    JSON
 *     <name>/<method>                          JSON: another recorded program
 *     …_state_dict, …_constants, …_example_inputs, exported_program, reference_outputs,
 *     representative_inputs, program_buffer    never read
 *
 * Of members with equal names, the last counts, as in Python.
 */
#include "etrecord/etrecord.h"

#include "etrecord/graph.h"
#include "etrecord/maps.h"

#include <stdlib.h>
#include <string.h>

#define NO_MEMBER SIZE_MAX

struct eti_etrecord {
    eti_arena *arena;
    const char *name; /* name of the file */
    eti_zip zip;
    eti_text_table members;
    size_t *zip_indexes; /* by number in `members`: index in zip.members */
    eti_record_maps maps;
    size_t *programs; /* by method: the member with its graph, or NO_MEMBER */
    size_t n_programs;
    size_t programs_capacity;
    size_t *extras; /* members */
    size_t n_extras;
    size_t exported; /* index of the member "exported_program", or NO_MEMBER */
    bool has_export_graph_id;
    uint64_t export_graph_id;
};

/* ---- the ZIP --------------------------------------------------------------------------------- */

static eti_status open_zip(eti_etrecord *record, const struct eti_file *file, eti_error *err) {
    if (!eti__zip_has_end(file))
        return eti_fail(
            err, ETI_ERROR_MALFORMED,
            "%s: the ZIP's directory, which is at its end, is missing: the file was cut short",
            file->name);
    return eti__zip_open(&record->zip, record->arena, file, err);
}

static bool list_members(eti_etrecord *record) {
    size_t n = record->zip.n_members;
    record->zip_indexes = eti__arena_alloc(record->arena, n, sizeof *record->zip_indexes);
    if (!record->zip_indexes)
        return false;
    for (size_t i = 0; i < n; i++) {
        uint32_t number;
        if (!eti__text_table_add(&record->members, record->zip.members[i].name, record->arena,
                                 &number))
            return false;
        record->zip_indexes[number] = i;
    }
    return true;
}

/* ---- members --------------------------------------------------------------------------------- */

static eti_status open_member(eti_etrecord *record, size_t member, eti_zip_stream *stream,
                              eti_json *json, eti_error *err) {
    const eti_zip_member *packed = &record->zip.members[record->zip_indexes[member]];
    ETI_TRY(eti__zip_stream_open(stream, &record->zip, packed, err));
    eti__json_open_stream(json, (eti_json_source){eti__zip_stream_read, stream});
    return ETI_OK;
}

static eti_status name_member(const eti_etrecord *record, size_t member, eti_status status,
                              eti_error *err) {
    if (status != ETI_OK && status != ETI_ERROR_MEMORY)
        eti__error_prefix(err, "%s: member %.*s", record->name,
                          ETI_TEXT_ARGS(record->members.texts[member]));
    return status;
}

/* Reads the JSON of a member from `json`. */
typedef void (*read_json)(eti_etrecord *record, eti_json *json);

static eti_status read_member(eti_etrecord *record, size_t member, read_json read, eti_error *err) {
    eti_zip_stream stream;
    eti_json json;
    eti_status status = open_member(record, member, &stream, &json, err);
    if (status == ETI_OK) {
        read(record, &json);
        status = eti__json_close(&json, err);
        eti__zip_stream_close(&stream);
    }
    return name_member(record, member, status, err);
}

/* Reads a graph; `values` is NULL if values are not requested. */
static eti_status read_graph(eti_etrecord *record, size_t member, bool lowers, eti_graph *out,
                             eti_graph_values *values, eti_error *err) {
    eti_zip_stream stream;
    eti_json json;
    eti_status status = open_member(record, member, &stream, &json, err);
    if (status == ETI_OK) {
        status = values   ? eti__graph_read_values(out, values, record->arena, &json, err)
                 : lowers ? eti__graph_read_lowered(out, record->arena, &json, err)
                          : eti__graph_read(out, record->arena, &json, err);
        eti__zip_stream_close(&stream);
    }
    return name_member(record, member, status, err);
}

/* ---- meanings of members --------------------------------------------------------------------- */

static void read_handle_map(eti_etrecord *record, eti_json *json) {
    eti__record_maps_read_handles(&record->maps, json);
}

static void read_delegate_map(eti_etrecord *record, eti_json *json) {
    eti__record_maps_read_delegates(&record->maps, json);
}

static void read_num_outputs_map(eti_etrecord *record, eti_json *json) {
    eti__record_maps_read_num_outputs(&record->maps, json);
}

static void read_export_graph_id(eti_etrecord *record, eti_json *json) {
    if (eti__json_peek(json) == ETI_JSON_NUMBER)
        record->has_export_graph_id = eti__json_read_uint64(json, &record->export_graph_id);
    else
        eti__json_skip(json);
}

#define EXPORTED_PROGRAM "exported_program"
#define EDGE_PROGRAM "edge_dialect_exported_program"
#define ET_PROGRAM "et_dialect_graph_module"

/* Members with names of their own; those without a function are skipped. */
static const struct {
    const char *name;
    read_json read;
} reserved_members[] = {
    {ETI_RECORD_MEMBER, NULL},
    {EDGE_PROGRAM, NULL},
    {EXPORTED_PROGRAM, NULL},
    {"program_buffer", NULL},
    {"reference_outputs", NULL},
    {"representative_inputs", NULL},
    {"debug_handle_map", read_handle_map},
    {"delegate_map", read_delegate_map},
    {"instruction_id_to_num_outs_map", read_num_outputs_map},
    {"export_graph_id", read_export_graph_id},
};

#define N_RESERVED (sizeof reserved_members / sizeof *reserved_members)

static bool is_side_file(eti_text name) {
    return eti__text_ends_with(name, "state_dict") || eti__text_ends_with(name, "constants") ||
           eti__text_ends_with(name, "example_inputs");
}

/* Finds the method in a name "<program>/<method>". */
static bool method_of(eti_text name, const char *program, eti_text *method) {
    size_t size = strlen(program);
    if (name.size <= size || memcmp(name.data, program, size) != 0 || name.data[size] != '/')
        return false;
    *method = eti__text_from(name, size + 1);
    return true;
}

/* Makes `member` the graph of `method` unless the method has one. */
static eti_status add_program(eti_etrecord *record, eti_text method, size_t member,
                              eti_error *err) {
    uint32_t number;
    if (!eti__record_maps_add_method(&record->maps, method, &number))
        return eti_fail_memory(err);
    if (!ETI_GROW(record->programs, record->programs_capacity, (size_t)number + 1))
        return eti_fail_memory(err);
    while (record->n_programs <= number)
        record->programs[record->n_programs++] = NO_MEMBER;
    if (record->programs[number] == NO_MEMBER)
        record->programs[number] = member;
    return ETI_OK;
}

static eti_status open_reserved(eti_etrecord *record, size_t member, size_t reserved,
                                eti_error *err) {
    read_json read = reserved_members[reserved].read;
    return read ? read_member(record, member, read, err) : ETI_OK;
}

static eti_status classify_member(eti_etrecord *record, size_t member, eti_error *err) {
    eti_text name = record->members.texts[member];
    eti_text method;
    if (eti__text_is(name, EXPORTED_PROGRAM))
        record->exported = member;
    for (size_t i = 0; i < N_RESERVED; i++) {
        if (eti__text_is(name, reserved_members[i].name))
            return open_reserved(record, member, i, err);
    }
    if (is_side_file(name))
        return ETI_OK;
    if (method_of(name, EDGE_PROGRAM, &method))
        return ETI_OK; /* waits until all maps are known */
    record->extras[record->n_extras++] = member;
    return ETI_OK;
}

/* Returns whether a map names the method; must be called before programs are added. */
static bool is_mapped(const eti_etrecord *record, eti_text method) {
    uint32_t ignored;
    return eti__text_table_find(&record->maps.methods, method, &ignored);
}

/* Returns the method of a record's only program: the maps' method, whatever the program's own name. executorch 1.5 stores
 * it as "forward" even if the maps contain "prefill", and older versions store it without a name. */
static eti_text method_of_only_program(const eti_etrecord *record, eti_text own) {
    eti_text forward = eti__text_of("forward");
    if (is_mapped(record, own))
        return own;
    if (is_mapped(record, forward))
        return forward;
    return record->maps.methods.count == 1 ? record->maps.methods.texts[0] : own;
}

static size_t count_edge_programs(const eti_etrecord *record) {
    size_t n = 0;
    eti_text method;
    for (size_t i = 0; i < record->members.count; i++) {
        eti_text name = record->members.texts[i];
        n += !is_side_file(name) && method_of(name, EDGE_PROGRAM, &method);
    }
    return n;
}

static eti_status add_edge_programs(eti_etrecord *record, eti_error *err) {
    size_t n = count_edge_programs(record);
    for (size_t i = 0; i < record->members.count; i++) {
        eti_text name = record->members.texts[i], method;
        if (is_side_file(name) || !method_of(name, EDGE_PROGRAM, &method))
            continue;
        if (n == 1)
            method = method_of_only_program(record, method);
        ETI_TRY(add_program(record, method, i, err));
    }
    uint32_t member;
    if (n > 0 || !eti__text_table_find(&record->members, eti__text_of(EDGE_PROGRAM), &member))
        return ETI_OK;
    return add_program(record, method_of_only_program(record, eti__text_of("forward")), member,
                       err);
}

/* Adds the graphs of the first files, which had no edge program, but the program lowered from it. */
static eti_status add_et_programs(eti_etrecord *record, eti_error *err) {
    for (size_t i = 0; i < record->n_extras; i++) {
        eti_text method;
        if (method_of(record->members.texts[record->extras[i]], ET_PROGRAM, &method))
            ETI_TRY(add_program(record, method, record->extras[i], err));
    }
    return ETI_OK;
}

static eti_status read_members(eti_etrecord *record, eti_error *err) {
    size_t n = record->members.count;
    record->extras = eti__arena_alloc(record->arena, n, sizeof *record->extras);
    if (!record->extras)
        return eti_fail_memory(err);
    record->exported = NO_MEMBER;
    for (size_t i = 0; i < n; i++)
        ETI_TRY(classify_member(record, i, err));
    ETI_TRY(add_edge_programs(record, err));
    return add_et_programs(record, err);
}

/* ---- the record ------------------------------------------------------------------------------ */

static eti_status open_record(eti_etrecord *record, const struct eti_file *file, eti_error *err) {
    uint32_t ignored;
    ETI_TRY(open_zip(record, file, err));
    if (!list_members(record))
        return eti_fail_memory(err);
    if (!eti__text_table_find(&record->members, eti__text_of(ETI_RECORD_MEMBER), &ignored))
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "%s: expected a member " ETI_RECORD_MEMBER
                        ", found a ZIP file without it; " ETI_HOW_TO_MAKE_A_RECORD,
                        record->name);
    return read_members(record, err);
}

eti_status eti__etrecord_open(eti_etrecord **out, eti_arena *arena, const struct eti_file *file,
                              eti_error *err) {
    *out = NULL;
    eti_etrecord *record = eti__arena_alloc_zero(arena, 1, sizeof *record);
    if (!record)
        return eti_fail_memory(err);
    record->arena = arena;
    record->name = file->name;
    eti__record_maps_init(&record->maps, arena);

    eti_status status = open_record(record, file, err);
    if (status == ETI_OK)
        *out = record;
    else
        eti__etrecord_close(record);
    return status;
}

void eti__etrecord_close(eti_etrecord *record) {
    if (!record)
        return;
    eti__record_maps_free(&record->maps);
    eti__text_table_free(&record->members);
    free(record->programs);
    *record = (eti_etrecord){0};
}

/* ---- methods --------------------------------------------------------------------------------- */

static const eti_method_maps *maps_of(const eti_etrecord *record, size_t method) {
    return &record->maps.by_method[method];
}

size_t eti__etrecord_method_count(const eti_etrecord *record) {
    return record->maps.methods.count;
}

eti_text eti__etrecord_method_name(const eti_etrecord *record, size_t method) {
    return record->maps.methods.texts[method];
}

bool eti__etrecord_method_has_graph(const eti_etrecord *record, size_t method) {
    return method < record->n_programs && record->programs[method] != NO_MEMBER;
}

bool eti__etrecord_method_has_handle_map(const eti_etrecord *record, size_t method) {
    return maps_of(record, method)->handles.present;
}

size_t eti__etrecord_method_instruction_count(const eti_etrecord *record, size_t method) {
    return eti__instruction_map_count(&maps_of(record, method)->handles);
}

eti_status eti__etrecord_read_graph(eti_etrecord *record, size_t method, eti_graph *out,
                                    eti_error *err) {
    *out = (eti_graph){0};
    if (!eti__etrecord_method_has_graph(record, method))
        return ETI_OK;
    return read_graph(record, record->programs[method], false, out, NULL, err);
}

eti_status eti__etrecord_read_lowered(eti_etrecord *record, size_t method, eti_graph *out,
                                      eti_error *err) {
    *out = (eti_graph){0};
    if (!eti__etrecord_method_has_graph(record, method))
        return ETI_OK;
    return read_graph(record, record->programs[method], true, out, NULL, err);
}

/* Returns the member of the extra program called `name`, or NO_MEMBER. */
static size_t find_extra(const eti_etrecord *record, const char *name) {
    for (size_t i = 0; i < record->n_extras; i++) {
        if (eti__text_is(record->members.texts[record->extras[i]], name))
            return record->extras[i];
    }
    return NO_MEMBER;
}

static size_t edge_graph(const eti_etrecord *record, size_t method) {
    return method < record->n_programs ? record->programs[method] : NO_MEMBER;
}

/* Returns the member with the graph called `name`; NULL: the edge graph. NO_MEMBER: there is no such graph. */
static size_t find_graph(const eti_etrecord *record, size_t method, const char *name) {
    if (!name)
        return edge_graph(record, method);
    size_t extra = find_extra(record, name);
    return extra == NO_MEMBER && strcmp(name, EXPORTED_PROGRAM) == 0 ? record->exported : extra;
}

/* Fails because the record has no such graph. `first` names a graph that it has in addition to the extra programs, or is
 * NULL. */
static eti_status fail_graph(const eti_etrecord *record, const char *name, const char *first,
                             eti_error *err) {
    eti_buffer names = {0};
    if (first) {
        eti__buffer_add_string(&names, ", ");
        eti__buffer_add_string(&names, first);
    }
    for (size_t i = 0; i < record->n_extras; i++) {
        eti__buffer_add_string(&names, ", ");
        eti__buffer_add_text(&names, record->members.texts[record->extras[i]]);
    }
    eti_text all = eti__buffer_text(&names);
    eti_status status = names.failed
                            ? eti_fail_memory(err)
                            : eti_fail(err, ETI_ERROR_USAGE, "%s has no graph %s; it has %.*s",
                                       record->name, name ? name : "of the edge program",
                                       ETI_TEXT_ARGS(all.size > 2 ? eti__text_from(all, 2)
                                                                  : eti__text_of("(none)")));
    eti__buffer_free(&names);
    return status;
}

eti_status eti__etrecord_read_values(eti_etrecord *record, size_t method, const char *name,
                                     eti_graph *out, eti_graph_values *values, eti_error *err) {
    size_t member = find_graph(record, method, name);
    *out = (eti_graph){0};
    *values = (eti_graph_values){0};
    if (member != NO_MEMBER) {
        /* has the limit for itself, because the record may have read the graph before, without its values */
        uint64_t inflated = record->zip.inflated;
        record->zip.inflated = 0;
        eti_status status = read_graph(record, member, false, out, values, err);
        record->zip.inflated = inflated;
        return status;
    }
    return fail_graph(record, name, record->exported != NO_MEMBER ? EXPORTED_PROGRAM : NULL, err);
}

/* Reads a reference graph; the edge graph takes precedence over an extra program with its name, as in the Inspector. */
eti_status eti__etrecord_read_reference_graph(eti_etrecord *record, size_t method, const char *name,
                                              eti_graph *out, eti_error *err) {
    size_t edge = edge_graph(record, method);
    bool is_edge = edge != NO_MEMBER && strcmp(name, ETI_EDGE_GRAPH) == 0;
    size_t member = is_edge ? edge : find_extra(record, name);
    *out = (eti_graph){0};
    if (member != NO_MEMBER)
        return read_graph(record, member, false, out, NULL, err);
    return fail_graph(record, name, edge != NO_MEMBER ? ETI_EDGE_GRAPH : NULL, err);
}

eti_status eti__etrecord_read_saved(eti_etrecord *record, const char *name,
                                    const eti_saved_value **out, eti_error *err) {
    uint32_t member;
    eti_text bytes;
    char saved_by[] = "torch.save"; /* stands for the name of a file in messages */
    *out = NULL;
    if (!eti__text_table_find(&record->members, eti__text_of(name), &member))
        return ETI_OK;
    const eti_zip_member *packed = &record->zip.members[record->zip_indexes[member]];
    eti_status status = eti__zip_member_load(&bytes, record->arena, &record->zip, packed, err);
    if (status == ETI_OK && bytes.size > 0) {
        const struct eti_file file = {
            .name = saved_by, .data = (const uint8_t *)bytes.data, .size = bytes.size};
        status = eti__torch_save_read(out, record->arena, &file, err);
    }
    return name_member(record, member, status, err);
}

eti_status eti__etrecord_read_weights(eti_etrecord *record, size_t method, uint64_t most,
                                      const eti_saved_value **out, eti_error *err) {
    size_t graph = find_graph(record, method, NULL);
    eti_buffer name = {0};
    uint32_t member;
    *out = NULL;
    if (graph == NO_MEMBER)
        return ETI_OK;
    eti__buffer_add_text(&name, record->members.texts[graph]);
    eti__buffer_add_string(&name, "_state_dict");
    eti__buffer_add_char(&name, '\0');
    eti_status status = name.failed ? eti_fail_memory(err) : ETI_OK;
    bool is_found = status == ETI_OK &&
                    eti__text_table_find(&record->members, eti__text_of(name.data), &member) &&
                    record->zip.members[record->zip_indexes[member]].size <= most;
    if (is_found)
        status = eti__etrecord_read_saved(record, name.data, out, err);
    eti__buffer_free(&name);
    return status;
}

/* ---- lookups --------------------------------------------------------------------------------- */

bool eti__etrecord_find_handles(const eti_etrecord *record, size_t method, int32_t instruction_id,
                                eti_debug_handles *out) {
    const eti_debug_handles *found =
        eti__method_maps_find_handles(maps_of(record, method), instruction_id);
    *out = found ? *found : (eti_debug_handles){ETI_HANDLES_NONE, NULL, 0};
    return found != NULL;
}

const eti_delegate_call *eti__etrecord_find_delegate(const eti_etrecord *record, size_t method,
                                                     int32_t instruction_id) {
    return eti__method_maps_find_delegate(maps_of(record, method), instruction_id);
}

eti_debug_handles eti__etrecord_instruction_handles(const eti_etrecord *record, size_t method,
                                                    size_t i, const eti_delegate_call **delegate) {
    return eti__method_maps_instruction(maps_of(record, method), i, delegate);
}

bool eti__etrecord_instruction_id(const eti_etrecord *record, size_t method, size_t i,
                                  int32_t *id) {
    return eti__method_maps_instruction_id(maps_of(record, method), i, id);
}

int64_t eti__etrecord_find_num_outputs(const eti_etrecord *record, size_t method,
                                       int32_t instruction_id) {
    const int64_t *found =
        eti__method_maps_find_num_outputs(maps_of(record, method), instruction_id);
    return found ? *found : 1;
}

bool eti__etrecord_has_num_outputs(const eti_etrecord *record, size_t method,
                                   int32_t instruction_id) {
    return eti__method_maps_find_num_outputs(maps_of(record, method), instruction_id) != NULL;
}

uint64_t eti__etrecord_file_size(const eti_etrecord *record) {
    return record->zip.file->size;
}

bool eti__etrecord_export_graph_id(const eti_etrecord *record, uint64_t *out) {
    *out = record->export_graph_id;
    return record->has_export_graph_id;
}
