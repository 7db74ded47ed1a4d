/*
 * source_path.h - turns the path of a source file, as the export recorded it, into a path in the repository.
 */
#ifndef ETI_GATE_SOURCE_PATH_H
#define ETI_GATE_SOURCE_PATH_H

#include "base/arena.h"
#include "gate/options.h"

/* Replaces the longest of options->source_maps and source_root that the path begins with, up to a slash. A path below none
 * of them stays as it is. The result is in `arena`, or is `path`. False: out of memory. */
bool eti__map_source_path(eti_text *out, eti_text path, const eti_gate_options *options,
                          eti_arena *arena);

#endif
