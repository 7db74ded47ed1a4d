/*
 * fuzz_etdump.c - the input is an ETDump, for its reader alone. Every value in it is read, and then again by FlatBuffers'
 * own library: both must accept it, with the same values, or reject it, except for the reasons listed in
 * tests/oracle/etdump_oracle.h. Several threads must agree with one.
 */
#include "../oracle/etdump_comparison.h"

#include "fuzz.h"

static void read_tensor(const eti_etdump *dump, eti_position position) {
    eti_etdump_tensor tensor = eti__etdump_read_tensor(dump, position);
    for (uint32_t i = 0; i < tensor.sizes.count; i++)
        fuzz_sum += (uint64_t)eti__flatbuf_vector_i64(&dump->buffer, tensor.sizes, i);
    fuzz_sum += (uint64_t)tensor.offset;
}

static void read_value(const eti_etdump *dump, eti_position position) {
    eti_etdump_value value = eti__etdump_read_value(dump, position);
    if (value.tensor)
        read_tensor(dump, value.tensor);
    for (uint32_t i = 0; i < value.tensors.count; i++)
        read_tensor(dump, eti__flatbuf_vector_table(&dump->buffer, value.tensors, i));
    fuzz_sum += (uint64_t)value.as_int;
}

static void read_event(const eti_etdump *dump, eti_position position) {
    eti_etdump_event event;
    eti__etdump_read_event(&event, dump, position);
    fuzz_touch(event.name);
    fuzz_touch(event.key.delegate_id_str);
    FUZZ_EXPECT(eti__etdump_events_alike(dump, position, dump, position));
    if (event.kind == ETI_ETDUMP_PROFILE)
        fuzz_touch(eti__etdump_read_stamps(dump, position).metadata);
    if (event.debug_value)
        read_value(dump, event.debug_value);
}

static void read_run(const eti_etdump *dump, uint32_t i) {
    eti_etdump_run run = eti__etdump_read_run(dump, i);
    fuzz_touch(run.name);
    for (uint32_t event = 0; event < run.events.count; event++)
        read_event(dump, eti__etdump_event_position(dump, run.events, event));
}

static void ask_the_oracle(const uint8_t *data, size_t size) {
    char why[256];
    bool agree = etdump_compare_readers(data, size, why) != ETDUMP_DISAGREE;
    if (!agree)
        fprintf(stderr, "%s\n", why);
    FUZZ_EXPECT(agree);
}

/* Any number of threads must give the same verdict on the dump as one. */
static void expect_same_with_threads(const struct eti_file *file, eti_status status,
                                     const eti_error *err) {
    eti_etdump dump;
    eti_error other = ETI_ERROR_INIT;
    FUZZ_EXPECT(eti__etdump_open(&dump, file, 3, &other) == status);
    FUZZ_EXPECT(status == ETI_OK || strcmp(err->message, other.message) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    eti_source source = {"fuzz.etdp", data ? data : (const uint8_t *)"", size};
    struct eti_file file;
    eti_etdump dump;
    eti_error err = ETI_ERROR_INIT;
    FUZZ_EXPECT(eti__file_open_source(&file, &source, NULL) == ETI_OK);
    eti_status status = eti__etdump_open(&dump, &file, 1, &err);
    if (size % 8 == 0) /* starting threads takes the most time */
        expect_same_with_threads(&file, status, &err);
    if (status != ETI_OK)
        fuzz_expect_error(status, &err);
    for (uint32_t run = 0; status == ETI_OK && run < dump.runs.count; run++)
        read_run(&dump, run);
    eti_dump_note note;
    eti__dump_note_read(&note, source.data, size);
    fuzz_touch(note.json);
    FUZZ_EXPECT(!note.is_present || note.fault[0] == '\0');
    ask_the_oracle(source.data, size);
    eti__file_release(&file);
    return 0;
}
