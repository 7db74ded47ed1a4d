/* Uses each struct that begins with its size, as a program compiled with some version of the library's header does, and
 * prints the results. Bytes after a struct must stay unchanged. */
#include <etinspect.h>

#include <stdio.h>
#include <string.h>

#define GUARD 0x5a

/* Puts a struct directly before other memory. */
#define GUARDED(type)                                                                              \
    struct {                                                                                       \
        type value;                                                                                \
        unsigned char behind[4096];                                                                \
    }

static int is_untouched(const unsigned char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] != GUARD)
            return 0;
    }
    return 1;
}

#define PREPARE(guarded, init)                                                                     \
    do {                                                                                           \
        memset(&(guarded), GUARD, sizeof(guarded));                                                \
        memcpy(&(guarded).value, &(init), sizeof(init));                                           \
    } while (0)

#define REPORT(guarded)                                                                            \
    printf("%s: %s\n", #guarded,                                                                   \
           is_untouched((guarded).behind, sizeof(guarded).behind) ? "untouched behind"             \
                                                                  : "OVERRUN")

static void fail_in_each_way(void) {
    static const eti_error init = ETI_ERROR_INIT;
    GUARDED(eti_error) error;
    eti_profile *profile;
    const eti_source missing = {"/nonexistent", NULL, 0}, bad = {"bad", "nonsense", 8};
    const eti_source *sources[] = {&missing, &bad};
    for (size_t i = 0; i < 2; i++) {
        PREPARE(error, init);
        eti_status status = eti_profile_read(&profile, sources[i], NULL, &error.value);
        printf("%d %d %s\n", (int)status, (int)error.value.status, error.value.message);
        REPORT(error);
    }
    PREPARE(error, init);
    eti_request *request;
    if (eti_request_new(&request, NULL) != ETI_OK)
        return;
    printf("%d at %zu\n", (int)eti_request_set(request, "fail_on", "op:p50>", &error.value),
           error.value.position);
    REPORT(error);
    eti_request_free(request);
}

static void summarize(const eti_event_block *block) {
    static const eti_summary init = ETI_SUMMARY_INIT;
    GUARDED(eti_summary) summary;
    for (size_t i = 0; i < eti_event_block_event_count(block); i++) {
        PREPARE(summary, init);
        const eti_summary *s = &summary.value;
        if (eti_event_summary(eti_event_block_event(block, i), &summary.value))
            printf("%g %g %g %g %g %g\n", s->p10, s->p50, s->p90, s->avg, s->min, s->max);
        REPORT(summary);
    }
}

int main(void) {
    eti_request *request;
    eti_inspector *inspector;
    fail_in_each_way();
    if (eti_request_new(&request, NULL) != ETI_OK ||
        eti_request_set(request, "etdump_path", "testdata/mlp/run.etdp", NULL) != ETI_OK ||
        eti_inspector_open(&inspector, request, NULL) != ETI_OK)
        return 1;
    for (size_t i = 0; i < eti_inspector_block_count(inspector); i++)
        summarize(eti_inspector_block(inspector, i));
    eti_inspector_close(inspector);
    eti_request_free(request);
    return 0;
}
