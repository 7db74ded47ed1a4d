/*
 * baseline_parts.h - definitions shared by the sources that read and write baselines.
 */
#ifndef ETI_PROFILE_BASELINE_PARTS_H
#define ETI_PROFILE_BASELINE_PARTS_H

#include "base/csv.h"
#include "base/text.h"
#include "profile/profile.h"
#include "program/program.h"

#define ETI_BASELINE_MOST_RUNS ((uint64_t)1 << 31)

/* Fields of an entry. */
enum {
    ETI_FIELD_KIND,
    ETI_FIELD_NAME,
    ETI_FIELD_OP,
    ETI_FIELD_OP_TYPE,
    ETI_FIELD_MODULE,
    ETI_FIELD_BACKEND,
    ETI_FIELD_ID,
    ETI_FIELD_HANDLES,
    ETI_FIELD_FILE,
    ETI_FIELD_LINE,
    ETI_FIELD_CODE,
    ETI_FIELD_VALUES, /* the first of the values, which are last */
};

/* Columns after the step, with a value for each file: offsets in eti_file_times. */
#define ETI_N_BASELINE_LISTS 6
typedef struct eti_baseline_list {
    const char *name;
    size_t offset;
} eti_baseline_list;
extern const eti_baseline_list eti__baseline_lists[ETI_N_BASELINE_LISTS];

typedef struct eti_baseline_reader {
    struct eti_profile *profile;
    const char *name;
    const eti_csv_file *file;
    size_t at;   /* number of the current record, from 0 on */
    size_t size; /* size of the baseline in bytes */
    eti_label *labels;
    size_t n_labels, label_capacity;
    eti_profile_block *blocks;
    size_t n_blocks, block_capacity;
    eti_entry *entries; /* of the current block */
    size_t n_entries, entry_capacity;
    eti_profile_file *files;
    size_t n_files, file_capacity;
    eti_figures *figures; /* figures of the program; NULL if the baseline has none */
    double *scratch;
    size_t scratch_capacity, n_lacking_bytes;
    bool has_time_scale;
    eti_error *err;
} eti_baseline_reader;

/* Fails with ETI_ERROR_MALFORMED, naming the current record. */
eti_status eti__baseline_fail(const eti_baseline_reader *r, const char *what);

/* Returns field i of the current record. */
eti_text eti__baseline_field(const eti_baseline_reader *r, size_t i);

/* Reads a finite number of at least 0. */
bool eti__read_double(eti_text text, double *out);

/* Takes the text up to the next separator or the end. Returns false if nothing is left. `*at` is NULL at first. */
bool eti__take_item(eti_text text, char separator, const char **at, eti_text *out);
size_t eti__count_items(eti_text text, char separator);

/* Read the runs of the current block, whose name is set, or the times of one of its entries. */
eti_status eti__baseline_read_runs(eti_baseline_reader *r,
                                   eti_profile_block *block) ETI_WARN_UNUSED;
eti_status eti__baseline_read_times(eti_baseline_reader *r, eti_entry *entry) ETI_WARN_UNUSED;

/* Reads a record about a file. */
eti_status eti__baseline_read_file(eti_baseline_reader *r) ETI_WARN_UNUSED;

#endif
