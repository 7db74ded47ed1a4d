#include "api/api.h"
#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PROGRAM ".pte"
#define SHORT ".etdp"
#define LONG ".etdump"

static bool is_file(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
}

bool eti__may_be_stem(const char *argument) {
    return *argument && strcmp(argument, "-") != 0 && !is_file(argument);
}

bool eti__may_be_program(const char *argument) {
    size_t size = strlen(argument);
    return size > strlen(PROGRAM) && strcmp(argument + size - strlen(PROGRAM), PROGRAM) == 0;
}

/* Returns stem and suffix; NULL: out of memory. */
static char *join(const char *stem, const char *suffix) {
    size_t n = strlen(stem), size = n + strlen(suffix) + 1;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s%s", stem, suffix);
    return path;
}

/* Sets `*out` to the path of a file of the stem, if there is one. Returns false if memory runs out. */
static bool find(char **out, const char *stem, const char *suffix) {
    *out = join(stem, suffix);
    bool has_memory = *out != NULL;
    if (has_memory && !is_file(*out)) {
        free(*out);
        *out = NULL;
    }
    return has_memory;
}

void eti__companions_free(eti__companions *companions) {
    free(companions->stem);
    free(companions->etdump);
    free(companions->etrecord);
    free(companions->program);
    *companions = (eti__companions){0};
}

/* Finds one ETDump: the suffix .etdump is used, too. */
static eti_status find_etdump(eti__companions *out, char **other, eti_error *err) {
    if (!find(&out->etdump, out->stem, SHORT) || !find(other, out->stem, LONG))
        return eti_fail_memory(err);
    if (out->etdump && *other)
        return eti_fail(err, ETI_ERROR_USAGE, "%s and %s both exist: name the one to read",
                        out->etdump, *other);
    if (*other) {
        out->etdump = *other;
        *other = NULL;
    }
    return ETI_OK;
}

eti_status eti__companions_find(eti__companions *out, const char *argument, eti_error *err) {
    char *other = NULL;
    *out = (eti__companions){.stem = join(argument, "")};
    if (!out->stem)
        return eti_fail_memory(err);
    if (eti__may_be_program(argument) && is_file(argument)) {
        out->is_program_named = true;
        out->stem[strlen(argument) - strlen(PROGRAM)] = '\0';
    }
    eti_status status = find_etdump(out, &other, err);
    free(other);
    if (status == ETI_OK &&
        (!find(&out->etrecord, out->stem, ".etrecord") || !find(&out->program, out->stem, PROGRAM)))
        status = eti_fail_memory(err);
    if (status != ETI_OK)
        eti__companions_free(out);
    return status;
}

eti_status eti__companions_beside(eti__companions *out, const char *program, eti_error *err) {
    *out = (eti__companions){.stem = join(program, "")};
    if (out->stem) {
        out->stem[eti__stem_length(program)] = '\0';
        if (find(&out->etrecord, out->stem, ".etrecord"))
            return ETI_OK;
    }
    eti__companions_free(out);
    return eti_fail_memory(err);
}

eti_status eti__companions_check(const char *etdump, eti_error *err) {
    int size = eti__stem_length(etdump);
    const char *suffix = etdump + size;
    bool is_short = strcmp(suffix, SHORT) == 0, is_long = strcmp(suffix, LONG) == 0;
    char *other, *stem = is_short || is_long ? join(etdump, "") : NULL;
    if (!is_short && !is_long)
        return ETI_OK;
    if (stem)
        stem[size] = '\0';
    if (!stem || !find(&other, stem, is_short ? LONG : SHORT)) {
        free(stem);
        return eti_fail_memory(err);
    }
    eti_status status =
        other ? eti_fail(err, ETI_ERROR_USAGE,
                         "%s exists: with %s there would be two ETDumps of %s: move one, or give "
                         "%setdump_path",
                         other, etdump, stem, eti__option_prefix())
              : ETI_OK;
    free(other);
    free(stem);
    return status;
}

char *eti__companions_describe(const eti__companions *companions, unsigned lacks) {
    const char *files[] = {companions->etrecord, companions->program};
    eti_buffer text = {0};
    eti__buffer_printf(&text, "%s: %s", companions->stem, companions->etdump);
    for (unsigned i = 0; i < 2; i++) {
        if (files[i] && !(lacks & 1U << i))
            eti__buffer_printf(&text, ", %s", files[i]);
    }
    for (unsigned i = 0; i < 2; i++) {
        bool is_first = i == 0 || !(lacks & ETI__WITH_ETRECORD);
        if (lacks & 1U << i)
            eti__buffer_printf(&text, is_first ? "; left out: %s" : ", %s", files[i]);
    }
    eti__buffer_add_string(&text, lacks ? " (from another export)" : "");
    eti__buffer_add_char(&text, '\0');
    if (text.failed)
        eti__buffer_free(&text);
    return text.data;
}

/* Returns whether the files do not belong together; the option strict makes that an error. */
static bool is_mismatch(eti_status status, const eti_inspector *inspector) {
    return status == ETI_OK ? inspector->mismatch.size > 0 : status == ETI_ERROR_DATA;
}

eti_status eti__companions_open(eti_inspector **out, eti_request **request, unsigned found,
                                eti__add_function add, void *context, eti_error *err) {
    static const unsigned choices[] = {ETI__WITH_BOTH, ETI__WITH_ETRECORD, ETI__WITH_PROGRAM, 0,
                                       ETI__WITH_BOTH};
    const size_t last = sizeof choices / sizeof *choices - 1;
    for (size_t i = 0;; i++) {
        eti_request *tried;
        if ((~choices[i] & ETI__WITH_BOTH & ~found) != 0)
            continue; /* leaves out a file that was not found */
        *out = NULL;
        ETI_TRY(eti_request_copy(&tried, *request, err));
        eti_status status = add(context, tried, choices[i], err);
        if (status == ETI_OK)
            status = eti_inspector_open(out, tried, err);
        if (i == last || !is_mismatch(status, *out)) {
            *request = tried;
            return status;
        }
        eti_inspector_close(*out);
        eti_request_free(tried);
    }
}
