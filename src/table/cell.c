#include "table/cell.h"

/* ---- accessors of etinspect.h ---------------------------------------------------------------- */

eti_cell_kind eti_cell_kind_of(const eti_cell *cell) {
    return cell->kind;
}

bool eti_cell_as_bool(const eti_cell *cell) {
    return cell->kind == ETI_CELL_BOOL && cell->as_bool;
}

int64_t eti_cell_as_int(const eti_cell *cell) {
    return cell->kind == ETI_CELL_INT ? cell->as_int : 0;
}

double eti_cell_as_double(const eti_cell *cell) {
    if (cell->kind == ETI_CELL_INT)
        return (double)cell->as_int;
    return cell->kind == ETI_CELL_DOUBLE ? cell->as_double : NAN;
}

eti_text eti_cell_as_text(const eti_cell *cell) {
    return cell->as_text;
}

size_t eti_cell_item_count(const eti_cell *cell) {
    return eti_cell_items(cell) ? cell->n_items : 0;
}

const void *eti_cell_items(const eti_cell *cell) {
    bool has_items = cell->kind == ETI_CELL_LIST || cell->kind >= ETI_CELL_DOUBLES;
    return has_items ? cell->items : NULL;
}

/* ---- values of a column's type --------------------------------------------------------------- */

bool eti__cell_read_double(const eti_cell *cell, double *out) {
    *out = eti_cell_as_double(cell);
    return cell->kind == ETI_CELL_DOUBLE || cell->kind == ETI_CELL_INT;
}

bool eti__cell_read_int(const eti_cell *cell, int64_t *out) {
    *out = cell->kind == ETI_CELL_BOOL ? cell->as_bool : eti_cell_as_int(cell);
    return cell->kind == ETI_CELL_BOOL || cell->kind == ETI_CELL_INT;
}

bool eti__cell_read_uint(const eti_cell *cell, uint64_t *out) {
    bool is_large = cell->kind == ETI_CELL_DOUBLE && cell->as_int < 0; /* see eti__count_cell() */
    bool found = is_large || (cell->kind == ETI_CELL_INT && cell->as_int >= 0);
    *out = found ? (uint64_t)cell->as_int : 0;
    return found;
}
