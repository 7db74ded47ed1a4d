/*
 * fuzz_history.c - the input is a byte of options, an existing baseline, and baselines that are appended to it one after
 * the other, as by baseline save --append, with NULs between them; their last records may be missing. Each append succeeds and keeps everything except the
 * files that --keep drops, or fails and leaves the file unchanged; no other file is left in its folder.
 */
#include "table/table.h"

#include "baseline_end.h"
#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_APPENDS 4

enum { ALLOW_UNLIKE = 1, SAMPLES = 2, KEEP = 4 }; /* and the number to keep in the bits above */

/* ---- the file -------------------------------------------------------------------------------- */

static char folder[] = "/tmp/etinspect-fuzz-XXXXXX", path[64];

static void remove_folder(void) {
    unlink(path);
    rmdir(folder);
}

static void make_folder(void) {
    if (*path)
        return;
    FUZZ_EXPECT(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/history.csv", folder);
    FUZZ_EXPECT(atexit(remove_folder) == 0);
}

static void write_file(eti_text content) {
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    FUZZ_EXPECT(write(descriptor, content.data, content.size) == (ssize_t)content.size);
    close(descriptor);
}

static eti_buffer read_file(void) {
    eti_buffer content = {0};
    char piece[4096];
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    for (ssize_t n; descriptor >= 0 && (n = read(descriptor, piece, sizeof piece)) > 0;)
        eti__buffer_add(&content, piece, (size_t)n);
    if (descriptor >= 0)
        close(descriptor);
    return content;
}

static size_t count_files(void) {
    size_t n = 0;
    DIR *directory = opendir(folder);
    FUZZ_EXPECT(directory);
    for (struct dirent *entry; (entry = readdir(directory));)
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(directory);
    return n;
}

/* ---- appending ------------------------------------------------------------------------------- */

static eti_profile *read_profile(const eti_source *source) {
    eti_profile *profile;
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__profile_read(&profile, source, NULL, &err);
    if (status != ETI_OK)
        fuzz_expect_error(status, &err);
    return profile;
}

/* A history is read back as it was written. It has at most so many files: those of a push may be one. */
static eti_profile *read_again(size_t most_files, bool has_ticks) {
    eti_buffer written = read_file(), again = {0};
    eti_profile *profile = read_profile(&(eti_source){.path = path});
    eti_output *output;
    FUZZ_EXPECT(profile && profile->n_files <= most_files && profile->has_ticks == has_ticks);
    FUZZ_EXPECT(eti__output_open_function(&output, fuzz_keep, &again, NULL) == ETI_OK);
    FUZZ_EXPECT(eti__baseline_write(profile, profile->figures, has_ticks, output));
    FUZZ_EXPECT(eti__output_commit(output, NULL) == ETI_OK);
    FUZZ_EXPECT(fuzz_same_bytes(&written, &again));
    eti__buffer_free(&written);
    eti__buffer_free(&again);
    return profile;
}

/* A baseline stores the name of a file without its folder, so there is no folder. */
static eti_text without_folders(eti_text name) {
    const char *slash = name.size > 0 ? memrchr(name.data, '/', name.size) : NULL;
    size_t n_dropped = slash ? (size_t)(slash + 1 - name.data) : 0;
    return (eti_text){name.data + n_dropped, name.size - n_dropped};
}

/* The last files of the history are the appended ones. */
static void expect_last_files(const eti_profile *history, const eti_profile *added) {
    size_t n = added->n_files < history->n_files ? added->n_files : history->n_files;
    for (size_t i = 1; i <= n; i++) {
        const eti_profile_file *found = &history->files[history->n_files - i],
                               *expected = &added->files[added->n_files - i];
        if (found->n_merged > 0) /* earlier files, if the added ones are of several pushes */
            break;
        FUZZ_EXPECT(fuzz_same_text(found->name, without_folders(expected->name)));
        FUZZ_EXPECT(found->size == expected->size);
    }
}

static eti_status merge_and_save(const eti_profile *before, const eti_profile *added,
                                 const eti_baseline_options *options, eti_error *err) {
    const eti_profile *const both[] = {before, added};
    eti_profile *merged;
    eti_status status = eti__profile_merge(&merged, both, 2, options->allow_unlike, err);
    if (status != ETI_OK)
        return status;
    status = eti__profile_save(merged, path, options, err);
    eti_profile_free(merged);
    return status;
}

/* Returns the history, which is still `before` if nothing can be added to it. */
static eti_profile *append(eti_profile *before, const eti_profile *added,
                           const eti_baseline_options *options) {
    eti_error err = ETI_ERROR_INIT;
    eti_buffer content = read_file();
    eti_status status = merge_and_save(before, added, options, &err);
    FUZZ_EXPECT(count_files() == 1);
    if (status != ETI_OK) {
        eti_buffer now = read_file();
        fuzz_expect_error(status, &err);
        FUZZ_EXPECT(fuzz_same_bytes(&content, &now));
        eti__buffer_free(&now);
        eti__buffer_free(&content);
        return before;
    }
    eti_profile *after =
        read_again(before->n_files + added->n_files, before->has_ticks || options->samples);
    expect_last_files(after, added);
    eti__buffer_free(&content);
    eti_profile_free(before);
    return after;
}

static eti_text take_part(fuzz_input *input) {
    const uint8_t *end = input->size > 0 ? memchr(input->data, 0, input->size) : NULL;
    eti_text part = fuzz_take(input, end ? (size_t)(end - input->data) : input->size);
    (void)fuzz_take(input, 1);
    return part;
}

static eti_profile *append_next(eti_profile *history, fuzz_input *input,
                                const eti_baseline_options *options) {
    eti_buffer text = {0};
    add_with_end(&text, take_part(input));
    eti_source source = fuzz_source("added", eti__buffer_text(&text));
    eti__buffer_free(&text);
    eti_profile *added = read_profile(&source);
    if (added)
        history = append(history, added, options);
    eti_profile_free(added);
    fuzz_source_free(source);
    return history;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = {data, size};
    uint64_t flags = fuzz_take_number(&input, 1);
    const eti_baseline_options options = {
        .samples = flags & SAMPLES,
        .appends = true,
        .allow_unlike = flags & ALLOW_UNLIKE,
        .n_pushes = flags & KEEP ? flags / (KEEP * 2) % 8 : 0,
        .no_sync = true,
    };
    make_folder();
    eti_buffer text = {0};
    add_with_end(&text, take_part(&input));
    write_file(eti__buffer_text(&text));
    eti__buffer_free(&text);
    eti_profile *history = read_profile(&(eti_source){.path = path});
    for (size_t i = 0; history && i < MOST_APPENDS && input.size > 0; i++)
        history = append_next(history, &input, &options);
    if (history) {
        eti_report *report;
        FUZZ_EXPECT(eti__profile_report(&report, history, true, NULL) == ETI_OK);
        eti_report_free(report);
    }
    eti_profile_free(history);
    return 0;
}
