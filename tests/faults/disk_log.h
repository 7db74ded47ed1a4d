/*
 * disk_log.h - reads what record.c wrote down: the files of a folder, and all that a program changed in them.
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

/* Files are numbered in the order in which they are met; -1 is the folder. */
typedef struct change {
    change_kind kind;
    long file;
    size_t at;         /* offset, or the size after it */
    bytes written;     /* borrowed from the log */
    char *from, *name; /* owned; `name` is what the entry is called afterwards, or was called */
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

/* A file that was there before, or was made. */
typedef struct logged_file {
    uint64_t inode;
    bytes first; /* content; borrowed from the log */
} logged_file;

typedef struct disk_log {
    bytes text;
    logged_file *files;
    size_t n_files;
    folder before;
    change *changes;
    size_t n_changes;
    bool skips_files, skips_folder; /* when they are synced */
} disk_log;

/* Reads a log; `skips_files` and `skips_folder` are set before. A failure ends the test. */
void disk_log_read(disk_log *out, const char *path);

/* Returns the file of a name, or -1. */
long folder_find(const folder *in, const char *name);
void folder_unlink(folder *in, const char *name);
/* Makes a name, which lives as long as the folder, lead to a file. */
void folder_link(folder *in, const char *name, long number);

/* Returns `values` with room for one more than n. */
void *grow(void *values, size_t n, size_t size);

/* Ends the test with a message and errno. */
void give_up(const char *what) __attribute__((noreturn));

#endif
