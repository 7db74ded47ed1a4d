/*
 * fuzz_budget.c - the first byte gives the kind of the rest: a rule, a file of budgets, or a list
 * of exceptions. A rule has the same meaning when its text is read again, and its pattern is matched in negligible time.
 */
#include "base/names.h"
#include "gate/gate.h"
#include "stats/stats.h"

#include "fuzz.h"

#include <math.h>

static void expect_failure(eti_status status, const eti_error *err, size_t size) {
    FUZZ_EXPECT(status == ETI_ERROR_MALFORMED || status == ETI_ERROR_LIMIT ||
                status == ETI_ERROR_USAGE);
    fuzz_expect_error(status, err);
    FUZZ_EXPECT(err->position <= size + 1);
}

static void look_at(const eti_gate_rule *rule) {
    FUZZ_EXPECT(rule->scope < ETI_N_GATE_SCOPES && rule->metric < ETI_N_METRICS);
    FUZZ_EXPECT(isfinite(rule->limit) && rule->limit >= 0);
    FUZZ_EXPECT(rule->min_share >= 0 && rule->min_share <= 1);
    FUZZ_EXPECT(isfinite(rule->min_effect) && rule->min_effect >= 0);
    FUZZ_EXPECT(!rule->pattern.data || (rule->pattern.size > 0 && rule->scope < ETI_GATE_TOTAL));
    fuzz_touch(rule->text);
    fuzz_touch(rule->comment);
    fuzz_touch(rule->origin);
    if (rule->pattern.data)
        (void)eti__glob_match(rule->pattern, rule->text);
}

static void read_rule(eti_arena *arena, eti_text text) {
    eti_gate_rule rule, again;
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__gate_rule_parse(&rule, arena, text, &err);
    if (status != ETI_OK) {
        FUZZ_EXPECT(err.position > 0);
        expect_failure(status, &err, text.size);
        return;
    }
    look_at(&rule);
    FUZZ_EXPECT(eti__gate_rule_parse(&again, arena, rule.text, &err) == ETI_OK);
    FUZZ_EXPECT(again.scope == rule.scope && again.metric == rule.metric &&
                again.kind == rule.kind && again.limit == rule.limit &&
                again.min_share == rule.min_share && again.min_effect == rule.min_effect);
    FUZZ_EXPECT(eti__text_equal(again.pattern, rule.pattern) &&
                eti__text_equal(again.text, rule.text));
}

static void read_budgets(eti_arena *arena, const eti_source *source) {
    eti_gate_rules rules = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__gate_read_budgets(&rules, arena, source, &err);
    if (status != ETI_OK)
        expect_failure(status, &err, 0);
    for (size_t i = 0; i < rules.n; i++) {
        look_at(&rules.rules[i]);
        FUZZ_EXPECT(fuzz_is_utf8(rules.rules[i].text, NULL));
        FUZZ_EXPECT(!fuzz_has_control(rules.rules[i].text, 0xfffd));
    }
    free(rules.rules);
}

static void read_list(eti_arena *arena, const eti_source *source) {
    eti_allowances list = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__gate_read_allowances(&list, arena, source, "2026-03-01", &err);
    if (status != ETI_OK)
        expect_failure(status, &err, 0);
    for (size_t i = 0; i < list.n; i++) {
        const eti_allowance *entry = &list.entries[i];
        FUZZ_EXPECT(entry->pattern.size > 0 && entry->reason.size > 0);
        FUZZ_EXPECT(!entry->is_expired || entry->expires.size == 10);
        FUZZ_EXPECT(!fuzz_has_control(entry->reason, 0xfffd));
        (void)eti__glob_match(entry->pattern, entry->reason);
    }
    free(list.entries);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = {data, size};
    uint64_t kind = fuzz_take_number(&input, 1) % 3;
    eti_source source = fuzz_source("file.csv", fuzz_take_rest(&input));
    eti_arena arena = {0};
    if (kind == 0)
        read_rule(&arena, (eti_text){source.data, source.size});
    else if (kind == 1)
        read_budgets(&arena, &source);
    else
        read_list(&arena, &source);
    eti__arena_free(&arena);
    fuzz_source_free(source);
    return 0;
}
