/* Walks this library's reader beside the facts of the oracle; the first difference is reported. */
#include "etdump_comparison.h"

#include "base/files.h"
#include "flatbuf/flatbuf.h"
#include "read/etdump.h"
#include "read/read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct comparison {
    const eti_etdump *dump;
    const etdump_fact *facts; /* of the oracle */
    size_t n_facts;
    size_t n_compared;
    bool differs;
    char *why; /* 256 bytes */
} comparison;

static void describe(char out[100], const etdump_fact *fact) {
    static const char *const kinds[] = {"a table", "the end of", "no", "number", "text", "vector"};
    snprintf(out, 100, "%s %s %" PRIx64 " (%zu bytes)", kinds[fact->kind], fact->name, fact->bits,
             fact->text_size);
}

static bool is_same(const etdump_fact *a, const etdump_fact *b) {
    return a->kind == b->kind && strcmp(a->name, b->name) == 0 && a->bits == b->bits &&
           a->text_size == b->text_size &&
           (a->text_size == 0 || memcmp(a->text, b->text, a->text_size) == 0);
}

static void tell_difference(comparison *c, const etdump_fact *ours, const etdump_fact *theirs) {
    char found[100], expected[100];
    c->differs = true;
    describe(found, ours);
    describe(expected, theirs);
    snprintf(c->why, 256, "fact %zu: we say %s, the oracle %s", c->n_compared, found, expected);
}

/* Expects that this result is the oracle's next fact. */
static void compare(comparison *c, etdump_fact ours) {
    static const etdump_fact nothing = {ETDUMP_FACT_END, "everything", 0, NULL, 0};
    if (c->differs)
        return;
    const etdump_fact *theirs = c->n_compared < c->n_facts ? &c->facts[c->n_compared] : &nothing;
    c->n_compared++;
    if (!is_same(&ours, theirs))
        tell_difference(c, &ours, theirs);
}

static void plain(comparison *c, etdump_fact_kind kind, const char *name, uint64_t bits) {
    compare(c, (etdump_fact){kind, name, bits, NULL, 0});
}

static void number(comparison *c, const char *name, int64_t value) {
    plain(c, ETDUMP_FACT_NUMBER, name, (uint64_t)value);
}

static void text(comparison *c, const char *name, eti_text value) {
    if (value.data)
        compare(c,
                (etdump_fact){ETDUMP_FACT_TEXT, name, 0, (const uint8_t *)value.data, value.size});
    else
        plain(c, ETDUMP_FACT_ABSENT, name, 0);
}

/* ---- every field ------------------------------------------------------------------------------ */

static void compare_table(comparison *c, const char *name, const eti_table_schema *schema,
                          eti_position table);

static void compare_vector(comparison *c, const eti_field *field, eti_vector vector) {
    plain(c, ETDUMP_FACT_VECTOR, field->name, vector.count);
    for (uint32_t i = 0; i < vector.count && !c->differs; i++) {
        const eti_flatbuf *buffer = &c->dump->buffer;
        if (field->kind == ETI_FIELD_I64S)
            number(c, field->name, eti__flatbuf_vector_i64(buffer, vector, i));
        else
            compare_table(c, field->name, field->of.table,
                          eti__flatbuf_vector_table(buffer, vector, i));
    }
}

static int64_t float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static int64_t double_bits(double value) {
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void compare_field(comparison *c, const eti_field *field, eti_position table, unsigned id) {
    const eti_flatbuf *buffer = &c->dump->buffer;
    const char *name = field->name;
    switch (field->kind) {
    case ETI_FIELD_I8:
        number(c, name, eti__flatbuf_i8(buffer, table, id, 0));
        break;
    case ETI_FIELD_U8:
        number(c, name, eti__flatbuf_u8(buffer, table, id, 0));
        break;
    case ETI_FIELD_I32:
        number(c, name, eti__flatbuf_i32(buffer, table, id, 0));
        break;
    case ETI_FIELD_U32:
        number(c, name, eti__flatbuf_u32(buffer, table, id, 0));
        break;
    case ETI_FIELD_I64:
        number(c, name, eti__flatbuf_i64(buffer, table, id, 0));
        break;
    case ETI_FIELD_U64:
        number(c, name, (int64_t)eti__flatbuf_u64(buffer, table, id, 0));
        break;
    case ETI_FIELD_F32:
        number(c, name, float_bits(eti__flatbuf_f32(buffer, table, id, 0)));
        break;
    case ETI_FIELD_F64:
        number(c, name, double_bits(eti__flatbuf_f64(buffer, table, id, 0)));
        break;
    case ETI_FIELD_STRING:
    case ETI_FIELD_BYTES:
        text(c, name, eti__flatbuf_text(buffer, table, id));
        break;
    case ETI_FIELD_TABLE:
        compare_table(c, name, field->of.table, eti__flatbuf_table(buffer, table, id));
        break;
    default:
        compare_vector(c, field, eti__flatbuf_vector(buffer, table, id));
    }
}

static void compare_table(comparison *c, const char *name, const eti_table_schema *schema,
                          eti_position table) {
    plain(c, ETDUMP_FACT_TABLE, name, 0);
    for (unsigned id = 0; id < schema->n_fields && !c->differs; id++) {
        if (eti__flatbuf_has(&c->dump->buffer, table, id))
            compare_field(c, &schema->fields[id], table, id);
    }
    plain(c, ETDUMP_FACT_END, name, 0);
}

/* ---- events ----------------------------------------------------------------------------------- */

static void compare_tensor(comparison *c, eti_position position) {
    eti_etdump_tensor tensor = eti__etdump_read_tensor(c->dump, position);
    plain(c, ETDUMP_FACT_TABLE, "tensor", 0);
    number(c, "scalar_type", tensor.scalar_type);
    plain(c, tensor.has_sizes ? ETDUMP_FACT_VECTOR : ETDUMP_FACT_ABSENT, "sizes",
          tensor.sizes.count);
    for (uint32_t i = 0; i < tensor.sizes.count && !c->differs; i++)
        number(c, "size", eti__flatbuf_vector_i64(&c->dump->buffer, tensor.sizes, i));
    number(c, "offset", tensor.offset);
}

static void compare_content(comparison *c, const eti_etdump_value *value) {
    if (!value->has_content) {
        plain(c, ETDUMP_FACT_ABSENT, "content", 0);
        return;
    }
    switch (value->type) {
    case ETI_ETDUMP_VALUE_INT:
        number(c, "int", value->as_int);
        break;
    case ETI_ETDUMP_VALUE_BOOL:
        number(c, "bool", value->as_bool);
        break;
    case ETI_ETDUMP_VALUE_FLOAT:
    case ETI_ETDUMP_VALUE_DOUBLE:
        number(c, "double", double_bits(value->as_double));
        break;
    case ETI_ETDUMP_VALUE_TENSOR:
        compare_tensor(c, value->tensor);
        break;
    default:
        plain(c, ETDUMP_FACT_VECTOR, "tensors", value->tensors.count);
        for (uint32_t i = 0; i < value->tensors.count && !c->differs; i++)
            compare_tensor(c, eti__flatbuf_vector_table(&c->dump->buffer, value->tensors, i));
    }
}

static void compare_debug_value(comparison *c, const eti_etdump_event *event) {
    plain(c, event->debug_value ? ETDUMP_FACT_TABLE : ETDUMP_FACT_ABSENT, "debug_value", 0);
    number(c, "is_run_output", event->is_run_output);
    if (!event->debug_value)
        return;
    eti_etdump_value value = eti__etdump_read_value(c->dump, event->debug_value);
    number(c, "type", value.type);
    compare_content(c, &value);
}

static void compare_event(comparison *c, eti_position position) {
    eti_etdump_event event;
    eti__etdump_read_event(&event, c->dump, position);
    number(c, "kind", event.kind);
    if (event.kind == ETI_ETDUMP_PROFILE || event.kind == ETI_ETDUMP_DEBUG) {
        number(c, "instruction_id", event.key.instruction_id);
        number(c, "delegate_id_int", event.key.delegate_id_int);
        text(c, "delegate_id_str", event.key.delegate_id_str);
        number(c, "chain_index", (int64_t)event.key.chain_index);
        text(c, "name", event.name);
    }
    if (event.kind == ETI_ETDUMP_PROFILE) {
        eti_etdump_stamps stamps = eti__etdump_read_stamps(c->dump, position);
        text(c, "metadata", stamps.metadata.data ? stamps.metadata : (eti_text){"", 0});
        number(c, "start_time", (int64_t)stamps.start_time);
        number(c, "end_time", (int64_t)stamps.end_time);
    }
    if (event.has_debug_event)
        compare_debug_value(c, &event);
}

static void compare_run(comparison *c, uint32_t i) {
    eti_etdump_run run = eti__etdump_read_run(c->dump, i);
    text(c, "name", run.name);
    number(c, "bundled_input_index", run.bundled_input_index);
    plain(c, run.has_events ? ETDUMP_FACT_VECTOR : ETDUMP_FACT_ABSENT, "events", run.events.count);
    for (uint32_t k = 0; k < run.events.count && !c->differs; k++)
        compare_event(c, eti__etdump_event_position(c->dump, run.events, k));
}

/* ---- both readers ----------------------------------------------------------------------------- */

/* Expects that the oracle has no facts left. */
static bool ends_together(comparison *c) {
    if (!c->differs && c->n_compared < c->n_facts)
        plain(c, ETDUMP_FACT_END, "all that we read", 0);
    return !c->differs;
}

/* Reads again where the offset at the beginning leads. */
static eti_position find_root(const eti_flatbuf *buffer) {
    const uint8_t *bytes = buffer->data;
    return bytes[0] | (eti_position)bytes[1] << 8 | (eti_position)bytes[2] << 16 |
           (eti_position)bytes[3] << 24;
}

static bool fields_agree(const eti_etdump *dump, etdump_oracle *oracle, char *why) {
    comparison c = {.dump = dump, .why = why};
    c.facts = etdump_oracle_fields(oracle, &c.n_facts);
    compare_table(&c, "ETDump", eti__etdump_schema, find_root(&dump->buffer));
    return ends_together(&c);
}

static bool events_agree(const eti_etdump *dump, etdump_oracle *oracle, char *why) {
    comparison c = {.dump = dump, .why = why};
    c.facts = etdump_oracle_events(oracle, &c.n_facts);
    plain(&c, ETDUMP_FACT_VECTOR, "runs", dump->runs.count);
    for (uint32_t i = 0; i < dump->runs.count && !c.differs; i++)
        compare_run(&c, i);
    return ends_together(&c);
}

static etdump_agreement disagree(char *why, const char *what, const char *detail) {
    snprintf(why, 256, "%s: %.200s", what, detail);
    return ETDUMP_DISAGREE;
}

static etdump_agreement compare_verdicts(eti_status status, const eti_etdump *dump,
                                         const eti_error *err, etdump_oracle *oracle, char *why) {
    etdump_oracle_answer answer = etdump_oracle_verdict(oracle);
    unsigned stricter = etdump_oracle_stricter(oracle);
    if (status == ETI_ERROR_LIMIT || answer == ETDUMP_ORACLE_TOO_LARGE)
        return ETDUMP_NOT_COMPARED;
    if (status != ETI_OK && status != ETI_ERROR_MALFORMED)
        return disagree(why, "the verifier has no right to fail so", err->message);
    if (answer != ETDUMP_ORACLE_ACCEPTS)
        return status == ETI_OK ? disagree(why, "only we accept", "") : ETDUMP_BOTH_REFUSE;
    if (status != ETI_OK)
        return stricter ? ETDUMP_WE_ARE_STRICTER
                        : disagree(why, "only the oracle accepts", err->message);
    if (stricter)
        return disagree(why, "we accept what we mean to refuse", "");
    return fields_agree(dump, oracle, why) && events_agree(dump, oracle, why) ? ETDUMP_BOTH_ACCEPT
                                                                              : ETDUMP_DISAGREE;
}

etdump_agreement etdump_compare_with(etdump_oracle *oracle, const uint8_t *data, size_t size,
                                     char why[256]) {
    const struct eti_file file = {.name = (char *)(uintptr_t) "dump", .data = data, .size = size};
    eti_etdump dump;
    eti_error err = {0};
    why[0] = '\0';
    eti_status status = eti__etdump_open(&dump, &file, 1, &err);
    return compare_verdicts(status, &dump, &err, oracle, why);
}

etdump_agreement etdump_compare_readers(const uint8_t *data, size_t size, char why[256]) {
    why[0] = '\0';
    etdump_oracle *oracle = etdump_oracle_open(data, size);
    if (!oracle)
        return ETDUMP_NOT_COMPARED;
    etdump_agreement agreement = etdump_compare_with(oracle, data, size, why);
    etdump_oracle_close(oracle);
    return agreement;
}
