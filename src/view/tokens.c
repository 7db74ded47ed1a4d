#include "view/tokens.h"

#include "base/numbers.h"
#include "stats/stats.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MOST_TOKENS 1e9

/* Takes "128" or "prefill=128" off the list at `*at`. False: it is neither. */
static bool take_item(const char **at, eti_text *method, double *tokens) {
    size_t size = strcspn(*at, ",");
    const char *equals = memchr(*at, '=', size);
    const char *number = equals ? equals + 1 : *at, *end = *at + size;
    char *stop;
    *method = equals ? (eti_text){*at, (size_t)(equals - *at)} : (eti_text){NULL, 0};
    if (!eti__is_digit(*number) && *number != '.')
        return false;
    *tokens = eti__strtod(number, &stop);
    *at = *end ? end + 1 : end;
    return stop == end && *tokens > 0 && *tokens <= MOST_TOKENS && (*end == '\0' || end[1]) &&
           (!equals || method->size > 0);
}

static eti_status fail_method(const eti_inspector *inspector, eti_text name, eti_error *err) {
    eti_buffer names = {0};
    eti__methods_add_names(&names, inspector, UINT64_MAX);
    eti_text all = eti__buffer_text(&names);
    eti_status status =
        names.failed ? eti_fail_memory(err)
        : names.size == 0
            ? eti_fail(err, ETI_ERROR_USAGE,
                       "%stokens: give the ETRecord or the program (.pte) that has "
                       "the method %.*s, or one number for all runs",
                       eti__option_prefix(), ETI_TEXT_ARGS(name))
            : eti_fail(err, ETI_ERROR_USAGE, "%stokens: there is no method %.*s: there are %.*s",
                       eti__option_prefix(), ETI_TEXT_ARGS(name), ETI_TEXT_ARGS(all));
    eti__buffer_free(&names);
    return status;
}

eti_status eti__tokens_check(const eti_inspector *inspector, const eti_view_options *options,
                             eti_error *err) {
    const char *at = options->tokens;
    eti_text method = {NULL, 0};
    double tokens;
    if (!at)
        return ETI_OK;
    do {
        bool is_first = at == options->tokens;
        if (!take_item(&at, &method, &tokens) || (!method.data && (!is_first || *at)))
            return eti_fail(err, ETI_ERROR_USAGE,
                            "%stokens: '%s' is not a number above 0 such as 128, or one for each "
                            "method such as prefill=128,decode=1",
                            eti__option_prefix(), options->tokens);
        if (method.data && eti__method_number(inspector, method) == ETI_NO_METHOD)
            return fail_method(inspector, method, err);
    } while (*at);
    if (inspector->options.target_time_scale == ETI_SCALE_CYCLES ||
        (inspector->options.source_time_scale == ETI_SCALE_CYCLES &&
         inspector->options.clock_hz == 0))
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%stokens: cycles are no time: give the clock frequency (%sclock_hz)",
                        eti__option_prefix(), eti__option_prefix());
    return ETI_OK;
}

double eti__tokens_per_second(const eti_inspector *inspector, const eti_view_options *options,
                              eti_text method, double time) {
    eti_time_scale scale = inspector->options.target_time_scale;
    const char *at = options->tokens;
    while (at && *at && time > 0) {
        eti_text name;
        double tokens;
        if (!take_item(&at, &name, &tokens))
            break;
        if (!name.data || eti__text_equal(name, method))
            return tokens / (time / eti__time_scale_factor(scale, ETI_SCALE_S, 0));
    }
    return (double)NAN;
}

void eti__add_tokens_per_second(eti_buffer *out, double rate) {
    if (rate < 99.95 || rate >= 1e15) {
        eti__buffer_printf(out, rate < 99.95 ? "%.3g" : "%.3e", rate);
    } else {
        char digits[32], *end = digits + sizeof digits;
        const char *at = eti__write_fixed(end, (uint64_t)(rate + 0.5), 0, true);
        eti__buffer_add(out, at, (size_t)(end - at));
    }
    eti__buffer_add_string(out, " tokens per second");
}
