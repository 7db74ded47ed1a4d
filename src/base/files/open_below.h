/*
 * open_below.h - opens a file below a folder, and never one outside, wherever links and ".." lead.
 *
 * Each part of the name is opened from the folder before it, without following links; where it is a link, what
 * stands in it takes its place. So nothing is gained by changing the folders meanwhile. A link that begins with a
 * slash, as those in /proc do, is not followed, not even back below the folder.
 */
#ifndef ETI_BASE_FILES_OPEN_BELOW_H
#define ETI_BASE_FILES_OPEN_BELOW_H

/* Returns a descriptor of the file `name` below `root`, for reading; -1: it is not there, cannot be read, or is not
 * below. `root` itself may be a link. Never waits for another process, as a pipe's. */
int eti__open_below(const char *root, const char *name);

#endif
