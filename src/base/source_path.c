#include "base/source_path.h"

static eti_text without_slashes(const char *folder) {
    eti_text text = eti__text_of(folder);
    while (text.size > 0 && text.data[text.size - 1] == '/')
        text.size--;
    return text;
}

static bool is_below(eti_text path, eti_text folder) {
    return folder.data && path.size > folder.size + 1 && path.data[folder.size] == '/' &&
           memcmp(path.data, folder.data, folder.size) == 0;
}

bool eti__map_source_path(eti_text *out, eti_text path, const eti_source_paths *paths,
                          eti_arena *arena) {
    eti_text from = {NULL, 0}, to = {NULL, 0};
    *out = path;
    for (size_t i = 0; i < paths->n_maps; i++) {
        eti_text folder = without_slashes(paths->maps[i].key);
        if (!is_below(path, folder) || (from.data && folder.size <= from.size))
            continue;
        from = folder;
        to = without_slashes(paths->maps[i].value);
    }
    eti_text root = without_slashes(paths->root);
    if (is_below(path, root) && (!from.data || root.size > from.size)) {
        from = root;
        to.size = 0;
    }
    if (!from.data)
        return true;
    eti_text rest = {path.data + from.size + 1, path.size - from.size - 1};
    eti_buffer mapped = {0};
    eti__buffer_add_text(&mapped, to);
    if (to.size > 0)
        eti__buffer_add_char(&mapped, '/');
    eti__buffer_add_text(&mapped, rest);
    bool done = !mapped.failed && eti__arena_copy_text(arena, eti__buffer_text(&mapped), out);
    eti__buffer_free(&mapped);
    return done;
}
