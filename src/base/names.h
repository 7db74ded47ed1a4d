/*
 * names.h - names: patterns, nearest names, words for values, frames of a stack, paths of sources.
 */
#ifndef ETI_BASE_NAMES_H
#define ETI_BASE_NAMES_H

#include "base/arena.h"
#include "base/text.h"
#include "etinspect.h"

/* ==== edit distance =========================================================================== */
/* Edit distance between two texts, for suggesting a name close to a mistyped one. */

/* Returns the number of letters to insert, delete, replace or exchange with the next one to turn one text into the other
 * (Damerau's distance, by optimal string alignment); SIZE_MAX if a text is longer than 64 bytes. */
size_t eti__edit_distance(eti_text a, eti_text b);

/* Returns whether `candidate` is closer to a mistyped name than `*least` edits, and close enough to suggest (2 edits, or
 * 1 for names of up to 4 letters; a difference in case is not an edit); if so, sets `*least` to its distance. `*least`
 * starts as ETI_TOO_FAR. */
#define ETI_TOO_FAR 3
bool eti__text_is_nearer(eti_text candidate, eti_text name, size_t *least);

/* Returns the name nearest to a mistyped one, or NULL if no name is close enough. */
const char *eti__nearest_of(const char *const *names, size_t n_names, eti_text mistyped);

/* ==== glob ==================================================================================== */
/* Matches a name against a pattern in which * stands for any text and ? for any character. */

/* Returns whether the pattern matches all of `name`; an absent name matches nothing. Takes time proportional to
 * pattern.size * name.size at most. */
bool eti__glob_match(eti_text pattern, eti_text name);

/* ==== words =================================================================================== */
/* Turns values that programs read into the words that people read in their place. JSON, CSV, TSV and SQLite keep the
 * values; filters accept both. */

/* Names the column to which the words for headings of columns belong. */
#define ETI_WORDS_OF_HEADINGS "heading"

/* Appends the words for a value of a column. A value may be followed by more, such as " (2 nodes)", which is kept. Returns
 * false, and appends nothing, if people read the value itself. */
bool eti__add_words(eti_buffer *out, eti_text column, eti_text value);

/* Returns whether a typed text is the words for a value of a column. */
bool eti__are_words_for(eti_text typed, eti_text column, eti_text value);

/* ==== source path ============================================================================= */
/* Turns the path of a source file, as the export recorded it, into a path in the repository. */

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

/* ==== stack frame ============================================================================= */
/* Turns the text of a Python traceback into its frames, outermost first:
 *
 *       File "model.py", line 12, in forward
 *         return self.head(x)
 *
 * All other lines are skipped. */

/* The texts point into the traceback. */
typedef struct eti_stack_frame {
    eti_text file;
    uint32_t line;     /* from 1 on */
    eti_text function; /* "" if missing */
    eti_text code;     /* without surrounding white space; "" if missing */
} eti_stack_frame;

/* Takes the next frame off `*rest`, which starts as the whole text; returns false if there are no more. */
bool eti__stack_frame_next(eti_text *rest, eti_stack_frame *out);

/* Returns whether the frame belongs to torch rather than to the user's own code: to its packages as pip or conda installs
 * them (torch, torchgen, functorch and executorch below site-packages or dist-packages), to torch/nn anywhere, or to
 * generated code ("<eval_with_key>.1"). */
bool eti__stack_frame_is_library(const eti_stack_frame *frame);

/* Returns whether such a frame belongs to code that exports models: it is no part of any model, as torch/nn is. */
bool eti__stack_frame_is_exporter(const eti_stack_frame *frame);

/* Returns the part of a path after its folders. */
eti_text eti__file_of_path(eti_text path);

/* Appends a place such as "model.py:12". */
void eti__add_source_line(eti_buffer *out, eti_text file, uint32_t line);

#endif
