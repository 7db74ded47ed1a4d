/* nrt_fixture.h - shared by tests of libnrt_profile_etcapture: an engine of a few lines, a folder for profiles, and
 * profiles read back by this project's reader. */
#ifndef ETI_TESTS_UNIT_NRT_NRT_FIXTURE_H
#define ETI_TESTS_UNIT_NRT_NRT_FIXTURE_H

#include "support.h"

#include "base/files.h"
#include "etcapture.h"
#include "etcapture_nrt.h"
#include "nrt/nrt_profile.h"
#include "nrt/nrt_status.h"
#include "read/read.h"

#include <glob.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- folder ---------------------------------------------------------------------------------- */

static char folder[64];

/* Sets up a test with an empty folder. */
static inline int make_folder(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/etcapture-nrt-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state) {
    char command[96];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command); /* NOLINT(cert-env33-c): of ours */
}

/* Returns a path that stays valid for three more calls. */
static inline const char *in_folder(const char *name) {
    static char paths[4][300];
    static unsigned turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static inline bool is_there(const char *path) {
    return access(path, F_OK) == 0;
}

static inline long size_of(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? (long)status.st_size : -1;
}

/* Returns the number of files in the folder whose path matches `pattern`; the first one is stored. */
static inline size_t find_files(const char *pattern, char first[300]) {
    glob_t found;
    size_t n = glob(in_folder(pattern), 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    if (n && first)
        snprintf(first, 300, "%s", found.gl_pathv[0]);
    globfree(&found);
    return n;
}

/* Returns the MiB of addresses that this process uses, of which sanitizers see only a part. 0: the system does not report
 * them. */
static inline long count_addresses(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    long n_pages = 0;
    if (!file)
        return 0;
    if (fscanf(file, "%ld", &n_pages) != 1)
        n_pages = 0;
    fclose(file);
    return n_pages / (1048576 / sysconf(_SC_PAGESIZE));
}

/* ---- engine ---------------------------------------------------------------------------------- */

static inline nrt_model_t *load(const char *name, uint32_t core) {
    nrt_model_t *model = NULL;
    assert_int_equal(etc_nrt_model_loaded(name, core, &model), NRT_SUCCESS);
    assert_non_null(model);
    return model;
}

/* Executes a model with this many events, and returns whether the execution was recorded. */
static inline bool execute_with(nrt_model_t *model, unsigned n_events, NRT_STATUS status) {
    etc_capture *c = etc_nrt_execute_begin(model);
    for (unsigned i = 0; i < n_events; i++) {
        etc_span span = etc_start_text(c, "native_call_conv");
        etc_end(c, &span);
    }
    assert_int_equal(etc_nrt_execute_end(model, status), NRT_SUCCESS);
    return c != NULL;
}

static inline bool execute(nrt_model_t *model) {
    return execute_with(model, 2, NRT_SUCCESS);
}

/* ---- profiles -------------------------------------------------------------------------------- */

typedef struct profile {
    uint8_t *data;
    struct eti_file file;
    eti_etdump dump;
    uint32_t n_runs;
} profile;

static inline void open_profile(profile *p, const char *path) {
    size_t size;
    eti_error err = ETI_ERROR_INIT;
    memset(p, 0, sizeof *p);
    p->data = read_whole_file(path, &size);
    assert_ok(eti__file_open_source(&p->file, &(eti_source){path, p->data, size}, &err));
    assert_ok(eti__etdump_open(&p->dump, &p->file, 1, &err));
    p->n_runs = p->dump.runs.count;
}

static inline void close_profile(profile *p) {
    eti__file_release(&p->file);
    free(p->data);
}

static inline eti_etdump_event event_of(const profile *p, uint32_t run, uint32_t event) {
    eti_etdump_event out;
    eti_etdump_run data = eti__etdump_read_run(&p->dump, run);
    assert_true(event < data.events.count);
    eti__etdump_read_event(&out, &p->dump,
                           eti__etdump_event_position(&p->dump, data.events, event));
    return out;
}

static inline eti_etdump_stamps stamps_of(const profile *p, uint32_t run, uint32_t event) {
    eti_etdump_run data = eti__etdump_read_run(&p->dump, run);
    return eti__etdump_read_stamps(&p->dump,
                                   eti__etdump_event_position(&p->dump, data.events, event));
}

/* Checks that the run is an execution of `model` with this many events of the engine. */
static inline void assert_execution(const profile *p, uint32_t run, const char *model,
                                    uint32_t n_events) {
    eti_etdump_run data = eti__etdump_read_run(&p->dump, run);
    assert_text(data.name, model);
    assert_int_equal(data.events.count, n_events + 1);
    for (uint32_t i = 0; i < n_events; i++) {
        eti_etdump_event event = event_of(p, run, i);
        assert_text(event.name, "native_call_conv");
        assert_int_equal(event.key.instruction_id, i);
    }
    assert_text(event_of(p, run, n_events).name, "nrt_execute");
    assert_int_equal(event_of(p, run, n_events).key.instruction_id, 0);
    assert_true(event_of(p, run, n_events).key.chain_is_negative);
    eti_etdump_stamps whole = stamps_of(p, run, n_events);
    for (uint32_t i = 0; i < n_events; i++) {
        assert_true(stamps_of(p, run, i).start_time >= whole.start_time);
        assert_true(stamps_of(p, run, i).end_time <= whole.end_time);
    }
}

/* Checks that the file has this many executions of `model`, each with this many events of the engine. */
static inline void assert_executions(const char *path, uint32_t n_runs, const char *model,
                                     uint32_t n_events) {
    profile p;
    open_profile(&p, path);
    assert_int_equal(p.n_runs, n_runs);
    for (uint32_t i = 0; i < n_runs; i++)
        assert_execution(&p, i, model, n_events);
    close_profile(&p);
}

/* Returns the number of runs with this name. */
static inline uint32_t count_runs(const char *path, const char *name) {
    profile p;
    uint32_t n = 0;
    open_profile(&p, path);
    for (uint32_t i = 0; i < p.n_runs; i++) {
        eti_text text = eti__etdump_read_run(&p.dump, i).name;
        n += text.size == strlen(name) && memcmp(text.data, name, text.size) == 0;
    }
    close_profile(&p);
    return n;
}

/* ---- options --------------------------------------------------------------------------------- */

static inline nrt_inspect_config_t *make_config(void) {
    nrt_inspect_config_t *config;
    assert_int_equal(nrt_inspect_config_allocate(&config), NRT_SUCCESS);
    assert_int_equal(nrt_inspect_config_set_output_dir(config, folder), NRT_SUCCESS);
    return config;
}

static inline void begin_with(nrt_inspect_config_t *config) {
    assert_int_equal(nrt_inspect_begin_with_options(config), NRT_SUCCESS);
    assert_int_equal(nrt_inspect_config_free(config), NRT_SUCCESS);
}

#endif
