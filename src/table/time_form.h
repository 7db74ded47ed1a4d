/*
 * time_form.h - chooses the unit and the decimals of times shown to people.
 *
 * A column has the unit in which its median has one to three digits before the point. All columns of a table have the unit
 * of the first column of times, except columns whose times are so much longer or shorter that they would be hard to read.
 * Units and decimals follow from a few hundred rows of the table before rows were left out or reordered, so they do not
 * depend on the rows that are shown.
 */
#ifndef ETI_TABLE_TIME_FORM_H
#define ETI_TABLE_TIME_FORM_H

#include "etinspect.h"
#include "table/table.h"

typedef struct eti_time_form {
    eti_time_scale scale; /* unit, if the column has one */
    bool has_unit;
    double factor; /* factor that converts times of the table to `scale` */
    int decimals;
} eti_time_form;

/* Fills `forms`, one per column of the table, for those columns of times that are wanted (NULL: all); the others become
 * zeros. With `keeps_unit`, times stay in their unit. False: out of memory. */
bool eti__time_forms_find(eti_time_form *forms, const eti_table *table, const bool *wanted,
                          bool keeps_unit) ETI_WARN_UNUSED;

/* Returns the most readable unit for one time, given in `scale`. Cycles stay cycles. */
eti_time_scale eti__time_scale_for(double time, eti_time_scale scale);

/* Converts a time. */
double eti__time_convert(double time, eti_time_scale from, eti_time_scale to);

/* Returns whether the table has a column of ETI_COLUMN_UNIT. */
bool eti__has_units(const eti_table *table);
/* Converts each time of a row whose unit is in the next column to its most readable unit, and sets that unit. */
void eti__time_fit_units(eti_cell *cells, const eti_table *table, bool has_utf8);

/* Returns the name of a unit: "us" in ASCII, else with the Greek letter. */
const char *eti__time_unit(eti_time_scale scale, bool has_utf8);

#endif
