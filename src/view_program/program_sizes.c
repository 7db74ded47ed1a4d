#include "view_program/program_sizes.h"

#include <inttypes.h>
#include <stdlib.h>

static void drop_sizes(void *object) {
    eti_program_sizes *sizes = object;
    eti__arena_free(&sizes->arena);
    free(sizes);
}

const struct eti_file *eti__program_sizes_file(const eti_program_sizes *sizes, uint32_t file) {
    return file == 0 ? sizes->inspector->programs[0].file : &sizes->inspector->data_files[file - 1];
}

static eti_status fail_other_data(const eti_inspector *inspector, const eti_ptd *data,
                                  eti_error *err) {
    return eti_fail(err, ETI_ERROR_DATA,
                    "%s: the program %s requests none of its %" PRIu32
                    " names: give the data file of its export",
                    data->file->name, inspector->programs[0].file->name, data->n_entries);
}

eti_status eti__program_sizes_make(eti_program_sizes **out, eti_report *report,
                                   const eti_inspector *inspector, eti_error *err) {
    const eti_pte *pte = inspector->n_programs > 0 ? &inspector->programs[0] : NULL;
    if (!pte && inspector->n_data_files == 0)
        return eti_fail(err, ETI_ERROR_USAGE, "no program was given: name the .pte");
    eti_program_sizes *sizes = calloc(1, sizeof *sizes);
    if (!sizes)
        return eti_fail_memory(err);
    sizes->inspector = inspector;
    eti__report_keep(report, (eti_kept){sizes, drop_sizes});
    *out = sizes;
    eti_ptd *data = eti__arena_alloc(&sizes->arena, inspector->n_data_files, sizeof *data);
    if (!data)
        return eti_fail_memory(err);
    for (size_t i = 0; i < inspector->n_data_files; i++)
        ETI_TRY(eti__ptd_open(&data[i], &sizes->arena, &inspector->data_files[i], err));
    ETI_TRY(eti__sizes_make(&sizes->sizes, &sizes->arena, pte, data, inspector->n_data_files, err));
    for (size_t i = 0; i < inspector->n_data_files; i++) {
        if (sizes->sizes.is_other[i])
            return fail_other_data(inspector, &data[i], err);
    }
    return ETI_OK;
}

/* ---- by category ----------------------------------------------------------------------------- */

typedef struct category_row {
    const eti_sizes *sizes;
    eti_size_category category;
    uint64_t n_parts;
} category_row;

static uint64_t category_bytes(const category_row *row) {
    return row->sizes->by_category[row->category];
}

ETI_CELL_SETTER(category_row, category, eti__string_cell(eti__size_category_name(row->category)))
ETI_CELL_SETTER(category_row, bytes, eti__count_cell(category_bytes(row)))
ETI_CELL_SETTER_IF(category_row, share, row->sizes->file_size > 0,
                   eti__double_cell((double)category_bytes(row) / (double)row->sizes->file_size))
ETI_CELL_SETTER_IF(category_row, parts, row->n_parts > 0, eti__count_cell(row->n_parts))

static const eti_column_spec columns[] = {
    {"category", ETI_TEXTS, false, "category of the bytes", set_category},
    {"bytes", ETI_TYPE_UINT64, ETI_COLUMN_COUNT, false, "bytes of the files", set_bytes},
    {"share", ETI_SHARES, false, "share of all files", set_share},
    {"parts", ETI_COUNTS, false, "number of parts, such as constants", set_parts},
};

static uint64_t count_parts(const eti_sizes *sizes, eti_size_category category) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < sizes->n_rows; i++)
        n += sizes->rows[i].category == category && !sizes->rows[i].is_rest;
    return n;
}

static eti_status add_notes(eti_report *report, const eti_sizes *sizes, eti_error *err) {
    if (sizes->duplicated > 0)
        ETI_TRY(eti__report_note(report, err, "bytes of duplicates: %" PRIu64, sizes->duplicated));
    if (sizes->n_missing > 0)
        ETI_TRY(eti__report_note(report, err,
                                 "external weights missing from the given files: %" PRIu32
                                 ", %" PRIu64 " bytes (%sdata FILE.ptd)",
                                 sizes->n_missing, sizes->missing, eti__option_prefix()));
    return ETI_OK;
}

eti_status eti__program_sizes_add_categories(eti_report *report, const eti_program_sizes *sizes,
                                             eti_error *err) {
    eti_table *table;
    ETI_TRY(eti__columns_add_section(&table, report, "categories", "What the file holds", columns,
                                     ETI_N_COLUMNS(columns), NULL, err));
    for (int i = 0; i < ETI_N_SIZE_CATEGORIES; i++) {
        category_row row = {&sizes->sizes, (eti_size_category)i, 0};
        row.n_parts = count_parts(&sizes->sizes, row.category);
        if (category_bytes(&row) > 0 || row.n_parts > 0)
            ETI_TRY(eti__columns_add_row(table, columns, ETI_N_COLUMNS(columns), &row, err));
    }
    return add_notes(report, &sizes->sizes, err);
}
