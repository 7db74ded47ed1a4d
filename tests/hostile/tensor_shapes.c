/*
 * tensor_shapes.c - files with which recorded tensors are compared, beside the ETDump and the debug buffer of a small run:
 * .npz, .npy, safetensors, bundled programs, and the archives of torch.save in an ETRecord.
 */
#include "record_builder.h"
#include "shapes.h"

#define ZLIB_CONST
#include <zlib.h>

#define N_FLOATS 16 /* bytes of a recorded tensor */
#define TENSOR_BYTES ((size_t)4 * N_FLOATS)

/* ---- the run --------------------------------------------------------------------------------- */

/* Adds kernels "k" of instructions 0 to n - 1, each of which records a tensor; the last one records the outputs of the
 * run. */
static void make_run(files *out, size_t n) {
    builder *b = &out->dump;
    places events = {0};
    b->vtables_shared = true;
    place name = put_string(b, "k");
    for (size_t i = 0; i < n; i++) {
        place value = TENSOR_VALUE(b, TENSOR(b, TYPE_FLOAT, i * TENSOR_BYTES, N_FLOATS));
        add_place(&events,
                  put_event(b, 0, 0, PUT_TABLE(b, (slot){0}, (slot){4, i, 0}, target_slot(value))));
        add_place(&events, PUT_TIMED(b, .name = name, .id = (int32_t)i, .start = 1, .end = 2));
    }
    place output = VALUE(b, .val = SOME(VAL_TENSOR),
                         .tensor = TENSOR(b, TYPE_FLOAT, (n - 1) * TENSOR_BYTES, N_FLOATS),
                         .output = put_bool(b, 1));
    add_place(&events, put_event(b, 0, 0, PUT_TABLE(b, (slot){0}, (slot){0}, target_slot(output))));
    finish_run(b, &events);
    for (size_t i = 0; i < n * TENSOR_BYTES; i++)
        eti__buffer_add_char(&out->debug, (char)(i % 60));
}

/* Returns the approximate size of n kernels in the dump and the debug buffer together. */
#define KERNEL_BYTES 200

static size_t kernels(size_t size) {
    return size / KERNEL_BYTES + 1;
}

/* ---- safetensors ----------------------------------------------------------------------------- */

static void add_le64(eti_buffer *out, uint64_t number) {
    for (int i = 0; i < 8; i++)
        eti__buffer_add_char(out, (char)(number >> 8 * i));
}

static void finish_safetensors(files *out, eti_buffer *header, size_t n_data) {
    add_le64(&out->reference, header->size);
    eti__buffer_add(&out->reference, header->data, header->size);
    for (size_t i = 0; i < n_data; i++)
        eti__buffer_add_char(&out->reference, (char)(i % 60));
    eti__buffer_free(header);
}

/* Writes as many tensors as the run has, with the names of saved ones. */
static void make_valid_reference(files *out, size_t size) {
    eti_buffer header = {0};
    size_t n = kernels(size / 2);
    make_run(out, n);
    for (size_t i = 0; i < n; i++)
        eti__buffer_printf(&header,
                           "%s\"Execute.0/%zu:k#0\":{\"dtype\":\"F32\",\"shape\":[%d],"
                           "\"data_offsets\":[%zu,%zu]}",
                           i ? "," : "{", i, N_FLOATS, i * TENSOR_BYTES, (i + 1) * TENSOR_BYTES);
    eti__buffer_add_char(&header, '}');
    finish_safetensors(out, &header, n * TENSOR_BYTES);
}

/* Tensors without elements, all of them outputs of one kernel. */
static void make_safetensors_outputs(files *out, size_t size) {
    eti_buffer header = {0};
    make_run(out, 2);
    for (size_t i = 0; i == 0 || header.size < size; i++)
        eti__buffer_printf(
            &header, "%s\"a.0/0:k#%zu\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}",
            i ? "," : "{", i);
    eti__buffer_add_char(&header, '}');
    finish_safetensors(out, &header, 0);
}

/* Does the same, with 64 dimensions each. */
static void make_safetensors_dimensions(files *out, size_t size) {
    eti_buffer header = {0};
    make_run(out, 2);
    for (size_t i = 0; i == 0 || header.size < size; i++) {
        eti__buffer_printf(&header, "%s\"%zu\":{\"dtype\":\"U8\",\"shape\":[0", i ? "," : "{", i);
        eti__buffer_add_repeated(&header, ",0", 63);
        eti__buffer_add_string(&header, "],\"data_offsets\":[0,0]}");
    }
    eti__buffer_add_char(&header, '}');
    finish_safetensors(out, &header, 0);
}

/* Unread data, nested as deep as it is long. */
static void make_safetensors_nested(files *out, size_t size) {
    eti_buffer header = {0};
    make_run(out, 2);
    eti__buffer_add_string(&header, "{\"__metadata__\":");
    eti__buffer_add_repeated(&header, "[", size);
    finish_safetensors(out, &header, 0);
}

static void make_safetensors_name(files *out, size_t size) {
    eti_buffer header = {0};
    make_run(out, kernels(size / 2));
    eti__buffer_add_string(&header, "{\"");
    eti__buffer_add_repeated(&header, "#", size / 2);
    eti__buffer_printf(&header, "\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}");
    finish_safetensors(out, &header, 4);
}

/* ---- .npz ------------------------------------------------------------------------------------ */

/* A ZIP being written: its members are already in the reference. */
typedef struct archive {
    eti_buffer directory;
    size_t n_members;
} archive;

typedef struct packed {
    bool is_deflated;
    uint64_t size; /* size claimed by the directory */
    uint32_t crc32;
    const char *bytes;
    size_t n_bytes;
    bool has_zip64; /* sizes are in an extra field */
} packed;

static void add_sizes(eti_buffer *out, const packed *member) {
    add_le(out, member->is_deflated ? 8 : 0, 2);
    add_le(out, 0, 2);
    add_le(out, 0x21, 2);
    add_le(out, member->crc32, 4);
    add_le(out, member->has_zip64 ? UINT32_MAX : (uint32_t)member->n_bytes, 4);
    add_le(out, member->has_zip64 ? UINT32_MAX : (uint32_t)member->size, 4);
}

static void add_extra(eti_buffer *out, const packed *member) {
    if (!member->has_zip64)
        return;
    add_le(out, 1, 2);
    add_le(out, 16, 2);
    add_le64(out, member->size);
    add_le64(out, member->n_bytes);
}

static void add_packed(files *out, archive *zip, const char *name, const packed *member) {
    uint32_t offset = (uint32_t)out->reference.size;
    uint32_t extra = member->has_zip64 ? 20 : 0;
    eti__buffer_add(&out->reference, "PK\3\4\55\0\0\0", 8);
    add_sizes(&out->reference, member);
    add_le(&out->reference, (uint32_t)strlen(name), 2);
    add_le(&out->reference, extra, 2);
    eti__buffer_add_string(&out->reference, name);
    add_extra(&out->reference, member);
    eti__buffer_add(&out->reference, member->bytes, member->n_bytes);
    eti__buffer_add(&zip->directory, "PK\1\2\55\0\55\0\0\0", 10);
    add_sizes(&zip->directory, member);
    add_le(&zip->directory, (uint32_t)strlen(name), 2);
    add_le(&zip->directory, extra, 2);
    add_le(&zip->directory, 0, 4); /* comment, disk */
    add_le(&zip->directory, 0, 4);
    add_le(&zip->directory, 0, 2);
    add_le(&zip->directory, offset, 4);
    eti__buffer_add_string(&zip->directory, name);
    add_extra(&zip->directory, member);
    zip->n_members++;
}

static void finish_archive(files *out, archive *zip) {
    uint32_t offset = (uint32_t)out->reference.size;
    uint32_t n = zip->n_members < UINT16_MAX ? (uint32_t)zip->n_members : UINT16_MAX;
    eti__buffer_add(&out->reference, zip->directory.data, zip->directory.size);
    eti__buffer_add(&out->reference, "PK\5\6\0\0\0\0", 8);
    add_le(&out->reference, n, 2);
    add_le(&out->reference, n, 2);
    add_le(&out->reference, (uint32_t)zip->directory.size, 4);
    add_le(&out->reference, offset, 4);
    add_le(&out->reference, 0, 2);
    eti__buffer_free(&zip->directory);
}

static void add_npy_header(eti_buffer *out, uint64_t n_floats, size_t n_spaces) {
    eti_buffer dict = {0};
    eti__buffer_printf(&dict, "{'descr': '<f4', 'fortran_order': False, 'shape': (%llu,), }",
                       (unsigned long long)n_floats);
    eti__buffer_add_repeated(&dict, " ", n_spaces);
    eti__buffer_add(out, "\x93NUMPY\1\0", 8);
    add_le(out, (uint32_t)dict.size, 2);
    eti__buffer_add(out, dict.data, dict.size);
    eti__buffer_free(&dict);
}

static void add_stored(files *out, archive *zip, const char *name, const eti_buffer *bytes) {
    const packed member = {.size = bytes->size,
                           .crc32 = crc32_of(bytes->data, bytes->size),
                           .bytes = bytes->data,
                           .n_bytes = bytes->size};
    add_packed(out, zip, name, &member);
}

static void add_deflated(files *out, archive *zip, const char *name, const eti_buffer *bytes) {
    uLong room = compressBound((uLong)bytes->size) + 64;
    char *packed_bytes = malloc(room);
    z_stream z = {.next_in = (const Bytef *)bytes->data, .avail_in = (uInt)bytes->size};
    if (!packed_bytes || deflateInit2(&z, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        abort();
    z.next_out = (Bytef *)packed_bytes;
    z.avail_out = (uInt)room;
    if (deflate(&z, Z_FINISH) != Z_STREAM_END)
        abort();
    const packed member = {.is_deflated = true,
                           .size = bytes->size,
                           .crc32 = crc32_of(bytes->data, bytes->size),
                           .bytes = packed_bytes,
                           .n_bytes = z.total_out};
    add_packed(out, zip, name, &member);
    deflateEnd(&z);
    free(packed_bytes);
}

static const char *member_name(char text[64], size_t i) {
    snprintf(text, 64, "Execute.0/%zu:k#0.npy", i);
    return text;
}

/* A million small arrays are more expensive than their bytes. */
static void make_npz_arrays(files *out, size_t size) {
    archive zip = {.n_members = 0};
    eti_buffer bytes = {0};
    char name[64];
    make_run(out, kernels(size / 4));
    add_npy_header(&bytes, 0, 0);
    for (size_t i = 0; out->reference.size + zip.directory.size < size * 3 / 4; i++)
        add_stored(out, &zip, member_name(name, i), &bytes);
    finish_archive(out, &zip);
    eti__buffer_free(&bytes);
}

/* Headers of blanks, all of which are inflated. */
static void make_npz_headers(files *out, size_t size) {
    archive zip = {.n_members = 0};
    eti_buffer bytes = {0};
    char name[64];
    make_run(out, kernels(size / 4));
    add_npy_header(&bytes, N_FLOATS, 9000);
    eti__buffer_add_repeated(&bytes, "z", TENSOR_BYTES);
    for (size_t i = 0; out->reference.size + zip.directory.size < size * 3 / 4; i++)
        add_deflated(out, &zip, member_name(name, i), &bytes);
    finish_archive(out, &zip);
    eti__buffer_free(&bytes);
}

/* Arrays that inflate to a thousand times their size, each as large as the debug buffer, as are all recorded tensors. */
static void make_npz_bombs(files *out, size_t size) {
    builder *b = &out->dump;
    archive zip = {.n_members = 0};
    places events = {0};
    eti_buffer bytes = {0};
    char name[64];
    size_t n_floats = size / 8 + 1, n = 12;
    b->vtables_shared = true;
    place k = put_string(b, "k");
    add_npy_header(&bytes, n_floats, 0);
    for (size_t i = 0; i < 4 * n_floats; i++)
        eti__buffer_add_char(&bytes, '\0');
    for (size_t i = 0; i < n; i++) {
        place value = TENSOR_VALUE(b, TENSOR(b, TYPE_FLOAT, 0, (int64_t)n_floats));
        add_place(&events,
                  put_event(b, 0, 0, PUT_TABLE(b, (slot){0}, (slot){4, i, 0}, target_slot(value))));
        add_place(&events, PUT_TIMED(b, .name = k, .id = (int32_t)i, .start = 1, .end = 2));
        add_deflated(out, &zip, member_name(name, i), &bytes);
    }
    finish_run(b, &events);
    finish_archive(out, &zip);
    eti__buffer_add(&out->debug, bytes.data, 4 * n_floats);
    eti__buffer_free(&bytes);
}

/* Sizes of 2^62 bytes in an extra field. */
static void make_npz_zip64(files *out, size_t size) {
    archive zip = {.n_members = 0};
    eti_buffer bytes = {0};
    char name[64];
    make_run(out, kernels(size));
    add_npy_header(&bytes, (uint64_t)1 << 60, 0);
    const packed member = {.is_deflated = true,
                           .size = ((uint64_t)1 << 62) + bytes.size,
                           .bytes = "\x63\0",
                           .n_bytes = 2,
                           .has_zip64 = true};
    const packed stored = {.size = ((uint64_t)1 << 62) + bytes.size,
                           .bytes = bytes.data,
                           .n_bytes = bytes.size,
                           .has_zip64 = true};
    add_packed(out, &zip, member_name(name, 0), size % 2 ? &member : &stored);
    finish_archive(out, &zip);
    eti__buffer_free(&bytes);
}

/* ---- bundled programs ------------------------------------------------------------------------ */

/* Writes a bundle whose suites, cases and values are all the same one; without `has_tensor` values differ and have no
 * content. The larger the program of `n_bytes` is, the more may be shared. */
static void make_bundle(files *out, size_t n_bytes, size_t n_suites, size_t n_cases,
                        size_t n_values, bool has_tensor) {
    builder *b = &out->program;
    static const char floats[TENSOR_BYTES];
    places list = {0};
    b->vtables_shared = true;
    place data = put_bytes(b, floats, sizeof floats), order = put_bytes(b, "\0", 1);
    put_number(b, N_FLOATS, 4);
    put_number(b, 1, 4);
    place sizes = here(b);
    place tensor = PUT_TABLE(b, (slot){1, TYPE_FLOAT, 0}, target_slot(sizes), target_slot(data),
                             target_slot(order));
    place value = PUT_TABLE(b, (slot){1, 1, 0}, target_slot(tensor));
    while (list.n < n_values)
        add_place(&list, has_tensor ? value : PUT_TABLE(b, (slot){0}));
    place one = PUT_TABLE(b, (slot){0}, target_slot(put_places(b, &list)));
    while (list.n < n_cases)
        add_place(&list, one);
    place cases = put_places(b, &list), name = put_string(b, "forward");
    place suite = PUT_TABLE(b, target_slot(name), target_slot(cases));
    while (list.n < n_suites)
        add_place(&list, suite);
    place suites = put_places(b, &list);
    place program = put_filled_string(b, 'x', n_bytes);
    finish_as(b, PUT_TABLE(b, (slot){4, 2, 0}, target_slot(suites), target_slot(program)), "BP08",
              false);
    eti__buffer_add(&out->reference, b->file.data, b->file.size);
    builder_free(b);
    *b = (builder){.bytes = NULL};
}

static void make_bundle_outputs(files *out, size_t size) {
    make_run(out, 2);
    make_bundle(out, size / 2, 1, 1, size / 64, true);
}

static void make_bundle_cases(files *out, size_t size) {
    make_run(out, 2);
    make_bundle(out, size / 2, 1, size / 80, 1, true);
}

static void make_bundle_shared(files *out, size_t size) {
    make_run(out, 2);
    make_bundle(out, 1, size / 16, size / 16, size / 16, true);
}

/* All runs lack all outputs except one. */
static void make_bundle_runs(files *out, size_t size) {
    builder *b = &out->dump;
    places runs = {0};
    b->vtables_shared = true;
    place output = VALUE(b, .val = SOME(VAL_TENSOR), .tensor = TENSOR(b, TYPE_FLOAT, 0, N_FLOATS),
                         .output = put_bool(b, 1));
    place event = put_event(b, 0, 0, PUT_TABLE(b, (slot){0}, (slot){0}, target_slot(output)));
    place name = put_string(b, "Execute"), events = put_tables(b, &event, 1);
    while (b->size + 4 * runs.n < size / 8)
        add_place(&runs, put_run_at(b, name, events));
    pad_dump(b, size / 2);
    finish_runs(b, &runs);
    eti__buffer_add_repeated(&out->debug, "z", TENSOR_BYTES);
    make_bundle(out, 1, 1, 1, size / 40, false);
}

/* ---- torch.save ------------------------------------------------------------------------------ */

/* Makes an ETRecord whose reference outputs are this pickle, with 64 bytes of storage. */
static void finish_outputs(files *out, const eti_buffer *pickle) {
    record_builder zip = {0};
    char storage[TENSOR_BYTES] = {0};
    make_run(out, 2);
    add_sized_member(&zip, "a/data.pkl", pickle->data, pickle->size);
    add_sized_member(&zip, "a/data/0", storage, sizeof storage);
    finish_record(&zip);
    (void)start_member(out, "ETRECORD_V0", false);
    eti__buffer_add(start_member(out, "reference_outputs", false), zip.file.data, zip.file.size);
    free_record(&zip);
}

#define ADD(pickle, bytes) eti__buffer_add((pickle), bytes, sizeof(bytes) - 1)
#define OUTPUTS "\x80\2}X\7\0\0\0forward]]"
#define END_OF_OUTPUTS "aas."

/* Values without any meaning, as many as there are bytes. */
static void make_pickle_values(files *out, size_t size) {
    eti_buffer pickle = {0};
    ADD(&pickle, OUTPUTS "(");
    eti__buffer_add_repeated(&pickle, "N", size);
    ADD(&pickle, "eas.");
    finish_outputs(out, &pickle);
    eti__buffer_free(&pickle);
}

/* Lists that contain the previous one twice. */
static void make_pickle_shared(files *out, size_t size) {
    eti_buffer pickle = {0};
    ADD(&pickle, OUTPUTS "N");
    for (size_t i = 0; i < 60 && pickle.size < size + 64; i++)
        ADD(&pickle, "q\1h\1\x86");
    ADD(&pickle, END_OF_OUTPUTS);
    finish_outputs(out, &pickle);
    eti__buffer_free(&pickle);
}

static void make_pickle_nested(files *out, size_t size) {
    eti_buffer pickle = {0};
    ADD(&pickle, OUTPUTS "N");
    eti__buffer_add_repeated(&pickle, "\x85", size);
    ADD(&pickle, END_OF_OUTPUTS);
    finish_outputs(out, &pickle);
    eti__buffer_free(&pickle);
}

/* Numbers in the memo are large. */
static void make_pickle_memo(files *out, size_t size) {
    eti_buffer pickle = {0};
    ADD(&pickle, OUTPUTS "N");
    for (size_t i = 0; pickle.size < size; i++)
        ADD(&pickle, "r\377\377\377\177");
    ADD(&pickle, END_OF_OUTPUTS);
    finish_outputs(out, &pickle);
    eti__buffer_free(&pickle);
}

#define A_TENSOR                                                                                   \
    "ctorch._utils\n_rebuild_tensor_v2\n((X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0000X\3\0" \
    "\0\0cpuK\20tQ"

/* Tensors that repeat one element: strides of 0. */
static void make_pickle_strides(files *out, size_t size) {
    eti_buffer pickle = {0};
    ADD(&pickle, OUTPUTS A_TENSOR "K\0J\0\0\0\1\x85K\0\x85\211NtRq\1");
    while (pickle.size < size)
        ADD(&pickle, "ah\1");
    ADD(&pickle, END_OF_OUTPUTS);
    finish_outputs(out, &pickle);
    eti__buffer_free(&pickle);
}

/* Code that torch.load() would run. */
static void make_pickle_call(files *out, size_t size) {
    eti_buffer pickle = {0};
    ADD(&pickle, OUTPUTS "cposix\nsystem\n(X");
    add_le(&pickle, (uint32_t)size, 4);
    eti__buffer_add_repeated(&pickle, ">", size);
    ADD(&pickle, "tR" END_OF_OUTPUTS);
    finish_outputs(out, &pickle);
    eti__buffer_free(&pickle);
}

/* ---- all ------------------------------------------------------------------------------------- */

const shape tensor_shapes[] = {
    {"valid_reference", make_valid_reference, "valid_reference", "0"},
    {"safetensors_outputs", make_safetensors_outputs, "valid_reference", "0"},
    {"safetensors_dimensions", make_safetensors_dimensions, "valid_reference", "6"},
    {"safetensors_nested", make_safetensors_nested, "valid_reference", "3"},
    {"safetensors_name", make_safetensors_name, "valid_reference", "6"},
    {"npz_arrays", make_npz_arrays, "valid_reference", "0"},
    {"npz_headers", make_npz_headers, "valid_reference", "0 3"},
    {"npz_bombs", make_npz_bombs, "valid_reference", "0 3"},
    {"npz_zip64", make_npz_zip64, "valid_reference", "3"},
    {"bundle_outputs", make_bundle_outputs, "valid_reference", "0"},
    {"bundle_cases", make_bundle_cases, "valid_reference", "0 2 3"},
    {"bundle_shared", make_bundle_shared, "valid_reference", "3"},
    {"bundle_runs", make_bundle_runs, "valid_reference", "3 6"},
    {"pickle_values", make_pickle_values, "valid_reference", "0 3"},
    {"pickle_shared", make_pickle_shared, "valid_reference", "3"},
    {"pickle_nested", make_pickle_nested, "valid_reference", "3"},
    {"pickle_memo", make_pickle_memo, "valid_reference", "3"},
    {"pickle_strides", make_pickle_strides, "valid_reference", "3"},
    {"pickle_call", make_pickle_call, "valid_reference", "3"},
    {NULL, NULL, NULL, NULL},
};
