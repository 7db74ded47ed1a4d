/*
 * disk_log.h - reads the log of record.c: the files of a folder, and all changes that a program made to them.
 */
#ifndef ETI_TESTS_DISK_LOG_H
#define ETI_TESTS_DISK_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOST_NAMES 64 /* in a folder */

typedef struct bytes {
    char *data;
    size_t size;
} bytes;

typedef enum change_kind { CREATE, WRITE, TRUNCATE, SYNC, RENAME, LINK, UNLINK } change_kind;

/* Files are numbered in the order of their first occurrence; -1 is the folder. */
typedef struct change {
    change_kind kind;
    long file;
    size_t at;         /* offset, or the size after it */
    bytes written;     /* borrowed from the log */
    char *from, *name; /* owned; `name` is the new name of the entry, or its last one */
} change;

/* A name that leads to a file. */
typedef struct entry {
    const char *name;
    long file;
} entry;

typedef struct folder {
    entry entries[MOST_NAMES];
    size_t n;
} folder;

/* A file that existed before, or was created. */
typedef struct logged_file {
    uint64_t inode;
    bytes first; /* content at the beginning; borrowed from the log */
} logged_file;

typedef struct disk_log {
    bytes text;
    logged_file *files;
    size_t n_files;
    folder before;
    change *changes;
    size_t n_changes;
    bool skips_files, skips_folder; /* ignores syncs of these */
} disk_log;

/* Reads a log; the caller sets `skips_files` and `skips_folder` before. A failure ends the test. */
void disk_log_read(disk_log *out, const char *path);

/* Returns the file of a name, or -1. */
long folder_find(const folder *in, const char *name);
void folder_unlink(folder *in, const char *name);
/* Links a name, which lives as long as the folder, to a file. */
void folder_link(folder *in, const char *name, long number);

/* Returns `values` with room for at least n + 1 items. */
void *grow(void *values, size_t n, size_t size);

/* Ends the test with a message and errno. */
void give_up(const char *what) __attribute__((noreturn));

#endif
