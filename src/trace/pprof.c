/*
 * The profile format of pprof (profile.proto of github.com/google/pprof). Files called .pb.gz are compressed, as usual; its
 * tools read both.
 *
 * A sample is a stack, with the number of events and their self time. A location is a function with a line: operators have
 * the line of the source that they come from, modules and methods have none. The mapping, which stands for a binary, is the
 * first ETDump.
 */
#include "trace/protobuf.h"
#include "trace/report_stacks.h"
#include "write/write.h"

/* Numbers of fields. */
enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_MAPPING = 3,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRINGS = 6,
    PROFILE_DEFAULT_TYPE = 14,
    TYPE_TYPE = 1,
    TYPE_UNIT = 2,
    SAMPLE_LOCATIONS = 1,
    SAMPLE_VALUES = 2,
    SAMPLE_LABEL = 3,
    LABEL_KEY = 1,
    LABEL_TEXT = 2,
    MAPPING_ID = 1,
    MAPPING_FILE = 5,
    MAPPING_HAS_FUNCTIONS = 7,
    LOCATION_ID = 1,
    LOCATION_MAPPING = 2,
    LOCATION_LINE = 4,
    LINE_FUNCTION = 1,
    LINE_LINE = 2,
    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
    FUNCTION_SYSTEM_NAME = 3,
    FUNCTION_FILE = 4,
};

#define THE_MAPPING 1

/* Numbers of strings. */
typedef struct pprof_function {
    uint32_t name, file;
} pprof_function;

typedef struct pprof_location {
    uint32_t function, line;
} pprof_location;

typedef struct pprof {
    const eti_stacks *stacks;
    ETI_INTERN_OF(eti_text) strings;
    ETI_INTERN_OF(pprof_function) functions; /* ids are one more than their numbers here */
    ETI_INTERN_OF(pprof_location) locations; /* likewise */
    eti_arena arena;                         /* of strings that are not UTF-8 in the inputs */
    eti_buffer out, message, inner;
    bool failed; /* out of memory */
} pprof;

/* ---- numbers of things ----------------------------------------------------------------------- */

static uint32_t string_of(pprof *p, eti_text text) {
    uint32_t number = 0;
    if (!text.data)
        text = (eti_text){"", 0};
    if (eti__text_valid_utf8(text) < text.size) {
        eti_buffer repaired = {0};
        eti__buffer_add_utf8(&repaired, text);
        p->failed |=
            repaired.failed || !eti__arena_copy_text(&p->arena, eti__buffer_text(&repaired), &text);
        eti__buffer_free(&repaired);
    }
    p->failed |= !eti__intern_add(&p->strings.table, &eti__text_kind, &text, &number);
    return number;
}

static uint32_t c_string(pprof *p, const char *text) {
    return string_of(p, eti__text_of(text));
}

/* Returns the id of a node's location; the location of the last node of a stack has its line. */
static uint64_t location_of(pprof *p, uint32_t node, const eti_stack *leaf) {
    static const eti_intern_kind function_kind = {.item_size = sizeof(pprof_function),
                                                  .key_size = sizeof(pprof_function)};
    static const eti_intern_kind location_kind = {.item_size = sizeof(pprof_location),
                                                  .key_size = sizeof(pprof_location)};
    bool has_line = leaf && leaf->file.data;
    pprof_function function = {string_of(p, eti__stack_name(p->stacks, node)),
                               has_line ? string_of(p, leaf->file) : 0};
    pprof_location location = {.line = has_line ? leaf->line : 0};
    uint32_t number = 0;
    p->failed |=
        !eti__intern_add(&p->functions.table, &function_kind, &function, &location.function) ||
        !eti__intern_add(&p->locations.table, &location_kind, &location, &number);
    return (uint64_t)number + 1;
}

/* ---- messages -------------------------------------------------------------------------------- */

static void end_message(pprof *p, uint32_t field) {
    eti__protobuf_add_bytes(&p->out, field, eti__buffer_text(&p->message));
    p->message.size = 0;
}

static void end_inner(pprof *p, uint32_t field) {
    eti__protobuf_add_bytes(&p->message, field, eti__buffer_text(&p->inner));
    p->inner.size = 0;
}

static void add_type(pprof *p, const char *type, const char *unit) {
    eti__protobuf_add_number(&p->message, TYPE_TYPE, c_string(p, type));
    eti__protobuf_add_number(&p->message, TYPE_UNIT, c_string(p, unit));
    end_message(p, PROFILE_SAMPLE_TYPE);
}

static void add_label(pprof *p, const char *key, eti_text text) {
    if (text.size == 0)
        return;
    eti__protobuf_add_number(&p->inner, LABEL_KEY, c_string(p, key));
    eti__protobuf_add_number(&p->inner, LABEL_TEXT, string_of(p, text));
    end_inner(p, SAMPLE_LABEL);
}

static void add_sample(pprof *p, const eti_stack *stack) {
    uint32_t path[ETI_MOST_STACK_DEPTH];
    size_t n = eti__stack_path(p->stacks, stack->node, path);
    for (size_t i = n; i-- > 0;)
        eti__protobuf_add_varint(&p->inner, location_of(p, path[i], i + 1 == n ? stack : NULL));
    end_inner(p, SAMPLE_LOCATIONS);
    eti__protobuf_add_varint(&p->inner, stack->n_events);
    eti__protobuf_add_varint(&p->inner, stack->ns);
    end_inner(p, SAMPLE_VALUES);
    add_label(p, "backend", stack->backend);
    add_label(p, "method", stack->method);
    end_message(p, PROFILE_SAMPLE);
}

static void add_mapping(pprof *p, const eti_report *report) {
    eti__protobuf_add_number(&p->message, MAPPING_ID, THE_MAPPING);
    eti__protobuf_add_number(&p->message, MAPPING_FILE,
                             string_of(p, eti__report_etdump_name(report)));
    eti__protobuf_add_number(&p->message, MAPPING_HAS_FUNCTIONS, 1);
    end_message(p, PROFILE_MAPPING);
}

static void add_locations(pprof *p) {
    for (size_t i = 0; i < p->locations.count; i++) {
        const pprof_location *location = &p->locations.items[i];
        eti__protobuf_add_number(&p->inner, LINE_FUNCTION, (uint64_t)location->function + 1);
        if (location->line > 0)
            eti__protobuf_add_number(&p->inner, LINE_LINE, location->line);
        eti__protobuf_add_number(&p->message, LOCATION_ID, i + 1);
        eti__protobuf_add_number(&p->message, LOCATION_MAPPING, THE_MAPPING);
        end_inner(p, LOCATION_LINE);
        end_message(p, PROFILE_LOCATION);
    }
}

static void add_functions(pprof *p) {
    for (size_t i = 0; i < p->functions.count; i++) {
        const pprof_function *function = &p->functions.items[i];
        eti__protobuf_add_number(&p->message, FUNCTION_ID, i + 1);
        eti__protobuf_add_number(&p->message, FUNCTION_NAME, function->name);
        eti__protobuf_add_number(&p->message, FUNCTION_SYSTEM_NAME, function->name);
        if (function->file > 0)
            eti__protobuf_add_number(&p->message, FUNCTION_FILE, function->file);
        end_message(p, PROFILE_FUNCTION);
    }
}

static void add_profile(pprof *p, const eti_report *report) {
    const char *unit = p->stacks->is_in_cycles ? "cycles" : "nanoseconds";
    c_string(p, ""); /* string 0 */
    add_type(p, "events", "count");
    add_type(p, "time", unit);
    for (size_t i = 0; i < p->stacks->n && !p->failed; i++)
        add_sample(p, &p->stacks->items[i]);
    add_mapping(p, report);
    add_locations(p);
    add_functions(p);
    eti__protobuf_add_number(&p->out, PROFILE_DEFAULT_TYPE, c_string(p, "time"));
    for (size_t i = 0; i < p->strings.count; i++)
        eti__protobuf_add_bytes(&p->out, PROFILE_STRINGS, p->strings.items[i]);
    p->failed |= p->out.failed || p->message.failed || p->inner.failed;
}

static eti_status write_pprof(const eti_report *report, const eti_write_options *options,
                              eti_output *output, eti_error *err) {
    (void)options;
    eti_stacks stacks;
    pprof p = {.stacks = &stacks};
    eti_status status = eti__report_stacks_make(&stacks, report, err);
    if (status == ETI_OK) {
        add_profile(&p, report);
        status = p.failed ? eti_fail_memory(err) : ETI_OK;
        if (status == ETI_OK)
            eti__output_add_text(output, eti__buffer_text(&p.out));
    }
    eti__buffer_free(&p.out);
    eti__buffer_free(&p.message);
    eti__buffer_free(&p.inner);
    eti__intern_free(&p.strings.table);
    eti__intern_free(&p.functions.table);
    eti__intern_free(&p.locations.table);
    eti__arena_free(&p.arena);
    eti__stacks_free(&stacks);
    return status;
}

const eti_writer eti__writer_pprof = {
    .name = "pprof",
    .summary = "stacks, for go tool pprof",
    .suffixes = "pb",
    .is_file = true,
    .takes = ETI_TAKES_SLICES,
    .write_report = write_pprof,
};
