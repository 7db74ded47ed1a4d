/*
 * An .npz file is a ZIP whose members are .npy files, stored:
 *
 *     file       member ... | directory entry ... | [zip64 end | where that is] | end
 * member     "PK\3\4" needed flags method time date 0 0 0 name_n extra_n | name | extra | bytes | "PK\7\10" crc32 size size
 *
 * The checksum and sizes of a member follow it, so that its elements are read once. Numbers that do not fit into 4 bytes are
 * replaced by all ones, and stored in an extra field (id 1). The extra field of a member also indicates that the sizes after
 * it have 8 bytes.
 */
#include "tensors/npy_write.h"
#include "tensors/tensor_files.h"

#define ZLIB_CONST
#include <stdlib.h>
#include <zlib.h>

#define NEEDED_ZIP64 45
#define NEEDED_PLAIN 20
#define FLAGS 0x0808    /* sizes follow, names are UTF-8 */
#define FIRST_DATE 0x21 /* 1 January 1980, so that the file depends only on the tensors */
#define ELSEWHERE UINT32_MAX

typedef struct zip_writer {
    eti_output *output;
    uint64_t n_written;
    eti_buffer directory;
    uint64_t n_members;
    uint8_t *piece;
} zip_writer;

static void add_le(eti_buffer *out, uint64_t number, size_t width) {
    for (size_t i = 0; i < width; i++)
        eti__buffer_add_char(out, (char)(number >> (8 * i)));
}

static void put(zip_writer *writer, const void *bytes, size_t n) {
    eti__output_add(writer->output, bytes, n);
    writer->n_written += n;
}

static void put_buffer(zip_writer *writer, const eti_buffer *buffer) {
    put(writer, buffer->data, buffer->size);
}

typedef struct zip_entry {
    eti_text name; /* without .npy */
    uint64_t place, size;
    uint32_t crc32;
} zip_entry;

static bool is_large(const zip_entry *entry) {
    return entry->size >= ELSEWHERE;
}

static void add_name(eti_buffer *out, eti_text name) {
    eti__buffer_add_text(out, name);
    eti__buffer_add_string(out, ".npy");
}

static void add_member_header(eti_buffer *out, const zip_entry *entry) {
    bool has_zip64 = is_large(entry);
    eti__buffer_add(out, "PK\3\4", 4);
    add_le(out, has_zip64 ? NEEDED_ZIP64 : NEEDED_PLAIN, 2);
    add_le(out, FLAGS, 2);
    add_le(out, 0, 4); /* stored; midnight */
    add_le(out, FIRST_DATE, 2);
    add_le(out, 0, 4);
    add_le(out, has_zip64 ? ELSEWHERE : 0, 4);
    add_le(out, has_zip64 ? ELSEWHERE : 0, 4);
    add_le(out, entry->name.size + 4, 2);
    add_le(out, has_zip64 ? 20 : 0, 2);
    add_name(out, entry->name);
    if (has_zip64) {
        add_le(out, 1, 2);
        add_le(out, 16, 2);
        add_le(out, 0, 8);
        add_le(out, 0, 8);
    }
}

static void add_member_end(eti_buffer *out, const zip_entry *entry) {
    size_t width = is_large(entry) ? 8 : 4;
    eti__buffer_add(out, "PK\7\10", 4);
    add_le(out, entry->crc32, 4);
    add_le(out, entry->size, width);
    add_le(out, entry->size, width);
}

static void add_directory_entry(eti_buffer *out, const zip_entry *entry) {
    bool is_far = entry->place >= ELSEWHERE, has_zip64 = is_large(entry) || is_far;
    uint64_t size = is_large(entry) ? ELSEWHERE : entry->size;
    eti__buffer_add(out, "PK\1\2", 4);
    add_le(out, NEEDED_ZIP64, 2); /* made by: MS-DOS, so that there are no file modes */
    add_le(out, has_zip64 ? NEEDED_ZIP64 : NEEDED_PLAIN, 2);
    add_le(out, FLAGS, 2);
    add_le(out, 0, 4);
    add_le(out, FIRST_DATE, 2);
    add_le(out, entry->crc32, 4);
    add_le(out, size, 4);
    add_le(out, size, 4);
    add_le(out, entry->name.size + 4, 2);
    add_le(out, has_zip64 ? 4u + (is_large(entry) ? 16u : 0u) + (is_far ? 8u : 0u) : 0u, 2);
    add_le(out, 0, 6); /* comment, disk, internal attributes */
    add_le(out, 0, 4);
    add_le(out, is_far ? ELSEWHERE : entry->place, 4);
    add_name(out, entry->name);
    if (has_zip64) {
        add_le(out, 1, 2);
        add_le(out, (is_large(entry) ? 16u : 0u) + (is_far ? 8u : 0u), 2);
        if (is_large(entry)) {
            add_le(out, entry->size, 8);
            add_le(out, entry->size, 8);
        }
        if (is_far)
            add_le(out, entry->place, 8);
    }
}

static void add_end(eti_buffer *out, uint64_t n, uint64_t size, uint64_t place) {
    bool has_zip64 = n >= UINT16_MAX || size >= ELSEWHERE || place >= ELSEWHERE;
    if (has_zip64) {
        eti__buffer_add(out, "PK\6\6", 4);
        add_le(out, 44, 8);
        add_le(out, NEEDED_ZIP64, 2);
        add_le(out, NEEDED_ZIP64, 2);
        add_le(out, 0, 8); /* one disk */
        add_le(out, n, 8);
        add_le(out, n, 8);
        add_le(out, size, 8);
        add_le(out, place, 8);
        eti__buffer_add(out, "PK\6\7", 4);
        add_le(out, 0, 4);
        add_le(out, place + size, 8);
        add_le(out, 1, 4);
    }
    eti__buffer_add(out, "PK\5\6", 4);
    add_le(out, 0, 4);
    add_le(out, n < UINT16_MAX ? n : UINT16_MAX, 2);
    add_le(out, n < UINT16_MAX ? n : UINT16_MAX, 2);
    add_le(out, size < ELSEWHERE ? size : ELSEWHERE, 4);
    add_le(out, place < ELSEWHERE ? place : ELSEWHERE, 4);
    add_le(out, 0, 2);
}

static void put_elements(zip_writer *writer, const eti_tensor_values *tensor, zip_entry *entry) {
    eti_row_major rows = eti__npy_rows(tensor);
    for (size_t n; !eti__output_failed(writer->output) &&
                   (n = eti__row_major_next(&rows, writer->piece)) > 0;) {
        entry->crc32 = (uint32_t)crc32_z(entry->crc32, writer->piece, n);
        put(writer, writer->piece, n);
    }
}

static eti_status put_member(zip_writer *writer, const eti_tensor_values *tensor, eti_buffer *bytes,
                             eti_error *err) {
    zip_entry entry = {.name = tensor->name, .place = writer->n_written};
    bytes->size = 0;
    ETI_TRY(eti__npy_add_header(bytes, tensor, err));
    entry.size = bytes->size + eti__npy_data_size(tensor);
    entry.crc32 = (uint32_t)crc32_z(0, (const uint8_t *)bytes->data, bytes->size);
    eti_buffer header = {0};
    add_member_header(&header, &entry);
    put_buffer(writer, &header);
    put_buffer(writer, bytes);
    put_elements(writer, tensor, &entry);
    header.size = 0;
    add_member_end(&header, &entry);
    put_buffer(writer, &header);
    add_directory_entry(&writer->directory, &entry);
    writer->n_members++;
    bool has_failed = header.failed || bytes->failed || writer->directory.failed;
    eti__buffer_free(&header);
    return has_failed ? eti_fail_memory(err) : ETI_OK;
}

static eti_status put_members(zip_writer *writer, const eti_tensor_values *tensors, size_t n,
                              eti_error *err) {
    eti_buffer bytes = {0};
    eti_status status = ETI_OK;
    for (size_t i = 0; i < n && status == ETI_OK && !eti__output_failed(writer->output); i++)
        status = put_member(writer, &tensors[i], &bytes, err);
    eti__buffer_free(&bytes);
    return status;
}

eti_status eti__npz_write(const eti_tensor_values *tensors, size_t n, eti_output *output,
                          eti_error *err) {
    zip_writer writer = {.output = output, .piece = malloc(ETI_NPY_PIECE_BYTES)};
    eti_status status = writer.piece ? put_members(&writer, tensors, n, err) : eti_fail_memory(err);
    if (status == ETI_OK) {
        eti_buffer *directory = &writer.directory;
        add_end(directory, writer.n_members, directory->size, writer.n_written);
        put_buffer(&writer, directory);
        status = directory->failed ? eti_fail_memory(err) : ETI_OK;
    }
    eti__buffer_free(&writer.directory);
    free(writer.piece);
    return status;
}
