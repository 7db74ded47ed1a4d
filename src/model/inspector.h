/*
 * inspector.h - turns a user's files into the object that answers all questions about them.
 */
#ifndef ETI_MODEL_INSPECTOR_H
#define ETI_MODEL_INSPECTOR_H

#include "base/arena.h"
#include "base/files.h"
#include "etrecord/etrecord.h"
#include "model/associate.h"
#include "model/block.h"
#include "model/debug_data.h"
#include "model/method.h"
#include "model/options.h"
#include "model/record.h"
#include "pte/pte.h"
#include "read/read.h"

/* Notes for the user. */
typedef struct eti_note {
    eti_note_kind kind;
    eti_text text; /* on one line */
} eti_note;

struct eti_inspector {
    eti_references references;
    void (*on_free)(void *context); /* see eti_inspector_on_free() */
    void *on_free_context;
    eti_arena arena;     /* holds everything below */
    eti_options options; /* arrays and strings are copied */

    struct eti_file *dump_files; /* n_dumps of them, allocated by malloc() like all files */
    size_t dump_capacity;
    eti_etdump *dumps;
    size_t n_dumps;
    eti_record *opened_record;   /* may be shared with other inspectors; NULL without a record */
    struct eti_file record_file; /* file of the opened record; all zeros without one */
    const eti_etrecord *record;  /* maps of the record; NULL without a record */
    struct eti_file *program_files, *data_files; /* n_programs, n_data_files */
    eti_pte *programs; /* in the arena; the first is the program that ran */
    size_t n_programs, n_data_files;
    struct eti_file debug_buffer_file;
    bool has_debug_buffer;
    struct eti_file *
        more_debug_buffers; /* for the second ETDump and later ones; if empty, the first buffer is for all */
    size_t n_more_debug_buffers;
    size_t n_printed_debug_buffers; /* found in logs of devices */
    uint64_t n_events_lost;         /* lost by devices, according to their logs */

    eti_method *methods; /* methods of program and record */
    size_t n_methods;
    size_t
        method; /* method of the record that the Inspector uses for all blocks; ETI_NO_METHOD without one */
    /* The Inspector cannot open the record: its columns have the method found for each block, and `method` only for
     * blocks whose method is unknown. */
    bool shows_found_methods;
    eti_graph graph;           /* the edge program of this method */
    eti_graph reference_graph; /* graph named in the options; empty without the option */
    eti_blocks blocks;
    uint64_t n_skipped_runs;
    size_t n_repaired_names; /* names in the ETDump that were not UTF-8 */
    eti_debug_totals debug_totals;

    bool has_foreign_record; /* a note says that the ETRecord comes from another export */
    eti_text mismatch; /* first warning that a file does not belong to the ETDump; absent: none */
    eti_note *notes;   /* the array is allocated by malloc(), the texts in the arena */
    size_t n_notes, note_capacity;
    bool are_references_read; /* see reference_outputs.h */
    bool are_times_checked;   /* see eti_inspector_check_times() */
    bool are_plans_checked;   /* see eti_inspector_check_plans() */
    bool are_tensors_checked; /* see eti_inspector_check_tensors() */
};

/* Returns the i-th file that the inspector was made from, and its kind ("etdump", "etrecord", "program", "data" or
 * "debug_buffer"); NULL past the end. */
const struct eti_file *eti__inspector_file(const eti_inspector *inspector, size_t i,
                                           const char **kind);

/* Returns a reference to the inspector. */
eti_kept eti__inspector_keep(const eti_inspector *inspector);

/* Checks that the time scales can be converted. ETI_ERROR_USAGE. */
eti_status eti__options_check(const eti_options *options, eti_error *err) ETI_WARN_UNUSED;

/* Implements eti_inspector_open() of etinspect.h; `options` may be NULL. */
eti_status eti__inspector_open(eti_inspector **out, const eti_inputs *inputs,
                               const eti_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
