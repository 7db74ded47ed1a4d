#include "read/runner_log.h"

#include "base/array.h"
#include "base/status.h"
#include "read/kind.h"
#include "read/read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define BEGIN ETI_LOG_MARK
#define END "#[END]"
#define ECHO "echo \""
#define DEBUG_BUFFER "debug_buffer"
#define CHECK "# etcapture "

#define NO_DIGIT 0xff
#define MOST_PREFIX 256 /* bytes that a logger may put before each line */
#define MAX_TARGET 64 /* bytes after the base64 that are searched for the name of the target file */

static const char *find(const char *from, const char *end, const char *text) {
    return memmem(from, (size_t)(end - from), text, strlen(text));
}

/* State of reading a log. */
typedef struct log_reader {
    eti_runner_log *out;
    const char *name;   /* of the log */
    const char *start;  /* of the log */
    const char *line;   /* up to here, lines were counted */
    size_t line_number; /* number of that line, from 1 on */
    uint64_t lost;      /* events that the device had lost at its last print */
    size_t full_line; /* line on which the device said that its memory was too small; 0: nowhere */
    uint64_t full_lost, full_bytes, full_needed;
} log_reader;

/* Returns the line of a place; places must be given in the order of the log. */
static size_t line_of(log_reader *reader, const char *place) {
    for (; reader->line < place; reader->line++)
        reader->line_number += *reader->line == '\n';
    return reader->line_number;
}

/* ---- base64 ---------------------------------------------------------------------------------- */

static bool is_space(char c) {
    return c == '\n' || c == '\r' || c == ' ' || c == '\t';
}

static unsigned digit(char c) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = c ? strchr(digits, c) : NULL;
    return found ? (unsigned)(found - digits) : NO_DIGIT;
}

static const char *skip_spaces(const char *at, const char *end) {
    while (at < end && *at == ' ')
        at++;
    return at;
}

static const char *skip_digits(const char *at, const char *end) {
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return at;
}

/* Returns what a logger put before the command at `echo`, such as "11-28 20:10:01.123  4242  4243 I ExecuTorch: "; empty if it
 * ends with a digit of base64, because nothing separates it from the base64 of later lines. */
static eti_text find_prefix(const log_reader *reader, const char *echo) {
    const char *at = echo;
    while (at > reader->start && at[-1] != '\n' && echo - at <= MOST_PREFIX)
        at--;
    if (at == echo || echo - at > MOST_PREFIX || digit(echo[-1]) != NO_DIGIT)
        return (eti_text){echo, 0};
    return (eti_text){at, (size_t)(echo - at)};
}

/* Skips the prefix of a line that continues the base64. It differs from that of the first line only in numbers and in the
 * spaces before them. A line without it is base64 from its start on. */
static const char *skip_prefix(eti_text prefix, const char *line, const char *end) {
    const char *at = line, *model = prefix.data, *model_end = model + prefix.size;
    while (model < model_end) {
        const char *number = skip_spaces(model, model_end);
        const char *number_end = skip_digits(number, model_end), *digits = skip_spaces(at, end);
        if (number_end > number) {
            at = skip_digits(digits, end);
            if (at == digits)
                return line;
            model = number_end;
        } else if (number > model) {
            if (digits == at)
                return line;
            at = digits;
            model = number;
        } else {
            if (at == end || *at++ != *model++)
                return line;
        }
    }
    return at;
}

/* Decodes [from, end) into `out`, which has room for three bytes per four characters; each line after the first may begin
 * with a prefix. Returns NULL on success, or else the wrong character; `end` if something is missing. */
static const char *decode(const char *from, const char *end, eti_text prefix, uint8_t *out,
                          size_t *size) {
    uint32_t bits = 0;
    unsigned n_digits = 0, n_padding = 0;
    *size = 0;
    for (const char *at = from; at < end; at++) {
        if (is_space(*at)) {
            if (*at == '\n')
                at = skip_prefix(prefix, at + 1, end) - 1;
            continue;
        }
        unsigned value = *at == '=' ? 0 : digit(*at);
        n_padding += *at == '=';
        if (value == NO_DIGIT || n_padding > 2 || (n_padding > 0 && *at != '='))
            return at;
        bits = bits << 6 | value;
        if (++n_digits % 4 != 0)
            continue;
        out[(*size)++] = (uint8_t)(bits >> 16);
        out[(*size)++] = (uint8_t)(bits >> 8);
        out[(*size)++] = (uint8_t)bits;
    }
    if (n_digits % 4 != 0 || n_padding > *size)
        return end;
    *size -= n_padding;
    return NULL;
}

static eti_status fail_base64(log_reader *reader, const char *wrong, const char *end,
                              eti_error *err) {
    size_t line = line_of(reader, wrong);
    if (wrong == end)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "%s: line %zu: characters of the base64 are missing: was the log captured "
                        "without losses?",
                        reader->name, line);
    return eti_fail(err, ETI_ERROR_MALFORMED,
                    "%s: line %zu: expected base64, found byte 0x%02x: was the log captured "
                    "without losses and without other output in it?",
                    reader->name, line, (unsigned)(unsigned char)*wrong);
}

/* ---- printed files --------------------------------------------------------------------------- */

/* Returns whether the text goes to a debug buffer: | base64 -d >debug_buffer.bin */
static bool is_debug_buffer(const char *behind, const char *end) {
    const char *limit = end - behind > MAX_TARGET ? behind + MAX_TARGET : end;
    const char *line_end = memchr(behind, '\n', (size_t)(limit - behind));
    return find(behind, line_end ? line_end : limit, DEBUG_BUFFER) != NULL;
}

/* Makes a file from the base64 in [from, end). */
static eti_status make_file(struct eti_file *out, log_reader *reader, const char *from,
                            const char *end, eti_error *err) {
    char name[4096 + 32];
    snprintf(name, sizeof name, "%.4096s, line %zu", reader->name, line_of(reader, from));
    eti_source source = {name, "", 0};
    ETI_TRY(eti__file_open_source(out, &source, err));
    uint8_t *bytes = malloc((size_t)(end - from) / 4 * 3 + 3);
    size_t size = 0;
    const eti_text prefix = find_prefix(reader, from - strlen(ECHO));
    const char *wrong = bytes ? decode(from, end, prefix, bytes, &size) : NULL;
    if (bytes && !wrong) {
        eti__file_replace(out, bytes, size);
        out->packing = ETI_FROM_LOG;
        return ETI_OK;
    }
    free(bytes);
    eti__file_release(out);
    return wrong ? fail_base64(reader, wrong, end, err) : eti_fail_memory(err);
}

static eti_status add_file(log_reader *reader, const char *from, const char *end,
                           const char *place_end, eti_error *err) {
    eti_runner_log *out = reader->out;
    if (is_debug_buffer(end, place_end)) {
        if (!ETI_GROW(out->debug_buffers, out->debug_buffer_capacity, out->n_debug_buffers + 1))
            return eti_fail_memory(err);
        ETI_TRY(make_file(&out->debug_buffers[out->n_debug_buffers], reader, from, end, err));
        out->n_debug_buffers++;
        return ETI_OK;
    }
    if (!ETI_GROW(out->dumps, out->dump_capacity, out->n_dumps + 1))
        return eti_fail_memory(err);
    struct eti_file *dump = &out->dumps[out->n_dumps];
    ETI_TRY(make_file(dump, reader, from, end, err));
    dump->kind = eti_file_kind_of(dump->data, dump->size);
    out->n_dumps++;
    return ETI_OK;
}

/* ---- checks of printed files ----------------------------------------------------------------- */

/* Reads a part of libetcapture's line: `name` and a number in the given base. Returns the rest of the line; NULL if it is
 * damaged. */
static const char *read_number(const char *at, const char *end, const char *name, unsigned base,
                               uint64_t *out) {
    size_t size = strlen(name);
    if ((size_t)(end - at) < size || memcmp(at, name, size) != 0)
        return NULL;
    at += size;
    const char *first = at;
    *out = 0;
    for (; at < end; at++) {
        static const char digits[] = "0123456789abcdef";
        const char *found = memchr(digits, *at, base);
        if (!found)
            break;
        uint64_t value = (uint64_t)(found - digits);
        if (*out > (UINT64_MAX - value) / base)
            return NULL;
        *out = *out * base + value;
    }
    return at > first ? at : NULL;
}

/* A received file, and its size and checksum according to the device. */
typedef struct printed_file {
    const char *what;
    const struct eti_file *file; /* NULL: no file was received */
    uint64_t size, crc;
} printed_file;

static eti_status compare(const log_reader *reader, size_t line, const printed_file *printed,
                          eti_error *err) {
    size_t size = printed->file ? printed->file->size : 0;
    if (size != printed->size)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "%s: line %zu: the device printed %" PRIu64
                        " bytes of the %s, and %zu arrived: was the log captured without losses?",
                        reader->name, line, printed->size, printed->what, size);
    uint32_t crc = size ? (uint32_t)crc32_z(0, printed->file->data, size) : 0;
    if (crc != printed->crc)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "%s: line %zu: the %s differs from the one printed by the device: its "
                        "CRC-32 is %08" PRIx32 ", expected %08" PRIx64
                        ": was the log captured without errors?",
                        reader->name, line, printed->what, crc, printed->crc);
    return ETI_OK;
}

/* Adds the events lost since the last print. The number that a device prints grows until the device starts again. */
static void add_losses(log_reader *reader, uint64_t lost) {
    reader->out->n_events_lost += lost < reader->lost ? lost : lost - reader->lost;
    reader->lost = lost;
}

/* Reads what a device prints in place of an ETDump if its memory was too small for each run:
 *
 *     # etcapture full lost=90 bytes=1024 needed=3904
 */
static eti_status read_full(log_reader *reader, const char *at, const char *end, size_t line,
                            eti_error *err) {
    if (!(at = read_number(at, end, "full lost=", 10, &reader->full_lost)) ||
        !(at = read_number(at, end, " bytes=", 10, &reader->full_bytes)) ||
        !(at = read_number(at, end, " needed=", 10, &reader->full_needed)) ||
        (at < end && !is_space(*at)))
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "%s: line %zu: the line about the memory of the device is damaged: was the "
                        "log captured without losses?",
                        reader->name, line);
    reader->full_line = line;
    add_losses(reader, reader->full_lost);
    return ETI_OK;
}

/* Compares the last files received with the line of libetcapture, if the place has one:
 *
 *     # etcapture bytes=12345 crc32=89abcdef lost=0 debug_bytes=70 debug_crc32=01234567
 */
static eti_status check_place(log_reader *reader, const char *at, const char *end,
                              const struct eti_file *dump, const struct eti_file *buffer,
                              eti_error *err) {
    const char *found = find(at, end, CHECK);
    if (!found)
        return ETI_OK;
    size_t line = line_of(reader, found);
    printed_file dump_printed = {.what = "ETDump", .file = dump};
    printed_file buffer_printed = {.what = "debug buffer", .file = buffer};
    uint64_t lost = 0;
    at = found + strlen(CHECK);
    if (at < end && *at == 'f')
        return read_full(reader, at, end, line, err);
    if ((at = read_number(at, end, "bytes=", 10, &dump_printed.size)) &&
        (at = read_number(at, end, " crc32=", 16, &dump_printed.crc)))
        at = read_number(at, end, " lost=", 10, &lost);
    if (at && at < end && *at == ' ' &&
        (at = read_number(at, end, " debug_bytes=", 10, &buffer_printed.size)))
        at = read_number(at, end, " debug_crc32=", 16, &buffer_printed.crc);
    if (!at || (at < end && !is_space(*at)))
        return eti_fail(
            err, ETI_ERROR_MALFORMED,
            "%s: line %zu: the line with the size and the CRC-32 of the ETDump is damaged: "
            "was the log captured without losses?",
            reader->name, line);
    ETI_TRY(compare(reader, line, &dump_printed, err));
    ETI_TRY(compare(reader, line, &buffer_printed, err));
    add_losses(reader, lost);
    return ETI_OK;
}

/* Reads the commands from `*place` on, up to the end of their place in the log. */
static eti_status read_commands(log_reader *reader, const char **place, const char *end,
                                eti_error *err) {
    const char *at = *place;
    const char *echo;
    while ((echo = find(at, end, ECHO))) {
        const char *first = echo + strlen(ECHO);
        const char *quote = memchr(first, '"', (size_t)(end - first));
        if (!quote)
            return eti_fail(err, ETI_ERROR_MALFORMED,
                            "%s: line %zu: the log ends within the base64 of an ETDump: capture it "
                            "until " END,
                            reader->name, line_of(reader, first));
        ETI_TRY(add_file(reader, first, quote, end, err));
        at = quote + 1;
    }
    *place = at;
    return ETI_OK;
}

static eti_status read_place(log_reader *reader, const char *at, const char *end, eti_error *err) {
    eti_runner_log *out = reader->out;
    size_t n_dumps = out->n_dumps, n_buffers = out->n_debug_buffers;
    ETI_TRY(read_commands(reader, &at, end, err));
    const struct eti_file *dump = out->n_dumps > n_dumps ? &out->dumps[out->n_dumps - 1] : NULL;
    const struct eti_file *buffer =
        out->n_debug_buffers > n_buffers ? &out->debug_buffers[out->n_debug_buffers - 1] : NULL;
    return check_place(reader, at, end, dump, buffer, err);
}

static eti_status read_log(log_reader *reader, const char *text, size_t size, eti_error *err) {
    const char *end = text + size;
    for (const char *at = text; (at = find(at, end, BEGIN));) {
        at += strlen(BEGIN);
        const char *next = find(at, end, BEGIN), *limit = next ? next : end;
        const char *stop = find(at, limit, END);
        ETI_TRY(read_place(reader, at, stop ? stop : limit, err));
        at = limit;
    }
    if (reader->out->n_dumps + reader->out->n_debug_buffers == 0 && reader->full_line)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "%s: line %zu: the device had too little memory: it lost %" PRIu64
                        " events, and no run is complete; give its capture at least %" PRIu64
                        " bytes instead of %" PRIu64 ", or record fewer events",
                        reader->name, reader->full_line, reader->full_lost, reader->full_needed,
                        reader->full_bytes);
    if (reader->out->n_dumps + reader->out->n_debug_buffers == 0)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "%s: the log of a runner (" BEGIN ") in which no ETDump was printed",
                        reader->name);
    return ETI_OK;
}

eti_status eti__runner_log_read(eti_runner_log *out, const struct eti_file *log, eti_error *err) {
    *out = (eti_runner_log){.n_dumps = 0};
    const char *text = (const char *)log->data;
    log_reader reader = {
        .out = out, .name = log->name, .start = text, .line = text, .line_number = 1};
    eti_status status = read_log(&reader, text, log->size, err);
    if (status != ETI_OK)
        eti__runner_log_free(out);
    return status;
}

void eti__runner_log_free(eti_runner_log *log) {
    for (size_t i = 0; i < log->n_dumps; i++)
        eti__file_release(&log->dumps[i]);
    for (size_t i = 0; i < log->n_debug_buffers; i++)
        eti__file_release(&log->debug_buffers[i]);
    free(log->dumps);
    free(log->debug_buffers);
    *log = (eti_runner_log){.n_dumps = 0};
}

eti_status eti__runner_log_take_debug_buffer(struct eti_file *log, eti_error *err) {
    eti_runner_log parts;
    ETI_TRY(eti__runner_log_read(&parts, log, err));
    if (parts.n_debug_buffers > 0) {
        eti__file_release(log);
        *log = parts.debug_buffers[0];
        parts.debug_buffers[0] = (struct eti_file){.name = NULL};
    }
    eti__runner_log_free(&parts);
    return ETI_OK;
}
