/*
 * meaning.h - the parsed settings of a request: the options of all rooms, with a field for each row of the catalogue.
 *
 * An option that several rooms read is stored in the options of the first of them.
 */
#ifndef ETI_API_MEANING_H
#define ETI_API_MEANING_H

#include "account/account.h"
#include "base/text.h"
#include "compare/compare.h"
#include "measure/measure.h"
#include "model/model.h"
#include "numerics/numerics.h"
#include "profile/profile.h"
#include "report/report.h"
#include "table/table.h"
#include "write/write.h"

/* Arrays are allocated by malloc(), texts in the arena. */
typedef struct eti__texts {
    const char **values;
    size_t n, capacity;
} eti__texts;

typedef struct eti__sources {
    eti_source *values;
    size_t n, capacity;
} eti__sources;

typedef struct eti__labels {
    eti_label *values;
    size_t n, capacity;
} eti__labels;

typedef struct eti__scales {
    eti_delegate_time_scale *values;
    size_t n, capacity;
} eti__scales;

typedef struct eti__meaning {
    eti_options opening;
    eti_view_options view;
    eti_selection selection;
    eti_profile_options profile;
    eti_diff_options diff;
    eti_measure_options measure;
    eti_numerics_options numerics; /* options that no other room reads */
    eti_write_options write;
    eti_page_options page;
    unsigned tensor_key; /* an eti_saved_key */
    const char *format;
    unsigned granularity; /* an eti_granularity */
    unsigned rows_mode;   /* 0: permissive, 1: dropmalformed, 2: failfast */
    bool labels_from_path;
    eti_record *record; /* of eti_request_set_record(); NULL: none */
    eti_baseline_options
        baseline; /* without `samples` and `append`, which are in `view` and `write` */
    size_t now;   /* seconds since 1970; 0: unset */
    eti__sources etdumps, etrecord, debug_buffer, programs, data, base_etrecord, base_program,
        budgets, allowed, available, reference, file_lists;
    eti__texts modules, rules, failing;
    eti__labels labels, source_maps;
    eti__scales scales;
} eti__meaning;

#endif
