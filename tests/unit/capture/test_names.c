#include "capture_fixture.h"

static uint8_t large[8 << 20];

static void assert_event_name(const etc_capture *c, uint32_t event, const char *expected) {
    saved s;
    save(&s, c);
    eti_etdump_event found;
    eti__etdump_read_event(&found, &s.dump, event_at(&s, 0, event));
    assert_text(found.name, expected);
    free_saved(&s);
}

static void equal_texts_are_one_name(void **state) {
    (void)state;
    etc_capture *c = start();
    char text[] = "conv";
    etc_name name = etc_intern(c, text);
    assert_true(name != 0);
    text[0] = 'C';
    assert_int_equal(etc_intern(c, "conv"), name);
    assert_true(etc_intern(c, text) != name);
    assert_int_equal(etc_intern(c, NULL), 0);
    assert_true(etc_intern(c, "") != 0);
    etc_reset(c);
    assert_int_equal(etc_intern(c, "conv"), name);
}

/* Pairs of words with equal 32-bit FNV-1a hashes, of different and of equal length. */
static void texts_with_equal_hashes_are_different_names(void **state) {
    (void)state;
    static const char *const texts[][2] = {{"costarring", "liquid"}, {"declinate", "macallums"}};
    etc_capture *c = start();
    etc_run(c, "Execute");
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        etc_name first = etc_intern(c, texts[i][0]), second = etc_intern(c, texts[i][1]);
        assert_true(first != second);
        assert_int_equal(etc_intern(c, texts[i][0]), first);
        assert_int_equal(etc_intern(c, texts[i][1]), second);
        etc_log(c, first, 1, 2);
        etc_log(c, second, 1, 2);
    }
    etc_run_end(c);
    for (uint32_t i = 0; i < 2 * COUNT_OF(texts); i++)
        assert_event_name(c, i, texts[i / 2][i % 2]);
}

static void bytes_that_are_no_utf8_are_repaired(void **state) {
    (void)state;
    static const char *const texts[][2] = {
        {"a\x80z", "a?z"},
        {"\xc0\xafz", "??z"},            /* overlong */
        {"\xed\xa0\x80z", "???z"},       /* surrogate */
        {"\xf4\x90\x80\x80z", "????z"},  /* beyond U+10FFFF */
        {"\xf0\x8f\xbf\xbfz", "????z"},  /* overlong */
        {"\xe0\x9f\xbfz", "???z"},       /* overlong */
        {"cut \xe2\x82", "cut ??"},      /* by the end of the text */
        {"cut \xf0\x9f\x98", "cut ???"}, /* by the end of the text */
        {"\xff\xc3\xa9", "?\xc3\xa9"},
        {"\xf5\x80\x80\x80z", "????z"}, /* beyond U+10FFFF */
        {"\xc3z", "?z"},                /* cut by another character */
        {"\xe2\x82z", "??z"},           /* cut by another character */
        {"\xf0\x9f\x98z", "???z"},      /* cut by another character */
    };
    etc_capture *c = start();
    etc_run(c, "Execute");
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        add_event(c, texts[i][0]);
        assert_int_equal(etc_intern(c, texts[i][0]), etc_intern(c, texts[i][1]));
    }
    etc_run_end(c);
    assert_int_equal(stats_of(c).names_repaired, 8); /* after repair five are equal to others */
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        assert_event_name(c, (uint32_t)i, texts[i][1]);
}

static void valid_characters_of_every_length_are_kept(void **state) {
    (void)state;
    static const char text[] =
        "\x01\x7f \xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf"
        "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf";
    etc_capture *c = start();
    etc_run(c, "Execute");
    add_event(c, text);
    etc_run_end(c);
    assert_int_equal(stats_of(c).names_repaired, 0);
    assert_event_name(c, 0, text);
}

/* The text with `n` letters and then `tail`. */
static void assert_cut(etc_capture *c, size_t n, const char *tail, size_t expected) {
    char *text = malloc(n + strlen(tail) + 1);
    assert_non_null(text);
    memset(text, 'x', n);
    memcpy(text + n, tail, strlen(tail) + 1);
    etc_run(c, text);
    etc_run_end(c);
    saved s;
    save(&s, c);
    assert_int_equal(eti__etdump_read_run(&s.dump, s.dump.runs.count - 1).name.size, expected);
    free_saved(&s);
    free(text);
}

static void long_texts_are_cut_at_a_character(void **state) {
    (void)state;
    etc_config config = make_config();
    etc_capture *c = etc_init(large, sizeof large, &config);
    assert_cut(c, 511, "", 511);
    assert_int_equal(stats_of(c).names_repaired, 0);
    assert_cut(c, 512, "", 511);
    assert_cut(c, 509, "\xc3\xa9", 511); /* not cut */
    assert_cut(c, 510, "\xc3\xa9", 511);
    assert_cut(c, 501, "\xc3\xa9 and more",
               511 - 1); /* before the character, and the mark of 9 bytes */
    assert_cut(c, 510, "\xff\xff", 511);
    assert_int_equal(stats_of(c).names_repaired, 4);
}

/* The hashes are FNV-1a of the whole texts, computed by other means. */
static void long_texts_stay_different(void **state) {
    (void)state;
    static char text[601], cut[512];
    etc_config config = make_config();
    etc_capture *c = etc_init(large, sizeof large, &config);
    memset(text, 'x', 600);
    memset(cut, 'x', 502);
    etc_name first = etc_intern(c, text);
    assert_int_equal(etc_intern(c, text), first);
    text[599] = 'y';
    etc_name other = etc_intern(c, text);
    assert_int_not_equal(other, first);
    memcpy(cut + 502, "#607b0525", 9);
    assert_int_equal(etc_intern(c, cut), first); /* so that copies of the name are the same name */
    memcpy(cut + 502, "#5f7b0392", 9);
    assert_int_equal(etc_intern(c, cut), other);
    assert_int_equal(stats_of(c).names_repaired, 2);
    etc_run(c, "Execute");
    etc_log(c, other, 1, 2);
    etc_run_end(c);
    assert_event_name(c, 0, cut);
}

/* Logs an event with every number that points into the names or beside them. */
static void only_names_are_accepted_as_names(void **state) {
    (void)state;
    static const char characters[] = "\xf4\x8f\xbf\xbf\xef\xbf\xbf\xdf\xbf\x7f";
    enum { N = 3000, STEPS = 64 };
    static bool is_known[N * STEPS];
    etc_config config = make_config();
    memset(large, 0xff, sizeof large); /* unwritten bytes must not pass for a name */
    etc_capture *c = etc_init(large, sizeof large, &config);
    is_known[etc_intern(c, "")] = is_known[etc_intern(c, "Execute")] = true;
    etc_name last = 0;
    for (int i = 0; i < N; i++) {
        char text[64];
        snprintf(text, sizeof text, "%d%.*s%s", i, i % 13, "abcdefghijklm", characters);
        last = etc_intern(c, text);
        assert_in_range(last, 1, COUNT_OF(is_known) - STEPS - 1);
        is_known[last] = true;
    }
    etc_run(c, "Execute");
    for (etc_name name = 1; name < last + STEPS; name++) {
        uint64_t n_wrong = stats_of(c).events_lost_wrong;
        etc_log(c, name, 1, 2);
        assert_int_equal(stats_of(c).events_lost_wrong - n_wrong, !is_known[name]);
    }
    for (uint32_t name = UINT32_MAX; name > UINT32_MAX - STEPS; name--)
        etc_log(c, name, 1, 2);
    etc_log(c, (etc_name)1 << 30, 1, 2);
    etc_log(c, (etc_name)1 << 31, 1, 2);
    assert_int_equal(stats_of(c).events, N + 2);
}

static void a_name_that_does_not_fit_is_lost_and_counted(void **state) {
    (void)state;
    static const etc_when_full ways[] = {ETC_STOP, ETC_RING};
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        etc_config config = make_config();
        config.when_full = ways[i];
        etc_capture *c = start_with(&config, ETC_MIN_BYTES);
        char text[32];
        etc_name first = etc_intern(c, "first");
        int n = 0;
        do
            snprintf(text, sizeof text, "name number %d", n++);
        while (etc_intern(c, text));
        assert_in_range(n, 3, 40);
        assert_int_equal(stats_of(c).names_lost, 1);
        assert_int_equal(etc_intern(c, "first"), first);
        etc_run(c, "a run that cannot be named");
        add_event(c, "nor can this event");
        etc_run_end(c);
        if (ways[i] == ETC_RING)
            assert_runs(
                c, "{\"name\":\"\",\"events\":[{\"profile_event\":{"
                   "\"chain_index\":-1,\"instruction_id\":0,\"start_time\":10,\"end_time\":20}}]}");
        else
            assert_int_equal(stats_of(c).runs, stats_of(c).events);
        assert_int_equal(stats_of(c).names_lost, 3);
    }
}

static void a_million_names(void **state) {
    (void)state;
    size_t size = (size_t)64 << 20;
    void *block = malloc(size);
    assert_non_null(block);
    etc_config config = make_config();
    etc_capture *c = etc_init(block, size, &config);
    char text[16];
    for (int i = 0; i < 1000000; i++) {
        snprintf(text, sizeof text, "%d", i);
        assert_true(etc_intern(c, text) != 0);
    }
    etc_name name = etc_intern(c, "0");
    etc_run(c, "Execute");
    etc_log(c, name, 1, 2);
    add_event(c, "999999");
    etc_run_end(c);
    assert_event_name(c, 0, "0");
    assert_event_name(c, 1, "999999");
    assert_int_equal(stats_of(c).names_lost, 0);
    free(block);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_texts_are_one_name),
        cmocka_unit_test(texts_with_equal_hashes_are_different_names),
        cmocka_unit_test(bytes_that_are_no_utf8_are_repaired),
        cmocka_unit_test(valid_characters_of_every_length_are_kept),
        cmocka_unit_test(long_texts_are_cut_at_a_character),
        cmocka_unit_test(long_texts_stay_different),
        cmocka_unit_test(only_names_are_accepted_as_names),
        cmocka_unit_test(a_name_that_does_not_fit_is_lost_and_counted),
        cmocka_unit_test(a_million_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
