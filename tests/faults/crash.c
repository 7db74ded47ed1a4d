/*
 * crash.c - reads the log of record.c, and derives every disk that a failure of the system could have left: after each
 * change, with unsynced changes kept, lost or half kept. Checks that the files of interest are always completely old or
 * new, and new at the end.
 *
 *     crash [OPTION]... LOG
 *
 *     -t NAME    a file that must have its first content (or be absent, if it was) or its last, and the last at the end
 *     -d FOLDER  writes each disk into a folder FOLDER/NUMBER, for other checks; the name ends in "-done" once everything
 *                is done, so that nothing may be missing
 *     -w CALL    ignores the calls that sync "files", "folder" or "all": the disks of a program that does not sync
 *     -p         prints the changes, one per line, and exits; digits of temporary names are shown as *
 *
 * Possible results of changes that were not synced:
 *
 *     names      each creation, renaming, linking and removal since the last sync of the folder has happened or not: all
 *                combinations; for more than MOST_FREE changes each number of first changes, and all but one
 *     contents   of the writes and truncations of a file since its last sync: all, none, each number of first ones, the
 *                next one by half, a single one, all but one; or the file has its new size, but zeros in place of the data
 *
 * Syncing a file does not sync its name. A single change of a name is never half done. If several files are unsynced, each
 * in turn varies, while all others have all changes, or none.
 *
 * Prints the number of changes and of disks, and exits with 0 if all disks are correct.
 */
#include "disk_log.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_TARGETS 8
#define MOST_FREE 6
#define MOST_SHOWN 5 /* problems */

/* Growing list of the numbers of changes. */
typedef struct list {
    size_t *values;
    size_t n;
} list;

/* State of a logged file during the replay. */
typedef struct file {
    bytes synced; /* synced content, which is certain */
    list pending; /* since then */
} file;

typedef struct replay {
    disk_log log;
    file *files;          /* as in the log */
    folder synced, after; /* names that are certain; names after all changes up to now */
    list pending;         /* changes of names since `synced` */
    const char *targets[MOST_TARGETS];
    bytes first[MOST_TARGETS], last[MOST_TARGETS]; /* contents; data is NULL: absent */
    size_t n_targets;
    const char *out;
    bool is_done;
    uint64_t *seen; /* hashes of disks */
    size_t n_seen, n_wrong, point;
} replay;

/* Which of a file's pending changes reached the disk. */
typedef enum fate_kind { FIRST, FIRST_AND_HALF, ONLY, ALL_BUT, ZEROS } fate_kind;
typedef struct fate {
    fate_kind kind;
    size_t n;
} fate;

static void append(list *to, size_t value) {
    to->values = grow(to->values, to->n, sizeof *to->values);
    to->values[to->n++] = value;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* `file` was determined when the change was read, since its name may be missing when an earlier change is lost. */
static void change_name(folder *in, const change *made) {
    if (made->kind == RENAME)
        folder_unlink(in, made->from);
    if (made->kind == UNLINK)
        folder_unlink(in, made->name);
    else
        folder_link(in, made->name, made->file);
}

/* ---- contents -------------------------------------------------------------------------------- */

static void resize(bytes *content, size_t size) {
    char *grown = realloc(content->data, size + 1);
    if (!grown)
        give_up("realloc");
    if (size > content->size)
        memset(grown + content->size, 0, size - content->size);
    *content = (bytes){grown, size};
}

static void change_content(bytes *content, const change *made, bool by_half, bool is_zeros) {
    if (made->kind == TRUNCATE) {
        resize(content, made->at);
        return;
    }
    size_t size = by_half ? made->written.size / 2 : made->written.size;
    if (made->at + size > content->size)
        resize(content, made->at + size);
    if (is_zeros)
        memset(content->data + made->at, 0, size);
    else
        memcpy(content->data + made->at, made->written.data, size);
}

/* Returns a copy of the file's content if this part of its pending changes reached the disk. */
static bytes content_of(const replay *r, const file *of, fate met) {
    bytes content = {NULL, 0};
    resize(&content, of->synced.size);
    if (of->synced.size > 0)
        memcpy(content.data, of->synced.data, of->synced.size);
    for (size_t i = 0; i < of->pending.n; i++) {
        bool is_half = met.kind == FIRST_AND_HALF && i == met.n;
        bool happens = met.kind == ZEROS || is_half ||
                       (met.kind == ONLY      ? i == met.n
                        : met.kind == ALL_BUT ? i != met.n
                                              : i < met.n);
        if (happens)
            change_content(&content, &r->log.changes[of->pending.values[i]], is_half,
                           met.kind == ZEROS);
    }
    return content;
}

static fate all_of(const file *of) {
    return (fate){FIRST, of->pending.n};
}

/* ---- one disk -------------------------------------------------------------------------------- */

static bool is_equal(bytes a, bytes b) {
    if (!a.data || !b.data)
        return !a.data && !b.data;
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

static uint64_t hash(uint64_t from, const void *data, size_t size) {
    for (size_t i = 0; i < size; i++)
        from = (from ^ ((const unsigned char *)data)[i]) * 0x100000001b3u;
    return (from ^ size) * 0x100000001b3u;
}

/* Returns whether this disk was not seen before. */
static bool is_first(replay *r, uint64_t found) {
    for (size_t i = 0; i < r->n_seen; i++) {
        if (r->seen[i] == found)
            return false;
    }
    r->seen = grow(r->seen, r->n_seen, sizeof *r->seen);
    r->seen[r->n_seen++] = found;
    return true;
}

static void complain(replay *r, const char *target, bytes found) {
    if (r->n_wrong++ >= MOST_SHOWN)
        return;
    printf("    after %zu of %zu changes: %s is ", r->point, r->log.n_changes, target);
    if (found.data)
        printf("neither as before nor complete, or not complete in the end: %zu bytes\n",
               found.size);
    else
        printf("gone, or not there in the end\n");
}

static void check_targets(replay *r, const folder *names, const bytes *contents) {
    for (size_t i = 0; i < r->n_targets; i++) {
        long number = folder_find(names, r->targets[i]);
        bytes found = number < 0 ? (bytes){NULL, 0} : contents[number];
        if (!is_equal(found, r->last[i]) && (r->is_done || !is_equal(found, r->first[i])))
            complain(r, r->targets[i], found);
    }
}

static void write_disk(const replay *r, const folder *names, const bytes *contents) {
    char path[4096];
    int length =
        snprintf(path, sizeof path, "%s/%06zu%s", r->out, r->n_seen, r->is_done ? "-done" : "");
    if (mkdir(path, 0755) != 0)
        give_up(path);
    for (size_t i = 0; i < names->n; i++) {
        const bytes *content = &contents[names->entries[i].file];
        snprintf(path + length, sizeof path - (size_t)length, "/%s", names->entries[i].name);
        int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        if (descriptor < 0 || write(descriptor, content->data, content->size) < 0)
            give_up(path);
        close(descriptor);
    }
}

static int compare_names(const void *a, const void *b) {
    return strcmp(((const entry *)a)->name, ((const entry *)b)->name);
}

static void look_at(replay *r, folder names, const fate *fates) {
    bytes *contents = calloc(r->log.n_files + 1, sizeof *contents);
    uint64_t found = hash(0xcbf29ce484222325u, &r->is_done, sizeof r->is_done);
    if (!contents)
        give_up("calloc");
    qsort(names.entries, names.n, sizeof *names.entries, compare_names);
    for (size_t i = 0; i < names.n; i++) {
        long number = names.entries[i].file;
        if (!contents[number].data)
            contents[number] = content_of(r, &r->files[number], fates[number]);
        found = hash(found, names.entries[i].name, strlen(names.entries[i].name));
        found = hash(found, contents[number].data, contents[number].size);
    }
    if (is_first(r, found)) {
        check_targets(r, &names, contents);
        if (r->out)
            write_disk(r, &names, contents);
    }
    for (size_t i = 0; i < r->log.n_files; i++)
        free(contents[i].data);
    free(contents);
}

/* ---- all disks at one moment ----------------------------------------------------------------- */

static void set_all(const replay *r, fate *fates, fate_kind kind) {
    for (size_t i = 0; i < r->log.n_files; i++)
        fates[i] = kind == ZEROS ? (fate){ZEROS, 0}
                                 : (fate){FIRST, kind == FIRST ? r->files[i].pending.n : 0};
}

/* Varies the pending changes of one file. */
static void vary_file(replay *r, const folder *names, fate *fates, size_t number) {
    static const fate_kind kinds[] = {FIRST, FIRST_AND_HALF, ONLY, ALL_BUT};
    fate before = fates[number];
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        for (size_t n = 0; n < r->files[number].pending.n; n++) {
            fates[number].kind = kinds[kind];
            fates[number].n = n;
            look_at(r, *names, fates);
        }
    }
    fates[number] = (fate){ZEROS, 0};
    look_at(r, *names, fates);
    fates[number] = before;
}

static void vary_contents(replay *r, const folder *names) {
    static const fate_kind others[] = {FIRST, ONLY,
                                       ZEROS}; /* for the other files: all, none, zeros */
    fate *fates = calloc(r->log.n_files + 1, sizeof *fates);
    if (!fates)
        give_up("calloc");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        set_all(r, fates, others[i]);
        look_at(r, *names, fates);
        for (size_t k = 0; k < r->log.n_files; k++) {
            if (r->files[k].pending.n > 0)
                vary_file(r, names, fates, k);
        }
    }
    free(fates);
}

/* Applies the changes of names whose bits are set in `happens`. */
static void vary_with_names(replay *r, uint64_t happens) {
    folder names = r->synced;
    for (size_t i = 0; i < r->pending.n; i++) {
        if (happens >> i & 1)
            change_name(&names, &r->log.changes[r->pending.values[i]]);
    }
    vary_contents(r, &names);
}

static void crash_now(replay *r) {
    size_t n = r->pending.n;
    if (n > 63) {
        fprintf(stderr, "crash: too many changes of names that are not synced\n");
        exit(2);
    }
    uint64_t all = ((uint64_t)1 << n) - 1;
    for (uint64_t set = 0; n <= MOST_FREE && set <= all; set++)
        vary_with_names(r, set);
    for (size_t i = 0; n > MOST_FREE && i <= n; i++) {
        vary_with_names(r, ((uint64_t)1 << i) - 1);
        vary_with_names(r, all & ~((uint64_t)1 << i));
    }
}

/* ---- from moment to moment ------------------------------------------------------------------- */

static void sync_file(const replay *r, file *synced) {
    bytes content = content_of(r, synced, all_of(synced));
    free(synced->synced.data);
    synced->synced = content;
    synced->pending.n = 0;
}

static void make_change(replay *r, size_t number) {
    change *made = &r->log.changes[number];
    switch (made->kind) {
    case WRITE:
    case TRUNCATE:
        append(&r->files[made->file].pending, number);
        return;
    case SYNC:
        if (made->file >= 0) {
            sync_file(r, &r->files[made->file]);
        } else {
            r->synced = r->after;
            r->pending.n = 0;
        }
        return;
    case RENAME:
    case LINK:
        made->file = folder_find(&r->after, made->from);
        break;
    case CREATE:
    case UNLINK:
        break;
    }
    change_name(&r->after, made);
    append(&r->pending, number);
}

/* Returns the contents of a target if no change is lost. */
static bytes read_target(const replay *r, const folder *names, const char *target) {
    long number = folder_find(names, target);
    return number < 0 ? (bytes){NULL, 0}
                      : content_of(r, &r->files[number], all_of(&r->files[number]));
}

static void rewind_all(replay *r) {
    r->synced = r->after = r->log.before;
    r->pending.n = 0;
    for (size_t i = 0; i < r->log.n_files; i++) {
        file *of = &r->files[i];
        bytes first = r->log.files[i].first;
        resize(&of->synced, first.size);
        if (first.size > 0)
            memcpy(of->synced.data, first.data, first.size);
        of->pending.n = 0;
    }
}

/* Replays all changes once to find the final contents of the targets. */
static void take_contents(replay *r) {
    rewind_all(r);
    for (size_t i = 0; i < r->n_targets; i++)
        r->first[i] = read_target(r, &r->log.before, r->targets[i]);
    for (size_t i = 0; i < r->log.n_changes; i++)
        make_change(r, i);
    for (size_t i = 0; i < r->n_targets; i++)
        r->last[i] = read_target(r, &r->after, r->targets[i]);
    rewind_all(r);
}

static void walk(replay *r) {
    take_contents(r);
    for (r->point = 0; r->point <= r->log.n_changes; r->point++) {
        r->is_done = r->point == r->log.n_changes;
        crash_now(r);
        if (!r->is_done)
            make_change(r, r->point);
    }
}

/* ---- printing -------------------------------------------------------------------------------- */

/* Returns a temporary name without its digits, which differ each time. */
static const char *shown(const char *name) {
    static const char prefix[] = ".etinspect-";
    return strncmp(name, prefix, sizeof prefix - 1) == 0 ? ".etinspect-*" : name;
}

static const char *name_of(const replay *r, long number) {
    for (size_t i = 0; i < r->after.n; i++) {
        if (r->after.entries[i].file == number)
            return shown(r->after.entries[i].name);
    }
    return number < 0 ? "." : "(no name)";
}

/* Prints several writes to one file as one line. */
static void print_changes(replay *r) {
    static const char *const calls[] = {"create", "write", "truncate", "sync",
                                        "rename", "link",  "unlink"};
    rewind_all(r);
    for (size_t i = 0; i < r->log.n_changes; i++) {
        const change *made = &r->log.changes[i], *last = i > 0 ? made - 1 : NULL;
        make_change(r, i);
        if (made->kind == WRITE && last && last->kind == WRITE && last->file == made->file)
            continue;
        if (made->from)
            printf("%s %s %s\n", calls[made->kind], shown(made->from), shown(made->name));
        else
            printf("%s %s\n", calls[made->kind],
                   made->name ? shown(made->name) : name_of(r, made->file));
    }
}

static void refuse(void) {
    fprintf(stderr, "crash: see the head of crash.c\n");
    exit(2);
}

int main(int argc, char **argv) {
    static replay r;
    bool prints = false;
    for (int option; (option = getopt(argc, argv, "t:d:w:p")) >= 0;) {
        if (option == 't' && r.n_targets < MOST_TARGETS)
            r.targets[r.n_targets++] = optarg;
        else if (option == 'd')
            r.out = optarg;
        else if (option == 'p')
            prints = true;
        else if (option != 'w')
            refuse();
        if (option == 'w') {
            r.log.skips_files = strcmp(optarg, "folder") != 0;
            r.log.skips_folder = strcmp(optarg, "files") != 0;
        }
    }
    if (optind + 1 != argc)
        refuse();
    disk_log_read(&r.log, argv[optind]);
    r.files = calloc(r.log.n_files + 1, sizeof *r.files);
    if (!r.files)
        give_up("calloc");
    if (prints) {
        print_changes(&r);
        return 0;
    }
    walk(&r);
    printf("%zu changes, %zu disks: %zu wrong\n", r.log.n_changes, r.n_seen, r.n_wrong);
    return r.n_wrong > 0 || r.log.n_changes == 0;
}
