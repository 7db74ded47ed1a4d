/*
 * msan_libraries.c - intercepts calls of libraries in a build with MemorySanitizer, which does not see the bytes that they
 * write, and marks these as initialised. The linker replaces each function() with __wrap_function(); bytes that the program
 * itself leaves uninitialised are still found.
 */
#include <csv.h>
#include <limits.h>
#include <regex.h>
#include <sanitizer/msan_interface.h>
#include <stdint.h>
#include <zlib.h>

/* Treats the arguments and the bytes that they refer to as initialised, and passes them on. */
#define KNOWN __attribute__((no_sanitize("memory")))

/* ---- zlib ------------------------------------------------------------------------------------ */

int __real_inflate(z_stream *stream, int flush);
int __wrap_inflate(z_stream *stream, int flush);

KNOWN int __wrap_inflate(z_stream *stream, int flush) {
    Bytef *out = stream->next_out;
    int code = __real_inflate(stream, flush);
    __msan_unpoison(stream, sizeof *stream);
    __msan_unpoison(out, (size_t)(stream->next_out - out));
    return code;
}

int __real_deflate(z_stream *stream, int flush);
int __wrap_deflate(z_stream *stream, int flush);

KNOWN int __wrap_deflate(z_stream *stream, int flush) {
    Bytef *out = stream->next_out;
    int code = __real_deflate(stream, flush);
    __msan_unpoison(stream, sizeof *stream);
    __msan_unpoison(out, (size_t)(stream->next_out - out));
    return code;
}

/* ---- the C library --------------------------------------------------------------------------- */

char *__real_realpath(const char *path, char *out);
char *__wrap_realpath(const char *path, char *out);

/* Results for a missing path are returned, too. */
KNOWN char *__wrap_realpath(const char *path, char *out) {
    char *found = __real_realpath(path, out);
    if (out)
        __msan_unpoison(out, PATH_MAX);
    return found;
}

int __real_regcomp(regex_t *out, const char *pattern, int flags);
int __wrap_regcomp(regex_t *out, const char *pattern, int flags);

KNOWN int __wrap_regcomp(regex_t *out, const char *pattern, int flags) {
    int code = __real_regcomp(out, pattern, flags);
    __msan_unpoison(out, sizeof *out);
    return code;
}

size_t __real_regerror(int code, const regex_t *of, char *out, size_t room);
size_t __wrap_regerror(int code, const regex_t *of, char *out, size_t room);

KNOWN size_t __wrap_regerror(int code, const regex_t *of, char *out, size_t room) {
    size_t size = __real_regerror(code, of, out, room);
    __msan_unpoison(out, size < room ? size : room);
    return size;
}

/* ---- libcsv ---------------------------------------------------------------------------------- */

typedef void take_field(void *text, size_t size, void *context);
typedef void take_record(int end, void *context);

/* Holds the functions to call back, and their context. */
typedef struct callbacks {
    take_field *field;
    take_record *record;
    void *context;
} callbacks;

KNOWN static void call_field(void *text, size_t size, void *context) {
    const callbacks *to = context;
    if (text)
        __msan_unpoison(text, size);
    to->field(text, size, to->context);
}

KNOWN static void call_record(int end, void *context) {
    const callbacks *to = context;
    to->record(end, to->context);
}

size_t __real_csv_parse(struct csv_parser *parser, const void *data, size_t size, take_field *field,
                        take_record *record, void *context);
size_t __wrap_csv_parse(struct csv_parser *parser, const void *data, size_t size, take_field *field,
                        take_record *record, void *context);

KNOWN size_t __wrap_csv_parse(struct csv_parser *parser, const void *data, size_t size,
                              take_field *field, take_record *record, void *context) {
    callbacks to = {field, record, context};
    size_t n = __real_csv_parse(parser, data, size, call_field, call_record, &to);
    __msan_unpoison(parser, sizeof *parser);
    return n;
}

int __real_csv_fini(struct csv_parser *parser, take_field *field, take_record *record,
                    void *context);
int __wrap_csv_fini(struct csv_parser *parser, take_field *field, take_record *record,
                    void *context);

KNOWN int __wrap_csv_fini(struct csv_parser *parser, take_field *field, take_record *record,
                          void *context) {
    callbacks to = {field, record, context};
    int code = __real_csv_fini(parser, call_field, call_record, &to);
    __msan_unpoison(parser, sizeof *parser);
    return code;
}

int __real_csv_init(struct csv_parser *parser, unsigned char options);
int __wrap_csv_init(struct csv_parser *parser, unsigned char options);

KNOWN int __wrap_csv_init(struct csv_parser *parser, unsigned char options) {
    int code = __real_csv_init(parser, options);
    __msan_unpoison(parser, sizeof *parser);
    return code;
}

size_t __real_csv_write2(void *out, size_t room, const void *data, size_t size,
                         unsigned char quote);
size_t __wrap_csv_write2(void *out, size_t room, const void *data, size_t size,
                         unsigned char quote);

KNOWN size_t __wrap_csv_write2(void *out, size_t room, const void *data, size_t size,
                               unsigned char quote) {
    size_t written = __real_csv_write2(out, room, data, size, quote);
    __msan_unpoison(out, written < room ? written : room);
    return written;
}
