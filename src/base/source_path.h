/*
 * source_path.h - turns the path of a source file, as the export recorded it, into a path in the repository.
 */
#ifndef ETI_BASE_SOURCE_PATH_H
#define ETI_BASE_SOURCE_PATH_H

#include "base/arena.h"
#include "base/label.h"

/* Text that replaces folders in the paths of source files. */
typedef struct eti_source_paths {
    const char *root;      /* folder that paths are made relative to; NULL: none */
    const eti_label *maps; /* key: a folder; value: its replacement */
    size_t n_maps;
} eti_source_paths;

/* Replaces the longest folder of `paths` that the path begins with, up to a slash. A path below none of them stays as it is. The
 * result is in `arena`, or is `path`. False: out of memory. */
bool eti__map_source_path(eti_text *out, eti_text path, const eti_source_paths *paths,
                          eti_arena *arena);

#endif
