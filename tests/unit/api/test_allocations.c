/*
 * Makes every allocation of the library fail once, in each function of etinspect.h that allocates and in comparisons: the
 * function must return ETI_ERROR_MEMORY, set its output to NULL, keep no block and leave no file. Only the library's own
 * allocations fail, since the linker redirects them here (--wrap, see mk/tests.mk); tests/faults makes those of other
 * libraries fail.
 */
#include "account/account.h"
#include "api/api.h"
#include "api/request.h"
#include "compare/compare.h"
#include "files_fixture.h"
#include "gate/gate.h"
#include "series/series.h"
#include "stats/stats.h"
#include "support.h"
#include "table/table.h"
#include "view/view.h"
#include "view_events/view_events.h"
#include "write/write.h"
#include "write/writer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a failing allocator --------------------------------------------------------------------- */

static size_t fail_at; /* the number of the allocation that fails; 0: none */
static size_t n_allocations, n_live;

static bool is_turn(void) {
    if (++n_allocations != fail_at)
        return false;
    errno = ENOMEM;
    return true;
}

static void *count(void *block) {
    n_live += block != NULL;
    return block;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *block, size_t size);
int __real_posix_memalign(void **out, size_t alignment, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *block, size_t size);
int __wrap_posix_memalign(void **out, size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);
int __wrap_asprintf(char **out, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap___asprintf_chk(char **out, int level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void __wrap_free(void *block);

void *__wrap_malloc(size_t size) {
    return is_turn() ? NULL : count(__real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size) {
    return is_turn() ? NULL : count(__real_calloc(n, size));
}

void *__wrap_realloc(void *block, size_t size) {
    if (is_turn())
        return NULL;
    void *grown = __real_realloc(block, size);
    return block ? grown : count(grown);
}

int __wrap_posix_memalign(void **out, size_t alignment, size_t size) {
    int error = is_turn() ? ENOMEM : __real_posix_memalign(out, alignment, size);
    n_live += error == 0;
    return error;
}

char *__wrap_strndup(const char *text, size_t size) {
    size_t length = strnlen(text, size);
    char *copy = __wrap_malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char *__wrap_strdup(const char *text) {
    return __wrap_strndup(text, SIZE_MAX);
}

/* Checks that `out` holds no pointer after a failure. */
static int print(char **out, const char *format, va_list arguments) {
    static char no_pointer;
    *out = &no_pointer;
    if (is_turn())
        return -1;
    int length = vasprintf(out, format, arguments);
    n_live += length >= 0;
    return length;
}

int __wrap_asprintf(char **out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = print(out, format, arguments);
    va_end(arguments);
    return length;
}

/* Replaces the name that _FORTIFY_SOURCE uses. */
int __wrap___asprintf_chk(char **out, int level, const char *format, ...) {
    (void)level;
    va_list arguments;
    va_start(arguments, format);
    int length = print(out, format, arguments);
    va_end(arguments);
    return length;
}

void __wrap_free(void *block) {
    n_live -= block != NULL;
    __real_free(block);
}

/* ---- walking --------------------------------------------------------------------------------- */

typedef eti_status step_function(void *context, eti_error *err);

/* Runs `step` with its first allocation failing, then the second, until none is left to fail. `may_cope`: it may succeed
 * without some allocations. Every other time the caller passes no error. */
static size_t walk(step_function *step, void *context, bool may_cope) {
    for (size_t n = 1;; n++) {
        eti_error err = {.status = ETI_OK, .message = "no message"};
        size_t n_before = n_live;
        n_allocations = 0;
        fail_at = n;
        eti_status status = step(context, n % 2 ? &err : NULL);
        fail_at = 0;
        if (n_live != n_before)
            fail_msg("allocation %zu: %zd blocks are left", n, (ssize_t)(n_live - n_before));
        bool was_reached = n_allocations >= n;
        if (status != (was_reached ? ETI_ERROR_MEMORY : ETI_OK) && !(may_cope && status == ETI_OK))
            fail_msg("allocation %zu: %s: %s", n, eti_status_text(status), err.message);
        if (status != ETI_OK && n % 2)
            assert_string_equal(err.message, "out of memory");
        if (!was_reached)
            return n - 1;
    }
}

/* Frees the accounts that an inspector keeps, so that the next step makes them again. */
static void forget_accounts(const eti_inspector *inspector) {
    for (size_t i = 0; i < inspector->accounts.n; i++) {
        eti_shared *shared = &inspector->accounts.items[i];
        void *account = atomic_exchange(&shared->data, NULL);
        if (account)
            shared->on_free(account);
    }
}

/* The address stands for a pointer that must be overwritten. */
static char poison[1];

/* ---- opening --------------------------------------------------------------------------------- */

typedef struct opening {
    const eti_inputs *inputs;
    const eti_options *options;
} opening;

static eti_status open_and_close(void *context, eti_error *err) {
    const opening *opened = context;
    eti_inspector *inspector = (void *)poison;
    eti_status status = eti__inspector_open(&inspector, opened->inputs, opened->options, err);
    if (status != ETI_OK)
        assert_null(inspector);
    eti_inspector_close(inspector);
    return status;
}

#define DATA "testdata/"
#define SOURCE(file) (&(const eti_source){.path = DATA file})
#define INPUTS(name, buffer)                                                                       \
    (&(const eti_inputs){.etdumps = SOURCE(name "/run.etdp"),                                      \
                         .n_etdumps = 1,                                                           \
                         .etrecord = SOURCE(name "/record.etrecord"),                              \
                         .debug_buffer = buffer})

static void assert_walks_open(const eti_inputs *inputs, const eti_options *options,
                              size_t n_at_least) {
    size_t n = walk(open_and_close, &(opening){inputs, options}, false);
    print_message("opening: %zu allocations\n", n);
    assert_true(n >= n_at_least);
}

static void opening_fails_at_each(void **state) {
    (void)state;
    assert_walks_open(INPUTS("bundled-inputs", SOURCE("bundled-inputs/debug_buffer.bin")), NULL,
                      50);
    assert_walks_open(INPUTS("delegate-ids", NULL), NULL, 50);
    assert_walks_open(INPUTS("multi-method", SOURCE("multi-method/debug_buffer.bin")), NULL, 50);
}

/* The record has the delegate's module and payload. */
static void opening_lowered_modules_fails_at_each(void **state) {
    (void)state;
    const eti_inputs inputs = {.etdumps = SOURCE("xnnpack-conv/run.etdp"),
                               .n_etdumps = 1,
                               .etrecord = SOURCE("xnnpack-conv/lowered.etrecord")};
    const eti_options with_values = {.target_time_scale = ETI_SCALE_MS, .reads_values = true};
    assert_walks_open(&inputs, NULL, 50);
    assert_walks_open(&inputs, &with_values, 50);
}

static void opening_with_options_fails_at_each(void **state) {
    (void)state;
    static const eti_delegate_time_scale scales[] = {{"QnnBackend", ETI_SCALE_CYCLES, 0},
                                                     {NULL, ETI_SCALE_US, 0}};
    const eti_options options = {
        .target_time_scale = ETI_SCALE_US,
        .delegate_time_scales = scales,
        .n_delegate_time_scales = 2,
        .exact_time = true,
        .method = "forward",
        .n_threads = 1,
    };
    assert_walks_open(INPUTS("delegate-ids", NULL), &options, 50);
}

static void opening_several_dumps_fails_at_each(void **state) {
    (void)state;
    const eti_source dumps[] = {{.path = DATA "mlp/run.etdp"}, {.path = DATA "mlp/run.etdp"}};
    assert_walks_open(&(const eti_inputs){.etdumps = dumps, .n_etdumps = 2}, NULL, 20);
}

static void opening_memory_fails_at_each(void **state) {
    (void)state;
    size_t size;
    uint8_t *bytes = read_whole_file(DATA "allocation-events/run.etdp", &size);
    const eti_source dump = {.data = bytes, .size = size};
    assert_walks_open(&(const eti_inputs){.etdumps = &dump, .n_etdumps = 1}, NULL, 5);
    free(bytes);
}

static eti_status open_file(void *context, eti_error *err) {
    eti_file *file = (void *)poison;
    eti_status status = eti_file_open(&file, context, err);
    if (status != ETI_OK)
        assert_null(file);
    eti_file_close(file);
    return status;
}

static void opening_a_file_fails_at_each(void **state) {
    (void)state;
    char path[] = DATA "mlp/run.etdp", unmappable[] = "/proc/self/status";
    assert_int_equal(walk(open_file, path, false), 3);
    assert_int_equal(walk(open_file, unmappable, false), 3);
}

/* Its buffer starts with one page. */
static void opening_a_large_file_fails_at_each(void **state) {
    (void)state;
    char path[] = "/tmp/etinspect-large-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(ftruncate(descriptor, 5 << 20), 0);
    close(descriptor);
    assert_int_equal(walk(open_file, path, false), 3);
    unlink(path);
}

/* ---- tables ---------------------------------------------------------------------------------- */

typedef struct tables {
    eti_inspector *inspector;
    eti_table *events;
    const eti_table_options *options;
    const char *format, *path;
    size_t n_bytes; /* bytes that a function received */
} tables;

static void open_tables(tables *t) {
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_open(&t->inspector, INPUTS("delegate-ids", NULL), NULL, &err));
    const eti_table_options options = {true, true, ETI_METADATA_JSON};
    assert_ok(eti__inspector_events_table(&t->events, t->inspector, &options, &err));
}

static void close_tables(tables *t) {
    eti_table_free(t->events);
    eti_inspector_close(t->inspector);
}

static eti_status make_events(void *context, eti_error *err) {
    const tables *t = context;
    eti_table *table = (void *)poison;
    eti_status status = eti__inspector_events_table(&table, t->inspector, t->options, err);
    if (status != ETI_OK)
        assert_null(table);
    eti_table_free(table);
    return status;
}

static void the_events_table_fails_at_each(void **state) {
    (void)state;
    tables t = {0};
    open_tables(&t);
    assert_true(walk(make_events, &t, false) > 3);
    for (int form = ETI_METADATA_BYTES; form <= ETI_METADATA_JSON; form++) {
        t.options = &(const eti_table_options){false, true, (eti_metadata_form)form};
        assert_true(walk(make_events, &t, false) > 3);
    }
    close_tables(&t);
}

/* A view to make with these options. */
typedef struct viewing {
    const eti_inspector *inspector;
    const char *view;
    const eti_view_options *options;
} viewing;

static eti_status make_report(void *context, eti_error *err) {
    const viewing *v = context;
    eti_report *report = (void *)poison;
    eti_status status = eti__inspector_report(&report, v->inspector, v->view, v->options, err);
    if (status != ETI_OK)
        assert_null(report);
    eti_report_free(report);
    forget_accounts(v->inspector);
    return status;
}

static void views_of_time_fail_at_each(void **state) {
    (void)state;
    const eti_view_options defaults = ETI_VIEW_OPTIONS_DEFAULT;
    eti_view_options special = defaults;
    special.split_variants = special.per_event = true;
    static const struct {
        const char *view;
        bool is_special;
    } views[] = {
        {"summary", false}, {"summary", true}, {"runs", false}, {"runs", true}, {"alloc", false}};
    static const char *const dumps[] = {DATA "delegate-ids/run.etdp", DATA "control-flow/run.etdp",
                                        DATA "allocation-events/run.etdp"};
    for (size_t d = 0; d < COUNT_OF(dumps); d++) {
        const eti_source dump = {.path = dumps[d]};
        const eti_inputs inputs = {.etdumps = &dump, .n_etdumps = 1};
        eti_inspector *inspector;
        eti_error err = ETI_ERROR_INIT;
        assert_ok(eti__inspector_open(&inspector, &inputs, NULL, &err));
        for (size_t i = 0; i < COUNT_OF(views); i++) {
            viewing v = {inspector, views[i].view, views[i].is_special ? &special : &defaults};
            assert_true(walk(make_report, &v, false) > 5);
        }
        eti_inspector_close(inspector);
    }
}

static eti_status make_modules(void *context, eti_error *err) {
    static const char *const names[] = {"linear", "nosuch", ""};
    const tables *t = context;
    eti_table *table = (void *)poison;
    eti_status status = eti__view_modules(&table, t->inspector, names, 3, NULL, err);
    if (status != ETI_OK)
        assert_null(table);
    eti_table_free(table);
    return status;
}

static void the_modules_table_fails_at_each(void **state) {
    (void)state;
    tables t = {0};
    open_tables(&t);
    assert_true(walk(make_modules, &t, true) > 3);
    close_tables(&t);
}

static bool receive(void *context, const void *data, size_t size) {
    tables *t = context;
    (void)data;
    t->n_bytes += size;
    return true;
}

static eti_status read_cells(const eti_table *table, eti_error *err) {
    eti_table_reader *reader = (void *)poison;
    double values[5];
    eti_status status = eti_table_reader_open(&reader, table, err);
    for (size_t i = 0; status == ETI_OK && i < 5 * 9; i++) {
        if (!eti_table_reader_cell(reader, i % 5, i / 5))
            status = eti_fail_memory(err);
    }
    assert_true(status == ETI_OK || !reader || !eti_table_reader_cell(reader, 0, 0));
    eti_table_reader_close(reader);
    return status == ETI_OK ? eti_table_read_doubles(table, 1, 0, 5, values, NULL, err) : status;
}

/* regcomp() and regexec() allocate for themselves. */
static eti_status make_and_select(void *context, eti_error *err) {
    const tables *t = context;
    static const eti_selection selection = {
        .columns = "event_name,p99,stddev,self_share,share,source,module,raw,op_types_all",
        .filter = "start_time =~ \"^.[0-9]\" and event_name != \"x\" or raw == \"[]\"",
        .sort = "event_name,op_types:desc,p50,debug_handles",
        .top = 5,
    };
    eti_report *report = (void *)poison;
    eti_status status = eti__inspector_report(&report, t->inspector, "events", NULL, err);
    if (status != ETI_OK) {
        assert_null(report);
        return status;
    }
    status = eti__report_select(report, &selection, err);
    if (status == ETI_OK)
        status = read_cells(eti_report_table(report, 0), err);
    if (status == ETI_OK)
        status = eti__report_write(report, "csv", NULL, receive, context, err);
    eti_report_free(report);
    forget_accounts(t->inspector);
    return status;
}

static void selecting_fails_at_each(void **state) {
    (void)state;
    tables t = {0};
    open_tables(&t);
    size_t n = walk(make_and_select, &t, true);
    print_message("selecting: %zu allocations\n", n);
    assert_true(n > 50);
    close_tables(&t);
}

/* One option of each kind, and one that is set back. */
static eti_status set_options(eti_request *request, eti_error *err) {
    static const char *const settings[][2] = {
        {"label", "device=board"},   {"delegate_time_scale", "Qnn=us"}, {"module", "fc"},
        {"fail_on", "op:p50>+5%"},   {"etrecord_path", "x.etrecord"},   {"top", "5"},
        {"target_time_scale", "us"}, {"etdump_path", "x.etdp"},         {"module", NULL},
    };
    static const eti_source source = {"x.csv", "x", 1};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        ETI_TRY(eti_request_set(request, settings[i][0], settings[i][1], err));
    return eti_request_add_input(request, "budget", &source, err);
}

static eti_status ask(void *context, eti_error *err) {
    (void)context;
    eti_request *request = (void *)poison, *copy = NULL;
    eti_status status = eti_request_new(&request, err);
    if (status == ETI_OK)
        status = set_options(request, err);
    if (status == ETI_OK)
        status = eti_request_copy(&copy, request, err);
    eti_request_free(copy);
    eti_request_free(request);
    return status;
}

static void asking_fails_at_each(void **state) {
    (void)state;
    size_t n = walk(ask, NULL, false);
    print_message("asking: %zu allocations\n", n);
    assert_true(n > 20);
}

static void resetting_an_option_fails_without_a_change(void **state) {
    static const char *const settings[][2] = {
        {"module", "a"}, {"label", "device=board"}, {"top", "5"}, {"module", "b"}};
    (void)state;
    bool is_reset = false;
    size_t n;
    for (n = 1; !is_reset; n++) {
        eti_error err = ETI_ERROR_INIT;
        eti_request *request;
        assert_ok(eti_request_new(&request, &err));
        for (size_t i = 0; i < COUNT_OF(settings); i++)
            assert_ok(eti_request_set(request, settings[i][0], settings[i][1], &err));
        n_allocations = 0;
        fail_at = n;
        eti_status status = eti_request_set(request, "module", NULL, &err);
        fail_at = 0;
        is_reset = status == ETI_OK;
        assert_int_equal(status, is_reset ? ETI_OK : ETI_ERROR_MEMORY);
        assert_int_equal(eti__request_view(request).n_modules, is_reset ? 0 : 2);
        assert_int_equal(eti__request_selection(request).top, 5);
        assert_int_equal(eti__request_write(request).n_labels, 1);
        assert_string_equal(eti_request_get(request, "label"), "device=board");
        eti_request_free(request);
    }
    assert_true(n > 3);
}

static void options_reset_again_and_again_need_no_more_memory(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_request *request;
    assert_ok(eti_request_new(&request, &err));
    assert_ok(eti_request_set(request, "label", "device=board", &err));
    assert_ok(eti_request_set(request, "module", NULL, &err));
    const char *label = eti_request_get(request, "label");
    size_t n_before = n_live;
    for (size_t i = 0; i < 50000; i++)
        assert_ok(eti_request_set(request, "module", NULL, &err));
    assert_int_equal(n_live, n_before);
    assert_ptr_equal(eti_request_get(request, "label"), label);
    eti_request_free(request);
}

static eti_status (*const checks[])(eti_inspector *inspector, eti_error *err) = {
    eti_inspector_check_times, eti_inspector_check_plans, eti_inspector_check_tensors};

/* Makes the check with its n-th allocation failing, and then again; returns whether it failed. */
static bool check_again(const eti_inputs *inputs, size_t check, size_t n, size_t *n_notes) {
    eti_error err = ETI_ERROR_INIT;
    eti_inspector *inspector;
    assert_ok(eti__inspector_open(&inspector, inputs, NULL, &err));
    size_t n_before = eti_inspector_note_count(inspector);
    n_allocations = 0;
    fail_at = n;
    eti_status status = checks[check](inspector, &err);
    fail_at = 0;
    if (status != ETI_OK) {
        assert_int_equal(status, ETI_ERROR_MEMORY);
        assert_int_equal(eti_inspector_note_count(inspector), n_before);
    }
    assert_ok(checks[check](inspector, &err));
    *n_notes = eti_inspector_note_count(inspector);
    eti_inspector_close(inspector);
    return status != ETI_OK;
}

static void checks_that_failed_are_made_again(void **state) {
    (void)state;
    const eti_inputs inputs = {.etdumps = SOURCE("mlp/run.etdp"),
                               .n_etdumps = 1,
                               .etrecord = SOURCE("mlp/record.etrecord"),
                               .programs = SOURCE("mlp/model.pte"),
                               .n_programs = 1,
                               .debug_buffer = SOURCE("mlp/debug_buffer.bin")};
    for (size_t check = 0; check < COUNT_OF(checks); check++) {
        size_t n_expected, n_found, n = 1;
        assert_false(check_again(&inputs, check, 0, &n_expected));
        for (; check_again(&inputs, check, n, &n_found); n++)
            assert_int_equal(n_found, n_expected);
        assert_true(n > 1);
    }
}

static eti_status write_table(void *context, eti_error *err) {
    tables *t = context;
    return eti_table_write(t->events, t->format, receive, t, err);
}

/* Graphs and gates are not tables. */
static bool is_of_one_view(const char *format) {
    return !(eti__writer_find(format)->takes & ETI_TAKES_TABLES);
}

static void writing_fails_at_each(void **state) {
    (void)state;
    tables t = {0};
    open_tables(&t);
    for (size_t i = 0; (t.format = eti_format_name(i)); i++) {
        if (is_of_one_view(t.format))
            continue;
        assert_true(walk(write_table, &t, false) >= 2);
        assert_true(t.n_bytes > 0);
    }
    close_tables(&t);
}

/* ---- Arrow streams --------------------------------------------------------------------------- */

/* A batch that fails leaves nothing behind. */
static eti_status read_batches(struct ArrowArrayStream *stream, size_t n_rows, eti_error *err) {
    struct ArrowSchema schema;
    struct ArrowArray batch;
    size_t n = 0;
    if (stream->get_schema(stream, &schema) != 0) {
        assert_null(schema.release);
        return eti_fail_memory(err);
    }
    schema.release(&schema);
    for (;;) {
        int code = stream->get_next(stream, &batch);
        if (code != 0) {
            assert_int_equal(code, ENOMEM);
            assert_non_null(strstr(stream->get_last_error(stream), "out of memory"));
            assert_null(batch.release);
            return eti_fail_memory(err);
        }
        if (!batch.release)
            break;
        n += (size_t)batch.length;
        batch.release(&batch);
    }
    assert_int_equal(n, n_rows);
    return ETI_OK;
}

static eti_status stream_samples(void *context, eti_error *err) {
    const tables *t = context;
    struct ArrowArrayStream stream = {.release = (void (*)(struct ArrowArrayStream *))abort};
    size_t n_rows = 0;
    for (size_t b = 0; b < eti_inspector_block_count(t->inspector); b++) {
        const eti_event_block *block = eti_inspector_block(t->inspector, b);
        for (size_t i = 0; i < eti_event_block_event_count(block); i++)
            n_rows += eti_event_sample_count(eti_event_block_event(block, i));
    }
    eti_status status = eti_inspector_samples_arrow_stream(&stream, t->inspector, err);
    if (status == ETI_OK)
        status = read_batches(&stream, n_rows, err);
    if (stream.release)
        stream.release(&stream);
    forget_accounts(t->inspector);
    return status;
}

static eti_status stream_events(void *context, eti_error *err) {
    const tables *t = context;
    struct ArrowArrayStream stream = {.release = NULL};
    eti_report *report;
    eti_status status = eti_inspector_report(&report, t->inspector, "events", NULL, err);
    if (status != ETI_OK)
        return status;
    const eti_table *table = eti_report_table(report, 0);
    size_t n_rows = eti_table_row_count(table);
    status = eti_table_arrow_stream(&stream, table, err);
    eti_report_free(report);
    if (status == ETI_OK)
        status = read_batches(&stream, n_rows, err);
    if (stream.release)
        stream.release(&stream);
    forget_accounts(t->inspector);
    return status;
}

/* An ETDump from a folder with a label, and a file that is no ETDump, with its own record. */
static eti_status stream_rows(void *context, eti_error *err) {
    static const eti_source dumps[] = {{.path = "testdata/small/run.etdp"},
                                       {.path = "build=7/x", .data = "damaged", .size = 7}};
    static const eti_source record_source = {.path = "testdata/mlp/record.etrecord"};
    struct ArrowArrayStream stream = {.release = NULL};
    const eti_request *request = context;
    eti_request *copy = NULL;
    eti_record *record = NULL;
    eti_rows *rows = NULL;
    eti_status status = eti_record_open(&record, &record_source, err);
    if (status == ETI_OK)
        status = eti_request_copy(&copy, request, err);
    if (status == ETI_OK) {
        eti_request_set_record(copy, record);
        status = eti_rows_new(&rows, dumps, 2, copy, err);
    }
    eti_record_close(record);
    eti_request_free(copy);
    if (status == ETI_OK)
        status = eti_rows_arrow_stream(&stream, rows, err);
    eti_rows_free(rows);
    if (status == ETI_OK)
        status = read_batches(&stream, 17 + 1, err);
    if (stream.release)
        stream.release(&stream);
    return status;
}

static void rows_fail_at_each(void **state) {
    eti_request *request;
    (void)state;
    assert_int_equal(eti_request_new(&request, NULL), ETI_OK);
    assert_int_equal(eti_request_set(request, "labels_from_path", "true", NULL), ETI_OK);
    assert_true(walk(stream_rows, request, false) > 100);
    assert_int_equal(eti_request_set(request, "filter", "run >= 0", NULL), ETI_OK);
    assert_true(walk(stream_rows, request, false) > 100);
    eti_request_free(request);
}

static void streams_fail_at_each(void **state) {
    (void)state;
    tables t = {0};
    open_tables(&t);
    assert_true(walk(stream_samples, &t, false) > 30);
    assert_true(walk(stream_events, &t, false) > 50);
    close_tables(&t);
}

/* ---- roll-ups -------------------------------------------------------------------------------- */

typedef struct rollup_request {
    eti_inspector *inspector;
    const char *view, *format;
    eti_view_options options;
    size_t n_bytes;
} rollup_request;

static bool receive_rollup(void *context, const void *data, size_t size) {
    rollup_request *request = context;
    (void)data;
    request->n_bytes += size;
    return true;
}

static eti_status print_rollup(void *context, eti_error *err) {
    rollup_request *request = context;
    eti_report *report = (void *)poison;
    eti_status status =
        eti__inspector_report(&report, request->inspector, request->view, &request->options, err);
    if (status != ETI_OK)
        assert_null(report);
    else
        status = eti__report_write(report, request->format, NULL, receive_rollup, request, err);
    eti_report_free(report);
    forget_accounts(request->inspector);
    return status;
}

static void walk_rollups(const eti_inputs *inputs) {
    static const char *const groups[] = {"op", "backend", "module:1", "source", "block", "method"};
    static const char *const views[][2] = {{"tree", "csv"},
                                           {"ops", "csv"},
                                           {"delegates", "csv"},
                                           {"source", "csv"},
                                           {"graph", "dot"},
                                           {"graph", "model-explorer"},
                                           {"graph", "model-explorer-data"},
                                           {"trace", "chrome"},
                                           {"trace", "perfetto"},
                                           {"trace", "speedscope"},
                                           {"trace", "folded"},
                                           {"trace", "pprof"}};
    rollup_request request = {
        .view = "groups", .format = "csv", .options = ETI_VIEW_OPTIONS_DEFAULT};
    eti_error err = ETI_ERROR_INIT;
    /* otherwise the record would keep the values that the first report reads */
    const eti_options options = {.target_time_scale = ETI_SCALE_MS, .reads_values = true};
    assert_ok(eti__inspector_open(&request.inspector, inputs, &options, &err));
    request.options.source_root = "testdata"; /* which has models.py */
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        request.options.group = groups[i];
        assert_true(walk(print_rollup, &request, false) > 10);
    }
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        request.view = views[i][0];
        request.format = views[i][1];
        assert_true(walk(print_rollup, &request, false) > 10);
    }
    assert_true(request.n_bytes > 0);
    eti_inspector_close(request.inspector);
}

static void rollups_fail_at_each(void **state) {
    (void)state;
    walk_rollups(INPUTS("xnnpack-conv", NULL));
    walk_rollups(INPUTS("transformer", NULL));
}

/* Counters and debug events. */
static void walk_traces(const eti_inputs *inputs) {
    static const char *const formats[] = {"chrome", "perfetto"};
    rollup_request request = {.view = "trace", .options = ETI_VIEW_OPTIONS_DEFAULT};
    eti_error err = ETI_ERROR_INIT;
    request.options.debug_events = true;
    assert_ok(eti__inspector_open(&request.inspector, inputs, NULL, &err));
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        request.format = formats[i];
        request.options.trace_time = (unsigned)i;
        assert_true(walk(print_rollup, &request, false) > 10);
    }
    eti_inspector_close(request.inspector);
}

static void traces_fail_at_each(void **state) {
    (void)state;
    const eti_source allocating = {.path = "testdata/allocation-events/run.etdp"};
    const eti_source logging = {.path = "testdata/control-flow/run.etdp"};
    const eti_source program = {.path = "testdata/control-flow/model.pte"};
    walk_traces(&(eti_inputs){.etdumps = &allocating, .n_etdumps = 1});
    walk_traces(
        &(eti_inputs){.etdumps = &logging, .n_etdumps = 1, .programs = &program, .n_programs = 1});
}

/* ---- comparing ------------------------------------------------------------------------------- */

typedef struct comparison {
    eti_inspector *base, *new_side;
    const eti_profile *base_profile, *new_profile, *other_profile, *history;
    const char *group;
    char path[64]; /* of a baseline */
    size_t n_bytes;
} comparison;

static bool receive_comparison(void *context, const void *data, size_t size) {
    comparison *c = context;
    (void)data;
    c->n_bytes += size;
    return true;
}

static eti_status write_and_free(comparison *c, eti_report *report, eti_error *err) {
    eti_status status = eti__report_write(report, "csv", NULL, receive_comparison, c, err);
    eti_report_free(report);
    return status;
}

static eti_status make_profile(void *context, eti_error *err) {
    static const eti_label labels[] = {{"device", "a"}, {"commit", "b"}};
    const eti_profile_options options = {
        .skip_first = ETI_SKIP_WARM_UP, .labels = labels, .n_labels = 2};
    comparison *c = context;
    eti_profile *profile = (void *)poison;
    eti_status status = eti__profile_from_inspector(&profile, c->base, &options, err);
    if (status != ETI_OK)
        assert_null(profile);
    eti_profile_free(profile);
    forget_accounts(c->base);
    return status;
}

static eti_status compare(void *context, eti_error *err) {
    comparison *c = context;
    eti_report *report = (void *)poison;
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.group = c->group;
    eti_status status = eti__diff_report(&report, c->base_profile, c->new_profile, &options, err);
    if (status != ETI_OK) {
        assert_null(report);
        return status;
    }
    return write_and_free(c, report, err);
}

static eti_status tell_noise(void *context, eti_error *err) {
    comparison *c = context;
    eti_report *report = (void *)poison;
    eti_status status = eti__noise_report(&report, c->history, NULL, err);
    if (status != ETI_OK) {
        assert_null(report);
        return status;
    }
    return write_and_free(c, report, err);
}

static eti_status find_trend(void *context, eti_error *err) {
    comparison *c = context;
    eti_report *report = (void *)poison;
    eti_trend_options options = ETI_TREND_OPTIONS_DEFAULT;
    options.n_threads = 1;
    options.diff.alpha = 0.5; /* with this alpha, a few files suffice */
    eti_status status = eti__trend_report(&report, c->history, &options, err);
    if (status != ETI_OK) {
        assert_null(report);
        return status;
    }
    return write_and_free(c, report, err);
}

/* All kinds of rules, files and formats at once. */
static eti_status gate(void *context, eti_error *err) {
    static const char *const rules[] = {"p50>+5%", "module=*:avg>+5%", "total:p50>1us",
                                        "op=*:p90>1us", "source:p50>+1%"};
    static const char *const formats[] = {"junit", "github", "benchmark", "codequality",
                                          "markdown"};
    static const char budget[] = "what,metric,limit,comment\ntotal,p50,1ns,\"a, b\"\n";
    static const char list[] = "pattern,reason,expires\nMethod*,why,2000-01-01\ntotal,why,\n";
    const eti_source budgets = {"budget.csv", budget, sizeof budget - 1};
    const eti_source allowed = {"allow.csv", list, sizeof list - 1};
    comparison *c = context;
    eti_report *report = (void *)poison;
    eti_gate_outcome outcome;
    eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    options.rules = rules;
    options.n_rules = COUNT_OF(rules);
    options.budgets = &budgets;
    options.allowed = &allowed;
    options.n_budgets = options.n_allowed = 1;
    eti_status status =
        eti__gate_report(&report, &outcome, c->base_profile, c->new_profile, &options, err);
    if (status != ETI_OK) {
        assert_null(report);
        return status;
    }
    for (size_t i = 0; i < COUNT_OF(formats) && status == ETI_OK; i++)
        status = eti__report_write(report, formats[i], NULL, receive_comparison, c, err);
    eti_report_free(report);
    return status;
}

static eti_status merge_save_and_read(void *context, eti_error *err) {
    comparison *c = context;
    const eti_profile *const both[] = {c->base_profile, c->other_profile};
    const eti_source saved = {.path = c->path};
    const eti_baseline_options options = {.allow_unlike = true};
    eti_profile *merged = (void *)poison, *read = (void *)poison;
    eti_status status = eti__profile_merge(&merged, both, 2, true, err);
    if (status != ETI_OK) {
        assert_null(merged);
        return status;
    }
    status = eti__profile_save(merged, saved.path, &options, err);
    eti_profile_free(merged);
    if (status != ETI_OK)
        return status;
    status = eti__profile_read(&read, &saved, NULL, err);
    if (status != ETI_OK) {
        assert_null(read);
        return status;
    }
    eti_report *report = (void *)poison;
    status = eti__profile_report(&report, read, true, err);
    if (status == ETI_OK)
        status = write_and_free(c, report, err);
    else
        assert_null(report);
    eti_profile_free(read);
    return status;
}

static eti_status swap_and_free(void *context, eti_error *err) {
    const eti_report *report = context;
    eti_report *other = (void *)poison;
    eti_status status = report->swap.make(&other, report->swap.context, err);
    if (status != ETI_OK)
        assert_null(other);
    eti_report_free(other);
    return status;
}

static void swapping_fails_at_each(void **state) {
    (void)state;
    static const uint64_t ticks[] = {1000, 1010, 990, 1020, 980, 1000, 2000, 2010};
    eti_profile *base = profile_of_files(ticks, 1, 4, 0),
                *new_side = profile_of_files(ticks + 4, 1, 4, 0);
    eti_error err = ETI_ERROR_INIT;
    eti_request *request;
    eti_report *report;
    assert_ok(eti_request_new(&request, &err));
    assert_ok(eti_request_set(request, "filter", "event_name == \"e0\"", &err));
    assert_ok(eti_diff_report(&report, base, new_side, NULL, &err));
    assert_ok(eti_report_select(report, request, &err));
    assert_true(walk(swap_and_free, report, false) > 20);
    eti_report_free(report);
    eti_request_free(request);
    eti_profile_free(base);
    eti_profile_free(new_side);
}

static void comparing_fails_at_each(void **state) {
    (void)state;
    static const char *const groups[] = {NULL, "op", "module", "backend", "source"};
    comparison c = {.base = NULL};
    static const uint64_t ticks[] = {1000, 1010, 990,  1020, 980, 1000, 2000, 2010, 2000,
                                     2000, 2000, 2500, 3000, 1,   3100, 3000, 3000, 3000};
    eti_profile *base, *new_side, *history = profile_of_files(ticks, 3, 6, 0);
    eti_error err = ETI_ERROR_INIT;
    c.history = history;
    assert_ok(eti__inspector_open(&c.base, INPUTS("transformer", NULL), NULL, &err));
    assert_ok(eti__inspector_open(&c.new_side, INPUTS("xnnpack-conv", NULL), NULL, &err));
    assert_ok(eti__profile_from_inspector(&base, c.base, NULL, &err));
    assert_ok(eti__profile_from_inspector(&new_side, c.new_side, NULL, &err));
    forget_accounts(c.base);
    c.base_profile = base;
    c.other_profile = new_side;
    assert_true(walk(make_profile, &c, false) > 10);
    for (size_t i = 0; i < COUNT_OF(groups); i++) {
        c.group = groups[i];
        c.new_profile = base;
        assert_true(walk(compare, &c, false) > 20);
        c.new_profile = new_side;
        assert_true(walk(compare, &c, false) > 20);
    }
    assert_true(walk(tell_noise, &c, false) > 10);
    assert_true(walk(find_trend, &c, false) > 20);
    /* files whose identity is unknown: they may come from the same process */
    for (size_t i = 0; i < history->n_files; i++)
        history->files[i].size = 0;
    c.base_profile = c.new_profile = history;
    assert_true(walk(gate, &c, false) > 50);
    c.base_profile = c.new_profile = base;
    /* libcsv's own allocations do not fail here. */
    char folder[] = "/tmp/etinspect-comparing-XXXXXX";
    assert_non_null(mkdtemp(folder));
    snprintf(c.path, sizeof c.path, "%s/baseline.csv", folder);
    assert_true(walk(merge_save_and_read, &c, false) > 20);
    unlink(c.path);
    rmdir(folder);
    eti_profile_free(base);
    eti_profile_free(history);
    eti_profile_free(new_side);
    eti_inspector_close(c.base);
    eti_inspector_close(c.new_side);
}

/* ---- saving ---------------------------------------------------------------------------------- */

static eti_status save_table(void *context, eti_error *err) {
    tables *t = context;
    return eti_table_save(t->events, t->format, t->path, err);
}

static void put_file(const char *path, const char *content) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(content, file);
    fclose(file);
}

static size_t count_files(const char *folder) {
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    size_t n = 0;
    while (readdir(directory))
        n++;
    closedir(directory);
    return n - 2;
}

/* As long as any allocation fails, the file that the link names is unchanged. */
static eti_status save_or_keep(void *context, eti_error *err) {
    eti_status status = save_table(context, err);
    struct stat found;
    assert_int_equal(stat("target", &found), 0);
    assert_true(status == ETI_OK ? found.st_size > 4 : found.st_size == 4);
    assert_int_equal(count_files("."), 2);
    return status;
}

static void saving_fails_at_each(void **state) {
    (void)state;
    tables t = {.path = "link"};
    open_tables(&t);
    char folder[] = "/tmp/etinspect-allocations-XXXXXX";
    int top = open(".", O_RDONLY | O_DIRECTORY);
    assert_true(top >= 0);
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(symlink("target", "link"), 0);
    for (size_t i = 0; (t.format = eti_format_name(i)); i++) {
        if (is_of_one_view(t.format))
            continue;
        put_file("target", "old\n");
        assert_true(walk(save_or_keep, &t, false) >= 5);
    }
    unlink("link");
    unlink("target");
    assert_int_equal(fchdir(top), 0);
    close(top);
    assert_int_equal(rmdir(folder), 0);
    close_tables(&t);
}

typedef struct terminal {
    tables tables;
    int screen;
} terminal;

static eti_status save_to_terminal(void *context, eti_error *err) {
    terminal *t = context;
    eti_status status = save_table(&t->tables, err);
    char shown[4096];
    while (read(t->screen, shown, sizeof shown) > 0) {
    }
    return status;
}

/* A terminal gets a copy of the table without control characters. */
static void showing_fails_at_each(void **state) {
    (void)state;
    terminal t = {.tables.format = "tsv", .screen = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK)};
    if (t.screen < 0)
        skip();
    assert_int_equal(grantpt(t.screen), 0);
    assert_int_equal(unlockpt(t.screen), 0);
    t.tables.path = ptsname(t.screen);
    /* so that reading does not find its end */
    int kept_open = open(t.tables.path, O_RDWR | O_NOCTTY);
    assert_true(kept_open >= 0);
    eti_error err = ETI_ERROR_INIT;
    const eti_column column = {.name = {"name", 4}};
    assert_ok(eti__table_new(&t.tables.events, &column, 1, &err));
    *eti__table_add_row(t.tables.events) =
        (eti_cell){.kind = ETI_CELL_TEXT, .as_text = {"a\033b", 3}};
    assert_true(walk(save_to_terminal, &t, false) >= 5);
    close(kept_open);
    close(t.screen);
    close_tables(&t.tables);
}

/* ---- change points --------------------------------------------------------------------------- */

static eti_status find_change_points(void *context, eti_error *err) {
    (void)context;
    static const double values[] = {1, 1, 1, 1, 5, 5, 5, 5}; /* one more to count their orders */
    eti_change_point points[COUNT_OF(values)];
    size_t n;
    return eti__find_change_points(points, &n, values, COUNT_OF(values), 0.1, 1, err);
}

static void change_points_fail_at_each(void **state) {
    (void)state;
    assert_true(walk(find_change_points, NULL, false) >= 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opening_fails_at_each),
        cmocka_unit_test(opening_lowered_modules_fails_at_each),
        cmocka_unit_test(opening_with_options_fails_at_each),
        cmocka_unit_test(opening_several_dumps_fails_at_each),
        cmocka_unit_test(opening_memory_fails_at_each),
        cmocka_unit_test(opening_a_file_fails_at_each),
        cmocka_unit_test(opening_a_large_file_fails_at_each),
        cmocka_unit_test(the_events_table_fails_at_each),
        cmocka_unit_test(selecting_fails_at_each),
        cmocka_unit_test(views_of_time_fail_at_each),
        cmocka_unit_test(the_modules_table_fails_at_each),
        cmocka_unit_test(asking_fails_at_each),
        cmocka_unit_test(resetting_an_option_fails_without_a_change),
        cmocka_unit_test(options_reset_again_and_again_need_no_more_memory),
        cmocka_unit_test(checks_that_failed_are_made_again),
        cmocka_unit_test(writing_fails_at_each),
        cmocka_unit_test(streams_fail_at_each),
        cmocka_unit_test(rows_fail_at_each),
        cmocka_unit_test(rollups_fail_at_each),
        cmocka_unit_test(traces_fail_at_each),
        cmocka_unit_test(swapping_fails_at_each),
        cmocka_unit_test(comparing_fails_at_each),
        cmocka_unit_test(saving_fails_at_each),
        cmocka_unit_test(showing_fails_at_each),
        cmocka_unit_test(change_points_fail_at_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
