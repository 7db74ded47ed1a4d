#include "write/bare_name.h"

#include <string.h>

eti_text eti__column_bare_name(const eti_report *report, const eti_column *column) {
    eti_text name = column->name;
    if (column->kind != ETI_COLUMN_TIME || !report->has_time_scale)
        return name;
    const char *unit = eti_time_scale_name(report->time_scale);
    size_t size = strlen(unit) + 3; /* " (ms)" */
    if (name.size <= size)
        return name;
    const char *end = name.data + name.size - size;
    if (memcmp(end, " (", 2) == 0 && memcmp(end + 2, unit, size - 3) == 0 && end[size - 1] == ')')
        name.size -= size;
    return name;
}
