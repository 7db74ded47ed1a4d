/*
 * diff_gaps.c - finds the gaps of rows: for an event, those of the results that the two paired
 * events recorded; for a module, a line or a node, the worst of its results.
 */
#include "base/names.h"
#include "compare/diff_parts.h"

#include <string.h>

/* ---- events ---------------------------------------------------------------------------------- */

typedef struct paired_events {
    const eti_event *base, *newer;
    eti_gap gap;
} paired_events;

static const eti_intern_kind by_events = {.item_size = sizeof(paired_events),
                                          .key_size = offsetof(paired_events, gap)};

static bool set_events(eti_diff *diff) {
    ETI_INTERN_OF(paired_events) known = {{0}};
    bool done = true;
    uint32_t number;
    for (size_t i = 0; done && i < diff->options.n_gaps; i++) {
        const eti_gap_of *of = &diff->options.gaps[i];
        const paired_events item = {.base = of->base_event, .newer = of->event};
        if (!item.base || !item.newer)
            continue;
        done = eti__intern_add(&known.table, &by_events, &item, &number);
        if (done)
            eti__gap_join(&known.items[number].gap, &of->gap);
    }
    for (size_t i = 0; done && i < diff->events.n; i++) {
        eti_diff_row *row = &diff->events.rows[i];
        const eti_entry *base = row->base.entry, *newer = row->new_side.entry;
        const paired_events item = {.base = base ? base->event : NULL,
                                    .newer = newer ? newer->event : NULL};
        if (eti__intern_find(&known.table, &by_events, &item, &number))
            row->gap = known.items[number].gap;
    }
    eti__intern_free(&known.table);
    return done;
}

/* ---- groups ---------------------------------------------------------------------------------- */

typedef struct named_gap {
    eti_text name;
    eti_gap gap;
} named_gap;

static const eti_intern_kind by_name = ETI_INTERN_BY_TEXT(named_gap);

/* Appends the name of the group that contains the result; appends nothing if no group does. */
static void add_name(eti_buffer *out, const char *group, const eti_gap_of *of) {
    if (strcmp(group, "node") == 0)
        eti__buffer_add_text(out, of->source_node);
    else if (strcmp(group, "module") == 0)
        eti__buffer_add_text(out, of->module);
    else if (of->file.data)
        eti__add_source_line(out, of->file, of->line);
}

bool eti__diff_group_has_gaps(const char *group) {
    return group && (strcmp(group, "node") == 0 || strcmp(group, "module") == 0 ||
                     strcmp(group, "source") == 0);
}

static bool set_groups(eti_diff *diff) {
    ETI_INTERN_OF(named_gap) known = {{0}};
    eti_buffer text = {0};
    bool done = true;
    uint32_t number;
    for (size_t i = 0; done && i < diff->options.n_gaps; i++) {
        named_gap item = {.name = {NULL, 0}};
        text.size = 0;
        add_name(&text, diff->options.group, &diff->options.gaps[i]);
        if (text.size == 0 && !text.failed)
            continue;
        done = !text.failed &&
               eti__arena_copy_text(&diff->arena, eti__buffer_text(&text), &item.name) &&
               eti__intern_add(&known.table, &by_name, &item, &number);
        if (done)
            eti__gap_join(&known.items[number].gap, &diff->options.gaps[i].gap);
    }
    for (size_t i = 0; done && i < diff->groups.n; i++) {
        eti_diff_row *row = &diff->groups.rows[i];
        bool is_paired = row->base.entry && row->new_side.entry;
        if (is_paired && eti__intern_find(&known.table, &by_name, &row->name, &number))
            row->gap = known.items[number].gap;
    }
    eti__buffer_free(&text);
    eti__intern_free(&known.table);
    return done;
}

eti_status eti__diff_set_gaps(eti_diff *diff, eti_error *err) {
    bool done =
        set_events(diff) && (!eti__diff_group_has_gaps(diff->options.group) || set_groups(diff));
    return done ? ETI_OK : eti_fail_memory(err);
}
