/*
 * kind.c - recognises the kind of a file by the identifiers of the formats used with ExecuTorch.
 */
#include "read/kind.h"

#include "base/text.h"
#include "read/runner_log.h"
#include "read/wrapped/journal.h"

#include <string.h>

typedef struct eti_identifier_row {
    size_t offset;
    const char *bytes; /* 4 of them */
    eti_file_kind kind;
} eti_identifier_row;

/* An ETDump's identifier follows the root offset, which follows the size if there is one. */
static const eti_identifier_row identifiers[] = {
    {8, "ED00", ETI_FILE_ETDUMP},          {4, "ED00", ETI_FILE_ETDUMP},
    {0, "PK\3\4", ETI_FILE_ETRECORD},      {0, "PK\5\6", ETI_FILE_ETRECORD},
    {4, "BP08", ETI_FILE_BUNDLED_PROGRAM}, {4, "FT01", ETI_FILE_DATA},
};

static const char *const texts[] = {
    [ETI_FILE_UNKNOWN] = "neither an ETDump (identifier ED00 at byte 4 or 8) nor an ETRecord (a "
                         "ZIP); give a debug buffer with --debug_buffer_path",
    [ETI_FILE_EMPTY] = "empty: the runtime wrote no ETDump; was it built with "
                       "EXECUTORCH_ENABLE_EVENT_TRACER, and was its ETDump buffer large enough?",
    [ETI_FILE_ETDUMP] = "an ETDump",
    [ETI_FILE_ETRECORD] = "a ZIP such as an ETRecord",
    [ETI_FILE_PROGRAM] = "an ExecuTorch program (.pte), which contains no events: run it with an "
                         "event tracer and give the ETDump that it writes",
    [ETI_FILE_BUNDLED_PROGRAM] = "a bundled program (.bpte), which contains no events: run it with "
                                 "an event tracer and give the ETDump that it writes",
    [ETI_FILE_RUNNER_LOG] = "the log of a device with ETDumps in base64",
    [ETI_FILE_DATA] = "a data file (.ptd), which belongs to a program: give it with --data",
    [ETI_FILE_JOURNAL] = "a journal of libetcapture, which can replace an ETDump",
    [ETI_FILE_BASELINE] = "a baseline: give it to etinspect diff, or to baseline show",
};

/* Returns whether this is a program, with the identifier ET12. A program of another version is one too; its reader
 * rejects it and names the version. */
static bool is_program(const char *data, size_t size) {
    return size >= 8 && data[4] == 'E' && data[5] == 'T' && eti__is_digit(data[6]) &&
           eti__is_digit(data[7]);
}

eti_file_kind eti_file_kind_of(const void *data, size_t size) {
    if (size == 0)
        return ETI_FILE_EMPTY;
    if (eti__text_begins_with(eti__text_skip_mark((eti_text){data, size}), ETI_BASELINE_MAGIC ","))
        return ETI_FILE_BASELINE;
    for (size_t i = 0; i < sizeof identifiers / sizeof identifiers[0]; i++) {
        const eti_identifier_row *row = &identifiers[i];
        if (size >= row->offset + 4 && memcmp((const char *)data + row->offset, row->bytes, 4) == 0)
            return row->kind;
    }
    if (eti__journal_is(data, size))
        return ETI_FILE_JOURNAL;
    if (is_program(data, size))
        return ETI_FILE_PROGRAM;
    return eti__runner_log_is(data, size) ? ETI_FILE_RUNNER_LOG : ETI_FILE_UNKNOWN;
}

const char *eti_file_kind_text(eti_file_kind kind) {
    return (size_t)kind < sizeof texts / sizeof *texts ? texts[kind] : NULL;
}
