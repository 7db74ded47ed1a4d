#include "disk_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void give_up(const char *what) {
    fprintf(stderr, "crash: %s: %s\n", what, strerror(errno));
    exit(2);
}

void *grow(void *values, size_t n, size_t size) {
    void *grown = (n & (n + 1)) == 0 ? realloc(values, 2 * (n + 1) * size) : values;
    if (!grown)
        give_up("realloc");
    return grown;
}

/* ---- names ----------------------------------------------------------------------------------- */

long folder_find(const folder *in, const char *name) {
    for (size_t i = 0; i < in->n; i++) {
        if (strcmp(in->entries[i].name, name) == 0)
            return in->entries[i].file;
    }
    return -1;
}

void folder_unlink(folder *in, const char *name) {
    for (size_t i = 0; i < in->n; i++) {
        if (strcmp(in->entries[i].name, name) == 0)
            in->entries[i] = in->entries[--in->n];
    }
}

void folder_link(folder *in, const char *name, long number) {
    folder_unlink(in, name);
    if (in->n == MOST_NAMES) {
        fprintf(stderr, "crash: too many names\n");
        exit(2);
    }
    in->entries[in->n++] = (entry){name, number};
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bytes read_file(const char *path) {
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0 || fstat(descriptor, &status) != 0)
        give_up(path);
    bytes content = {malloc((size_t)status.st_size + 1), (size_t)status.st_size};
    if (!content.data || read(descriptor, content.data, content.size) != status.st_size)
        give_up(path);
    content.data[content.size] = '\0';
    close(descriptor);
    return content;
}

/* A new file may have the inode of a deleted one: the latest one counts. */
static long find_file(const disk_log *log, uint64_t inode) {
    for (size_t i = log->n_files; i > 0; i--) {
        if (log->files[i - 1].inode == inode)
            return (long)i - 1;
    }
    fprintf(stderr, "crash: inode %ju is not in the log\n", (uintmax_t)inode);
    exit(2);
}

static long add_file(disk_log *log, uint64_t inode, bytes content) {
    log->files = grow(log->files, log->n_files, sizeof *log->files);
    log->files[log->n_files++] = (logged_file){inode, content};
    return (long)log->n_files - 1;
}

static char *copy_text(const char *text) {
    char *copy = strdup(text);
    if (!copy)
        give_up("strdup");
    return copy;
}

static change *add_change(disk_log *log, change_kind kind) {
    log->changes = grow(log->changes, log->n_changes, sizeof *log->changes);
    log->changes[log->n_changes] = (change){.kind = kind, .file = -1};
    return &log->changes[log->n_changes++];
}

static void add_names(disk_log *log, change_kind kind, char *names) {
    char *slash = strchr(names, '/');
    change *added = add_change(log, kind);
    if (slash)
        *slash = '\0';
    added->from = slash ? copy_text(names) : NULL;
    added->name = copy_text(slash ? slash + 1 : names);
}

/* Reads one line; returns the number of bytes that follow it, which begin at `rest`. */
static size_t read_line(disk_log *log, char *line, char *rest) {
    uint64_t inode;
    size_t at, size;
    int name = 0;
    if (sscanf(line, "file %ju %zu %n", &inode, &size, &name) == 2 && name > 0) {
        folder_link(&log->before, copy_text(line + name),
                    add_file(log, inode, (bytes){rest, size}));
        return size;
    }
    if (sscanf(line, "create %ju %n", &inode, &name) == 1 && name > 0) {
        long number = add_file(log, inode, (bytes){NULL, 0});
        add_names(log, CREATE, line + name);
        log->changes[log->n_changes - 1].file = number;
    } else if (sscanf(line, "write %ju %zu %zu", &inode, &at, &size) == 3) {
        change *added = add_change(log, WRITE);
        *added = (change){WRITE, find_file(log, inode), at, {rest, size}, NULL, NULL};
        return size;
    } else if (sscanf(line, "truncate %ju %zu", &inode, &at) == 2) {
        *add_change(log, TRUNCATE) =
            (change){.kind = TRUNCATE, .file = find_file(log, inode), .at = at};
    } else if (sscanf(line, "sync %ju", &inode) == 1) {
        if (!log->skips_files)
            add_change(log, SYNC)->file = find_file(log, inode);
    } else if (strcmp(line, "sync .") == 0) {
        if (!log->skips_folder)
            add_change(log, SYNC);
    } else if (strncmp(line, "rename ", 7) == 0) {
        add_names(log, RENAME, line + 7);
    } else if (strncmp(line, "link ", 5) == 0) {
        add_names(log, LINK, line + 5);
    } else if (strncmp(line, "unlink ", 7) == 0) {
        add_names(log, UNLINK, line + 7);
    } else if (strcmp(line, "begin") != 0) {
        fprintf(stderr, "crash: cannot read the line: %s\n", line);
        exit(2);
    }
    return 0;
}

void disk_log_read(disk_log *out, const char *path) {
    out->text = read_file(path);
    char *at = out->text.data, *end = at + out->text.size;
    while (at < end) {
        char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end)
            give_up("the log ends in a line");
        *line_end = '\0';
        at = line_end + 1 + read_line(out, at, line_end + 1);
    }
}
