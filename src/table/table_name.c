#include "table/table_name.h"

#include "base/status.h"
#include "table/column_name.h"

#include <string.h>

/* Returns the name that is most likely meant; NULL: no name is close. */
static const char *nearest(const eti_report *report, const char *name) {
    for (size_t i = 0; i < report->n_sections; i++) {
        if (eti__name_is_near(eti__text_of(report->sections[i].name), eti__text_of(name)))
            return report->sections[i].name;
    }
    return NULL;
}

static eti_status fail(const eti_report *report, const char *name, eti_error *err) {
    const char *near = nearest(report, name);
    eti_buffer names = {0};
    for (size_t i = 0; i < report->n_sections; i++) {
        eti__buffer_add_string(&names, i > 0 ? ", " : "");
        eti__buffer_add_string(&names, report->sections[i].name);
    }
    eti_status status =
        names.failed
            ? eti_fail_memory(err)
            : eti_fail(err, ETI_ERROR_USAGE,
                       "%stable: there is no table '%.200s': %s%s%sthere %s %.*s",
                       eti__option_prefix(), name, near ? "did you mean " : "", near ? near : "",
                       near ? "? " : "", report->n_sections == 1 ? "is only" : "are",
                       (int)names.size, names.data ? names.data : "");
    eti__buffer_free(&names);
    return status;
}

eti_status eti__table_name_find(const eti_report *report, const char *name, size_t *out,
                                eti_error *err) {
    for (size_t i = 0; i < report->n_sections; i++) {
        if (strcmp(report->sections[i].name, name) == 0) {
            *out = i;
            return ETI_OK;
        }
    }
    return fail(report, name, err);
}
