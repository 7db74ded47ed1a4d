/*
 * source_path.h - turns the path of a source file, as the export recorded it, into a path in the repository.
 */
#ifndef ETI_BASE_SOURCE_PATH_H
#define ETI_BASE_SOURCE_PATH_H

#include "base/arena.h"
#include "base/label.h"

/* Replacements for folders in the paths of source files. */
typedef struct eti_source_paths {
    const char *root;      /* folder to which paths are made relative, or NULL */
    const eti_label *maps; /* key: a folder; value: its replacement */
    size_t n_maps;
} eti_source_paths;

/* Replaces the longest folder of `paths` that is a prefix of the path, up to a slash. A path below none of them is
 * unchanged. The result is in `arena` or is `path` itself. False: out of memory. */
bool eti__map_source_path(eti_text *out, eti_text path, const eti_source_paths *paths,
                          eti_arena *arena);

#endif
