/* program_files.h - opens programs and data files of testdata/. */
#ifndef ETI_TESTS_PROGRAM_FILES_H
#define ETI_TESTS_PROGRAM_FILES_H

#include "support.h"

#include "base/arena.h"
#include "base/files.h"
#include "pte/pte.h"
#include "read/read.h"

typedef struct program_file {
    struct eti_file file, data_file;
    eti_arena arena;
    eti_pte pte;
    eti_ptd ptd;
    size_t n_data;
} program_file;

/* `data` may be NULL. */
static inline void open_program(program_file *out, const char *path, const char *data) {
    eti_error err = ETI_ERROR_INIT;
    *out = (program_file){0};
    assert_ok(eti__input_open(&out->file, &(eti_source){.path = path}, ETI_FILE_PROGRAM, &err));
    assert_ok(eti__pte_open(&out->pte, &out->arena, &out->file, &err));
    if (!data)
        return;
    assert_ok(eti__input_open(&out->data_file, &(eti_source){.path = data}, ETI_FILE_DATA, &err));
    assert_ok(eti__ptd_open(&out->ptd, &out->arena, &out->data_file, &err));
    out->n_data = 1;
}

static inline void close_program(program_file *program) {
    eti__arena_free(&program->arena);
    eti__file_release(&program->file);
    eti__file_release(&program->data_file);
}

#endif
