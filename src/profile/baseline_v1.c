/*
 * baseline_v1.c - reads the parts of baselines that only version 1 has.
 *
 *     etinspect-baseline,1                    or etinspect-baseline,1,summary
 *     time_scale,ns
 *     method,forward
 *     label,device,pixel8
 *     columns,name,op,module,backend,delegate_id,handles,file,line,code,ticks
 *     block,Execute,,50,2,20                  name, bundled input, runs, runs dropped before these, and the first run of
 *                                             each file after the first
 *     kernel,native_call_addmm.out,aten.addmm.default,fc,,,5,model.py,12,return self.fc(x),101;99;...
 *
 * There is one tick count per run, or in a summary p10, p50, p90, avg, min and max. Version 1 contains neither the names of
 * files nor the operator of each event.
 */
#include "account/grouping.h"
#include "account/op_type.h"
#include "base/array.h"
#include "base/text.h"
#include "base/whole_number.h"
#include "profile/baseline_parts.h"

#include <math.h>
#include <string.h>

#define N_SUMMARY 6

/* ---- operators ------------------------------------------------------------------------------- */

/* Returns whether `op` lists several operators, separated by " + ". */
static bool has_several(eti_text op) {
    return eti__text_contains(op, eti__text_of(" + "));
}

/* Returns the operator that an event is (account/op_type.h), as far as version 1 determines it. */
static eti_text op_type_of(const eti_entry *entry, bool logs_inside) {
    if (eti__role_is_framework((eti_role)entry->role))
        return eti__op_type_group(ETI_OP_TYPE_FRAMEWORK);
    if (has_several(entry->op))
        return eti__op_type_group(ETI_OP_TYPE_SEVERAL);
    if (entry->op.data)
        return entry->op;
    if (entry->role == ETI_ROLE_DELEGATE_CALL && logs_inside)
        return eti__op_type_group(ETI_OP_TYPE_NOT_LOGGED);
    eti_text name = eti__fold_op_name(entry->name);
    return name.size > 0 ? name : eti__text_of(ETI_GROUP_NO_NAME);
}

void eti__baseline_set_op_types(eti_entry *entries, size_t n) {
    bool logs_inside = false;
    for (size_t i = 0; i < n; i++)
        logs_inside = logs_inside || entries[i].role == ETI_ROLE_DELEGATED;
    for (size_t i = 0; i < n; i++) {
        if (entries[i].op_type.size == 0)
            entries[i].op_type = op_type_of(&entries[i], logs_inside);
    }
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Reads the first run of each file after the first. */
static eti_status read_files(eti_baseline_reader *r, eti_profile_block *block) {
    eti_text text = eti__baseline_field(r, 5);
    const char *at = text.data, *end = text.data + text.size;
    size_t most = 1;
    for (size_t i = 0; i < text.size; i++)
        most += text.data[i] == ';';
    eti_file_runs *files = eti__arena_alloc_zero(&r->profile->arena, most + 1, sizeof *files);
    if (!files)
        return eti_fail_memory(r->err);
    block->files = files;
    block->n_files = 1;
    while (text.size > 0) {
        uint64_t first;
        if (!eti__take_u64(&at, end, ETI_BASELINE_MOST_RUNS, &first) ||
            first <= files[block->n_files - 1].first || first >= block->n_runs ||
            (at < end && *at != ';'))
            return eti__baseline_fail(
                r, "expected the positions where files begin: numbers separated by ;, each larger "
                   "than the one before and less than the number of runs");
        files[block->n_files] =
            (eti_file_runs){.file = (uint32_t)block->n_files, .first = (size_t)first};
        block->n_files++;
        if (at++ == end)
            break;
    }
    files[0].n_skipped = block->n_skipped; /* sum over all files: the number of each is unknown */
    for (size_t i = 0; i < block->n_files; i++)
        files[i].n = (i + 1 < block->n_files ? files[i + 1].first : block->n_runs) - files[i].first;
    if (block->n_files > r->n_files)
        r->n_files = block->n_files;
    return ETI_OK;
}

eti_status eti__baseline_read_runs_1(eti_baseline_reader *r, eti_profile_block *block) {
    uint64_t n_runs, n_skipped;
    if (!eti__read_u64(eti__baseline_field(r, 3), ETI_BASELINE_MOST_RUNS - 1, &n_runs) ||
        n_runs == 0 ||
        !eti__read_u64(eti__baseline_field(r, 4), ETI_BASELINE_MOST_RUNS - 1, &n_skipped))
        return eti__baseline_fail(
            r, "expected block,NAME,INPUT,RUNS,SKIPPED,FILES with a number of runs of at least 1");
    block->n_runs = (size_t)n_runs;
    block->n_skipped = (size_t)n_skipped;
    return read_files(r, block);
}

/* ---- times ----------------------------------------------------------------------------------- */

static eti_status read_summary(eti_baseline_reader *r, eti_entry *entry) {
    double values[N_SUMMARY];
    eti_text text = eti__baseline_entry_field(r, ETI_FIELD_VALUES);
    const char *at = text.data, *end = text.data + text.size;
    for (size_t i = 0; i < N_SUMMARY; i++) {
        const char *next = memchr(at, ';', (size_t)(end - at));
        if (!next)
            next = end;
        if (!eti__read_double((eti_text){at, (size_t)(next - at)}, &values[i]) ||
            (next == end) != (i == N_SUMMARY - 1))
            return eti__baseline_fail(r, "expected p10;p50;p90;avg;min;max, numbers of at least 0");
        at = next + (next < end);
    }
    eti_file_times *times = eti__arena_alloc(&r->profile->arena, 1, sizeof *times);
    if (!times)
        return eti_fail_memory(r->err);
    *times = (eti_file_times){(double)NAN, values[0], values[1], values[2],
                              values[3],   values[4], values[5]};
    ETI_TRY(eti__baseline_check_values(r, times, 0));
    entry->times = times;
    const eti_profile_block *block = &r->blocks[r->n_blocks - 1];
    eti__entry_set_summary(r->profile, block, entry, values);
    return ETI_OK;
}

static eti_status read_ticks(eti_baseline_reader *r, eti_entry *entry) {
    const eti_profile_block *block = &r->blocks[r->n_blocks - 1];
    size_t n_runs = block->n_runs;
    eti_text text = eti__baseline_entry_field(r, ETI_FIELD_VALUES);
    const char *at = text.data, *end = text.data + text.size;
    if (text.size < 2 * n_runs - 1)
        return eti__baseline_fail(r, "fewer ticks than the block has runs");
    uint64_t *ticks = eti__arena_alloc(&r->profile->arena, n_runs, sizeof *ticks);
    if (!ticks)
        return eti_fail_memory(r->err);
    for (size_t i = 0; i < n_runs; i++) {
        if (!eti__take_u64(&at, end, UINT64_MAX, &ticks[i]))
            return eti__baseline_fail(
                r, "expected ticks: as many numbers as there are runs, separated by ;");
        if (i + 1 < n_runs && (at == end || *at++ != ';'))
            return eti__baseline_fail(r, "fewer ticks than the block has runs");
    }
    if (at != end)
        return eti__baseline_fail(r, "more ticks than the block has runs");
    return ETI_GROW(r->scratch, r->scratch_capacity, 2 * n_runs) &&
                   eti__entry_set_ticks(r->profile, block, entry, ticks, r->scratch)
               ? ETI_OK
               : eti_fail_memory(r->err);
}

eti_status eti__baseline_read_times_1(eti_baseline_reader *r, eti_entry *entry) {
    return r->profile->has_ticks ? read_ticks(r, entry) : read_summary(r, entry);
}
