/*
 * open_below.h - opens a file below a folder, and never one outside, wherever links and ".." lead.
 *
 * Each part of the name is opened from the folder before it, without following links; if it is a
 * link, its target is opened in the same way. Therefore an attacker gains nothing by changing the
 * folders meanwhile. A link that begins with a slash, such as those in /proc, is not followed, even
 * if it leads back below the folder.
 */
#ifndef ETI_BASE_FILES_OPEN_BELOW_H
#define ETI_BASE_FILES_OPEN_BELOW_H

/* Returns a descriptor of the file `name` below `root`, for reading; -1: it is not there, cannot be read, or is not
 * below. `root` itself may be a link. Never waits for another process, as opening a pipe would. */
int eti__open_below(const char *root, const char *name);

#endif
