/*
 * open_below.h - opens a file below a folder, and never one outside it, wherever links and ".." lead.
 *
 * Each part of the name is opened relative to the folder before it, without following links; if it is a link, its target is
 * opened in the same way. Therefore an attacker gains nothing by changing the folders in the meantime. A link that begins
 * with a slash, such as those in /proc, is not followed, even if it leads back below the folder.
 */
#ifndef ETI_BASE_OPEN_BELOW_H
#define ETI_BASE_OPEN_BELOW_H

/* Returns a descriptor for reading the file `name` below `root`, or -1 if the file does not exist, cannot be read, or is
 * not below `root`. `root` itself may be a link. Never waits for another process, as opening a pipe would. */
int eti__open_below(const char *root, const char *name);

#endif
