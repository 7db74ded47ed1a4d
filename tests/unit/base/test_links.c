#include "support.h"

#include "base/links.h"

#include <errno.h>
#include <unistd.h>

static char folder[] = "/tmp/etinspect-links-XXXXXX";

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    return chdir("/") == 0 ? rmdir(folder) : -1;
}

static void assert_leads_to(const char *path, const char *expected) {
    char *found = eti__follow_links(path);
    assert_non_null(found);
    assert_string_equal(found, expected);
    free(found);
}

static void paths_without_links_stay_the_same(void **state) {
    (void)state;
    assert_leads_to("none", "none");
    assert_leads_to("none/file", "none/file");
    assert_leads_to("/", "/");
}

static void links_are_followed_to_the_end(void **state) {
    (void)state;
    assert_int_equal(symlink("second", "first"), 0);
    assert_int_equal(symlink("/tmp/absent", "second"), 0);
    assert_leads_to("first", "/tmp/absent");
    assert_leads_to("./first", "/tmp/absent");
    unlink("first");
    unlink("second");
}

/* A link is relative to its own folder. */
static void links_lead_on_from_their_folder(void **state) {
    (void)state;
    char path[100], expected[100];
    assert_int_equal(symlink("target", "link"), 0);
    snprintf(path, sizeof path, "%s/link", folder);
    snprintf(expected, sizeof expected, "%s/target", folder);
    assert_leads_to(path, expected);
    assert_leads_to("link", "target");
    unlink("link");
}

static void circles_end(void **state) {
    (void)state;
    assert_int_equal(symlink("b", "a"), 0);
    assert_int_equal(symlink("a", "b"), 0);
    assert_null(eti__follow_links("a"));
    assert_int_equal(errno, ELOOP);
    unlink("a");
    unlink("b");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_without_links_stay_the_same),
        cmocka_unit_test(links_are_followed_to_the_end),
        cmocka_unit_test(links_lead_on_from_their_folder),
        cmocka_unit_test(circles_end),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
