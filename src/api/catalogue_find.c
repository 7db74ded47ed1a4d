/*
 * catalogue_find.c - finds rows of the catalogue by name, and lists those of requests.
 */
#include "api/catalogue.h"

#include "base/names.h"
#include "base/status.h"
#include "base/text.h"

#include <string.h>

bool eti__option_is_called(const eti__option *option, const char *name) {
    const char *own = option->name;
    for (; *own && *own == (*name == '-' ? '_' : *name); own++)
        name++;
    return *own == '\0' && *name == '\0';
}

bool eti__is_nearer(const char *candidate, const char *name, size_t *least) {
    return eti__text_is_nearer(eti__text_of(candidate), eti__text_of(name), least);
}

const char *eti__near_option(const char *name, unsigned commands) {
    const eti__option *option;
    const char *nearest = NULL;
    size_t least = ETI__TOO_FAR;
    for (size_t i = 0; (option = eti__option_at(i)); i++) {
        bool is_taken = commands ? (option->commands & commands) != 0 : !option->is_programs;
        if (is_taken && eti__is_nearer(option->name, name, &least))
            nearest = option->name;
    }
    return nearest;
}

/* ---- options of requests --------------------------------------------------------------------- */

/* Returns whether the option belongs to requests: its row is the last with its name, and it is not
 * the program's own. */
static bool is_of_requests(size_t row) {
    const eti__option *option = eti__option_at(row), *other;
    for (size_t i = row + 1; (other = eti__option_at(i)); i++) {
        if (strcmp(other->name, option->name) == 0)
            return false;
    }
    return !option->is_programs;
}

eti_status eti__option_find(const eti__option **out, const char *name, eti_error *err) {
    for (size_t i = 0; (*out = eti__option_at(i)); i++) {
        if (eti__option_is_called(*out, name) && is_of_requests(i))
            return ETI_OK;
    }
    const char *nearest = eti__near_option(name, 0);
    return eti_fail(err, ETI_ERROR_USAGE, "there is no option %s%s%s%s%s%s", eti__option_prefix(),
                    name, nearest ? ": did you mean " : "", nearest ? eti__option_prefix() : "",
                    nearest ? nearest : "", nearest ? "?" : "");
}

/* Returns the i-th option of requests; NULL past the last. */
static const eti__option *option_of_requests(size_t i) {
    for (size_t row = 0; eti__option_at(row); row++) {
        if (is_of_requests(row) && i-- == 0)
            return eti__option_at(row);
    }
    return NULL;
}

size_t eti_option_count(void) {
    size_t n = 0;
    for (size_t row = 0; eti__option_at(row); row++)
        n += is_of_requests(row);
    return n;
}

const char *eti_option_name(size_t i) {
    const eti__option *option = option_of_requests(i);
    return option ? option->name : NULL;
}

eti_option_type eti_option_type_of(size_t i) {
    const eti__option *option = option_of_requests(i);
    return option ? option->type : ETI_OPTION_FLAG;
}

const char *eti_option_help(size_t i) {
    const eti__option *option = option_of_requests(i);
    return option ? option->help : NULL;
}

const char *eti_option_choices(size_t i) {
    const eti__option *option = option_of_requests(i);
    return option ? option->choices : NULL;
}

const char *eti_option_default(size_t i) {
    const eti__option *option = option_of_requests(i);
    bool is_flag = option && option->type == ETI_OPTION_FLAG && !option->standard;
    if (is_flag)
        return "false";
    return option ? option->standard : NULL;
}

bool eti_option_is_repeated(size_t i) {
    const eti__option *option = option_of_requests(i);
    return option && option->is_repeated;
}

/* ---- help ------------------------------------------------------------------------------------ */

const char *eti__option_group_name(eti__option_group group) {
    static const char *const names[ETI__N_OPTION_GROUPS] = {
        [ETI__OWN_OPTIONS] = "Options", [ETI__SIDES] = "Sides",
        [ETI__TENSORS] = "Tensors",     [ETI__INPUTS] = "Inputs",
        [ETI__RUNS] = "Runs",           [ETI__STATISTICS] = "Statistics",
        [ETI__TIME] = "Time",           [ETI__SELECTION] = "Selection",
        [ETI__OUTPUT] = "Output",       [ETI__HELP] = "Help",
    };
    return names[group];
}
