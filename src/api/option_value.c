#include "api/option_value.h"

#include "api/catalogue.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ==== option value ============================================================================ */

#define LEAST_HERTZ 1e3
#define MAX_HERTZ 1e15
#define MAX_SHARE 1e6

/* The text of a value, and where its meaning is stored. */
typedef struct taking {
    eti_arena *arena;
    const eti__option *option;
    const char *value;
    const eti_source *source; /* NULL path: the value is the path */
    bool is_by_name;          /* the command is not known */
    void *place;
    eti_error *err;
} taking;

/* "skip_first: '-1' is not <what>" */
#define FAIL(t, format, ...)                                                                       \
    eti_fail((t)->err, ETI_ERROR_USAGE, "%s%s: " format, eti__option_prefix(), (t)->option->name,  \
             __VA_ARGS__)

/* ---- numbers --------------------------------------------------------------------------------- */

/* Larger values are no limit in practice. */
#define UNLIMITED (UINT32_MAX - 1)

static eti_status fail_number(const taking *t) {
    unsigned long long least = t->option->least;
    bool is_large = t->value[strspn(t->value, "0123456789")] == '\0' && strlen(t->value) > 9;
    if (t->option->most >= UNLIMITED && !is_large)
        return FAIL(t, "'%s' is not a whole number of at least %llu, such as 10", t->value, least);
    return FAIL(t, "'%s' is not a whole number from %llu to %llu", t->value, least,
                (unsigned long long)t->option->most);
}

static eti_status take_number(const taking *t) {
    char *end;
    errno = 0;
    unsigned long long n = strtoull(t->value, &end, 10);
    if (!eti__is_digit(*t->value) || *end != '\0' || errno != 0 || n < t->option->least ||
        n > t->option->most)
        return fail_number(t);
    *(size_t *)t->place = n < SIZE_MAX ? (size_t)n : SIZE_MAX;
    return ETI_OK;
}

/* "5%" or "0.05", from 0 on; without % for a number that is no share */
static eti_status take_share(const taking *t) {
    char *end;
    double share = eti__strtod(t->value, &end);
    bool is_number = eti__is_digit(*t->value) || *t->value == '.';
    if (t->option->is_no_share && (!is_number || *end != '\0' || !isfinite(share)))
        return FAIL(t, "'%s' is not a number of at least 0", t->value);
    if (strcmp(end, "%") == 0)
        share /= 100;
    else if (*end != '\0')
        is_number = false;
    if (!is_number || !(share >= 0 && (share <= MAX_SHARE || t->option->is_no_share)))
        return FAIL(t, "'%s' is not a share such as 5%% or 0.05", t->value);
    if (t->option->most > 0 && share > (double)t->option->most)
        return FAIL(t, "'%s' is more than %llu%%: expected a share such as 5%% or 0.05", t->value,
                    100ull * t->option->most);
    *(double *)t->place = share;
    return ETI_OK;
}

/* "0.5" or "0.5%" */
static eti_status take_percent(const taking *t) {
    char *end;
    double percent = eti__strtod(t->value, &end);
    end += *end == '%';
    if (!eti__is_digit(*t->value) || *end != '\0' || !(percent <= 100))
        return FAIL(t, "'%s' is not a percentage from 0 to 100", t->value);
    *(double *)t->place = percent / 100;
    return ETI_OK;
}

/* Fails for a frequency that no clock has: the unit was most likely left out. */
static eti_status fail_slow(const taking *t, double hertz) {
    char digits[ETI_DOUBLE_TEXT_MAX];
    int size = (int)eti__double_general(digits, hertz);
    return FAIL(t, "%.*s Hz: did you mean %.*s%s?", size, digits, size, digits,
                hertz < 10 ? "GHz" : "MHz");
}

/* Reads a frequency such as "400e6" or "400MHz". */
static eti_status read_frequency(const taking *t, const char *text, double *out) {
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"", 1}, {"Hz", 1}, {"kHz", 1e3}, {"MHz", 1e6}, {"GHz", 1e9}};
    char *end;
    double number = eti__strtod(text, &end);
    bool is_number = eti__is_digit(*text) && number > 0;
    for (size_t i = 0; is_number && i < sizeof units / sizeof *units; i++) {
        double hertz = number * units[i].factor;
        if (strcmp(end, units[i].name) == 0 && hertz < LEAST_HERTZ)
            return fail_slow(t, hertz);
        if (strcmp(end, units[i].name) == 0 && hertz <= MAX_HERTZ) {
            *out = hertz;
            return ETI_OK;
        }
    }
    return FAIL(t, "'%s' is not a frequency such as 400e6 or 400MHz", text);
}

static eti_status take_frequency(const taking *t) {
    return read_frequency(t, t->value, t->place);
}

/* Reads a number per second such as "2T" or "1.5e12". */
static eti_status take_rate(const taking *t) {
    static const char prefixes[] = "kMGTP";
    char *end;
    double rate = eti__strtod(t->value, &end);
    bool is_number = eti__is_digit(*t->value);
    const char *prefix = *end ? strchr(prefixes, *end) : NULL;
    for (const char *p = prefixes; prefix && p <= prefix; p++)
        rate *= 1000;
    end += prefix != NULL;
    if (!is_number || *end != '\0' || !(rate >= 1) || !isfinite(rate))
        return FAIL(t, "'%s' is not a number per second such as 2T, 50G or 1.5e12", t->value);
    *(double *)t->place = rate;
    return ETI_OK;
}

/* ---- words ----------------------------------------------------------------------------------- */

static eti_status take_flag(const taking *t) {
    bool is_true = strcmp(t->value, "true") == 0;
    if (!is_true && strcmp(t->value, "false") != 0)
        return FAIL(t, "expected true or false, found '%s'", t->value);
    *(bool *)t->place = is_true != t->option->is_negative;
    return ETI_OK;
}

/* Finds the number of the choice; false: there is no such choice. */
static bool find_choice(const char *choices, const char *value, unsigned *out) {
    size_t length = strlen(value);
    *out = 0;
    for (const char *choice = choices; *choice; ++*out) {
        size_t n = strcspn(choice, ",");
        if (n == length && strncmp(choice, value, n) == 0)
            return true;
        choice += n + (choice[n] == ',');
    }
    return false;
}

/* Returns the choice that is closest to a value; absent: none is close. */
static eti_text near_choice(const char *choices, const char *value) {
    eti_text nearest = {NULL, 0};
    size_t least = ETI_TOO_FAR;
    for (const char *choice = choices; *choice;) {
        eti_text candidate = {choice, strcspn(choice, ",")};
        if (eti__text_is_nearer(candidate, eti__text_of(value), &least))
            nearest = candidate;
        choice += candidate.size + (choice[candidate.size] == ',');
    }
    return nearest;
}

static eti_status fail_choice(const taking *t) {
    eti_text nearest = near_choice(t->option->choices, t->value);
    if (nearest.data)
        return FAIL(t, "there is no '%s': did you mean %.*s?", t->value, ETI_TEXT_ARGS(nearest));
    return FAIL(t, "'%s' is not one of %s", t->value, t->option->choices);
}

/* Stores the number of a choice that is known to exist. Choices are in the order of the enum. */
static eti_status take_choice(const taking *t) {
    (void)find_choice(t->option->choices, t->value, t->place);
    return ETI_OK;
}

static eti_status append_text(const taking *t) {
    eti__texts *texts = t->place;
    if (!ETI_GROW(texts->values, texts->capacity, texts->n + 1))
        return eti_fail_memory(t->err);
    texts->values[texts->n++] = t->value;
    return ETI_OK;
}

static eti_status take_text(const taking *t) {
    if (t->option->is_repeated)
        return append_text(t);
    *(const char **)t->place = t->value;
    return ETI_OK;
}

/* Returns whether the value can be read as an expression of a filter. */
static bool is_expression(const char *value) {
    eti_arena arena = {0};
    eti_condition *ignored;
    bool is_it = eti__filter_parse(&ignored, &arena, value, NULL) == ETI_OK;
    eti__arena_free(&arena);
    return is_it;
}

static eti_status take_rule(const taking *t) {
    eti_status status = eti__gate_check_rule(t->value, t->err);
    if (status == ETI_OK || (status == ETI_ERROR_USAGE && t->is_by_name && is_expression(t->value)))
        return append_text(t);
    eti__error_prefix(t->err, "%s%s", eti__option_prefix(), t->option->name);
    return status;
}

/* ---- inputs and pairs ------------------------------------------------------------------------ */

static eti_status take_file(const taking *t) {
    eti__sources *sources = t->place;
    bool is_added = t->source->path != NULL;
    if (!t->option->is_input)
        return take_text(t);
    if (!ETI_GROW(sources->values, sources->capacity, sources->n + 1))
        return eti_fail_memory(t->err);
    if (!t->option->is_repeated && !(is_added && t->option->is_many_inputs))
        sources->n = 0;
    sources->values[sources->n++] = is_added ? *t->source : (eti_source){.path = t->value};
    return ETI_OK;
}

/* Copies the text before `end` into the arena; NULL: out of memory. */
static const char *copy_until(const taking *t, const char *end) {
    return eti__arena_string_of(t->arena, (eti_text){t->value, (size_t)(end - t->value)});
}

/* "device=board" */
static eti_status take_label(const taking *t) {
    eti__labels *labels = t->place;
    const char *equals = strchr(t->value, '=');
    if (!equals || equals == t->value)
        return FAIL(t, "expected %s, found '%s'", t->option->value, t->value);
    const char *key = copy_until(t, equals);
    if (!key || !ETI_GROW(labels->values, labels->capacity, labels->n + 1))
        return eti_fail_memory(t->err);
    labels->values[labels->n++] = (eti_label){key, equals + 1};
    return ETI_OK;
}

/* "QnnBackend=cycles", "cycles" or "NeutronBackend=600MHz" */
static eti_status take_delegate_scale(const taking *t) {
    eti__scales *scales = t->place;
    const char *equals = strrchr(t->value, '=');
    const char *scale = equals ? equals + 1 : t->value;
    eti_delegate_time_scale entry = {NULL, ETI_SCALE_CYCLES, 0};
    bool is_frequency = eti__is_digit(*scale);
    if (is_frequency)
        ETI_TRY(read_frequency(t, scale, &entry.hz));
    if (equals == t->value || (!is_frequency && !eti_time_scale_parse(scale, &entry.scale)))
        return FAIL(t,
                    "expected [BACKEND=]SCALE with a scale of %s, or a frequency such as 600MHz, "
                    "found '%s'",
                    ETI__SCALES, t->value);
    if ((equals && !(entry.backend = copy_until(t, equals))) ||
        !ETI_GROW(scales->values, scales->capacity, scales->n + 1))
        return eti_fail_memory(t->err);
    scales->values[scales->n++] = entry;
    return ETI_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

static eti_status take_option(eti__meaning *meaning, eti_arena *arena, const eti__option *option,
                              const char *value, const eti_source *source, bool is_by_name,
                              eti_error *err) {
    static eti_status (*const takers[])(const taking *t) = {
        [ETI_OPTION_FLAG] = take_flag,       [ETI_OPTION_TEXT] = take_text,
        [ETI_OPTION_FILE] = take_file,       [ETI_OPTION_CHOICE] = take_choice,
        [ETI_OPTION_NUMBER] = take_number,   [ETI_OPTION_SHARE] = take_share,
        [ETI_OPTION_PERCENT] = take_percent, [ETI_OPTION_FREQUENCY] = take_frequency,
        [ETI_OPTION_LABEL] = take_label,     [ETI_OPTION_SCALE] = take_delegate_scale,
        [ETI_OPTION_RULE] = take_rule,       [ETI_OPTION_RATE] = take_rate,
    };
    const taking t = {
        .arena = arena,
        .option = option,
        .value = value,
        .source = source,
        .is_by_name = is_by_name,
        .place = (char *)meaning + option->place,
        .err = err,
    };
    unsigned choice;
    if (option->choices && !find_choice(option->choices, t.value, &choice))
        return fail_choice(&t);
    return option->is_programs ? ETI_OK : takers[option->type](&t);
}

eti_status eti__option_take(eti__meaning *meaning, eti_arena *arena, const eti__option *option,
                            const char *value, const eti_source *source, eti_error *err) {
    return take_option(meaning, arena, option, value, source, false, err);
}

/* Options with the same name take the same values, so after the first call only ETI_ERROR_MEMORY is
 * possible. */
eti_status eti__option_take_by_name(eti__meaning *meaning, eti_arena *arena,
                                    const eti__option *option, const char *value,
                                    const eti_source *source, eti_error *err) {
    const eti__option *other;
    size_t place = option->place;
    eti_status status = take_option(meaning, arena, option, value, source, true, err);
    for (size_t i = 0; status == ETI_OK && (other = eti__option_at(i)) && other != option; i++) {
        if (strcmp(other->name, option->name) != 0 || other->is_programs || other->place == place)
            continue;
        place = other->place;
        status = take_option(meaning, arena, other, value, source, true, err);
    }
    return status;
}

/* ==== catalogue find ========================================================================== */
/* Finds rows of the catalogue by name, and lists those of requests. */

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

/* A test compares the number of options with it. */
#define MOST_REQUEST_OPTIONS 256

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

/* Holds the rows that belong to requests, in their order. */
static struct {
    pthread_once_t is_made;
    size_t n;
    const eti__option *options[MOST_REQUEST_OPTIONS];
} of_requests = {.is_made = PTHREAD_ONCE_INIT};

static void find_of_requests(void) {
    for (size_t row = 0; eti__option_at(row); row++) {
        if (is_of_requests(row) && of_requests.n < MOST_REQUEST_OPTIONS)
            of_requests.options[of_requests.n++] = eti__option_at(row);
    }
}

/* Returns the i-th option of requests; NULL past the last. */
static const eti__option *option_of_requests(size_t i) {
    (void)pthread_once(&of_requests.is_made, find_of_requests);
    return i < of_requests.n ? of_requests.options[i] : NULL;
}

/* Searches the catalogue, whose last row with the name counts, because making the list of the options of requests takes longer
 * than a small table. */
eti_status eti__option_find(const eti__option **out, const char *name, eti_error *err) {
    const eti__option *option;
    *out = NULL;
    for (size_t row = 0; (option = eti__option_at(row)); row++) {
        if (eti__option_is_called(option, name))
            *out = option;
    }
    if (*out && !(*out)->is_programs)
        return ETI_OK;
    const char *nearest = eti__near_option(name, 0);
    return eti_fail(err, ETI_ERROR_USAGE, "there is no option %s%s%s%s%s%s", eti__option_prefix(),
                    name, nearest ? ": did you mean " : "", nearest ? eti__option_prefix() : "",
                    nearest ? nearest : "", nearest ? "?" : "");
}

size_t eti_option_count(void) {
    (void)option_of_requests(0);
    return of_requests.n;
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
