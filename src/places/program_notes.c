#include "places/program_notes.h"

#include <inttypes.h>

/* Largest number of bytes shown of a name. */
#define LONGEST_NAME 60

static void add_method_name(eti_buffer *out, eti_text name) {
    eti__buffer_add_string(out, "method ");
    eti__buffer_add_cut(out, name, LONGEST_NAME);
}

static void add_count(eti_buffer *out, uint64_t n, const char *noun) {
    eti__buffer_printf(out, "%" PRIu64 " %s%s", n, noun, n == 1 ? "" : "s");
}

static eti_status note_plan(eti_inspector *inspector, const eti_pte *pte, const eti_pte_plan *plan,
                            eti_error *err) {
    uint64_t n_instructions = 0;
    eti_buffer text = {0};
    for (uint32_t i = 0; i < plan->n_chains; i++)
        n_instructions += plan->chains[i].n_instructions;
    eti__buffer_printf(&text, "%s: a %sprogram, ", pte->file->name,
                       pte->is_bundled ? "bundled " : "");
    add_method_name(&text, plan->name);
    eti__buffer_add_string(&text, " with ");
    add_count(&text, n_instructions, "instruction");
    eti__buffer_add_string(&text, " and ");
    add_count(&text, plan->n_delegates, "delegate");
    return eti__notes_add(inspector, ETI_NOTE_INFO, &text, err);
}

/* Adds a note about a block that ran a method of the first program, which is the one that ran. */
static eti_status note_block(eti_inspector *inspector, const eti_event_block *block,
                             eti_error *err) {
    const eti_pte_instruction *instruction;
    eti_buffer text = {0};
    if (!block->plan || !eti__block_has_instructions(block) ||
        eti__first_misfit(block, block->plan, &instruction))
        return ETI_OK;
    eti__buffer_printf(&text, "%s: the events of block ", inspector->program_files[0].name);
    eti__buffer_add_text(&text, block->label);
    eti__buffer_add_string(&text, " match the kernels and delegates that its ");
    add_method_name(&text, block->plan->name);
    eti__buffer_add_string(&text, " calls");
    return eti__notes_add(inspector, ETI_NOTE_INFO, &text, err);
}

eti_status eti__programs_note(eti_inspector *inspector, eti_error *err) {
    for (size_t p = 0; p < inspector->n_programs; p++) {
        const eti_pte *pte = &inspector->programs[p];
        for (uint32_t i = 0; i < pte->n_plans; i++)
            ETI_TRY(note_plan(inspector, pte, &pte->plans[i], err));
    }
    for (size_t b = 0; b < inspector->blocks.n_blocks && inspector->n_programs > 0; b++)
        ETI_TRY(note_block(inspector, &inspector->blocks.blocks[b], err));
    return ETI_OK;
}
