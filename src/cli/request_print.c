/*
 * request_print.c - prints the selection of a report, in its format, to a file, a pager or the output.
 */
#include "cli/request.h"
#include "cli/pager.h"
#include "cli/progress.h"

#include <string.h>
#include <unistd.h>

static bool selects(const cli_request *request) {
    if (request->is_selected)
        return false;
    return cli_has(request, "columns") || cli_has(request, "filter") || cli_has(request, "sort") ||
           cli_has(request, "top");
}

/* Finds the table that selections apply to; returns false if there is no table of that name, which the library reports. */
static bool find_table(const eti_report *report, const cli_request *request, size_t *out) {
    const char *name = eti_request_get(request->request, "table");
    *out = eti_report_selected_table(report);
    for (size_t i = 0; name && i < eti_report_table_count(report); i++) {
        *out = i;
        if (strcmp(eti_report_table_name(report, i), name) == 0)
            return true;
    }
    return !name;
}

/* Prints the names of all tables of a report that has several. */
static void print_tables(const eti_report *report, size_t number) {
    size_t n = eti_report_table_count(report);
    if (n == 1)
        return;
    printf("\nThese are the columns of the table %s. --table selects one of ",
           eti_report_table_name(report, number));
    for (size_t i = 0; i < n; i++)
        printf("%s%s", i > 0 ? ", " : "", eti_report_table_name(report, i));
    printf("\n");
}

static void print_columns(const eti_table *table) {
    size_t n = eti_table_column_count(table);
    int width = 0;
    for (size_t i = 0; i < n; i++) {
        eti_text name = eti_table_column_name(table, i);
        width = name.size > (size_t)width && name.size < 100 ? (int)name.size : width;
    }
    for (size_t i = 0; i < n; i++) {
        eti_text name = eti_table_column_name(table, i);
        const char *help = eti_table_column_help(table, i);
        printf("%-*.*s  %-6s  %c %s\n", width, (int)name.size, name.data,
               eti_column_kind_name(eti_table_column_kind(table, i)),
               eti_table_column_is_extra(table, i) ? '+' : ' ', help ? help : "");
    }
    printf("\n+ shown only with --columns, and in formats for programs\n");
}

/* Prints the error of an expression, with a caret below the wrong place. */
static int fail_selection(const eti_error *err, const char *expression) {
    int exit_status = cli_fail(err);
    if (expression && err->position > 0)
        cli_point_at(expression, err->position - 1);
    return exit_status;
}

static eti_status list_columns(eti_report *report, const cli_request *request, eti_error *err) {
    size_t number;
    if (!find_table(report, request, &number))
        return eti_report_select(report, request->request, err);
    print_columns(eti_report_table(report, number));
    print_tables(report, number);
    return ETI_OK;
}

/* Selects rows and columns, and prints a hint if a filter leaves no row of a table that had rows. */
static eti_status select_from(eti_report *report, const cli_request *request, eti_error *err) {
    const char *filter = eti_request_get(request->request, "filter");
    size_t number;
    (void)find_table(report, request, &number);
    size_t n_rows = eti_table_row_count(eti_report_table(report, number));
    eti_status status = eti_report_select(report, request->request, err);
    if (status != ETI_OK || !filter || n_rows == 0 || request->output_path)
        return status;
    const eti_table *selected = eti_report_table(report, eti_report_selected_table(report));
    if (eti_table_row_count(selected) == 0)
        cli_warn("--filter: none of the %zu rows matches %s", n_rows, filter);
    return ETI_OK;
}

/* ---- what else there is ---------------------------------------------------------------------- */

/* Returns whether the output is the Inspector's table without a selection. */
static bool is_plain_table(const cli_request *request) {
    return request->command == &cli_inspect && strcmp(cli_format(request), "table") == 0 &&
           !selects(request) && !cli_has(request, "group") && !cli_has(request, "module");
}

#define MOST_NAMES 512 /* bytes of a hint */

/* Appends a path, quoted for a shell; false: the hint would be too long. */
static bool add_path(char out[MOST_NAMES], const char *path) {
    size_t used = strlen(out);
    const char *quote = *path && path[strspn(path, CLI_SHELL_PLAIN ":@%=")] == '\0' ? "" : "'";
    if (strchr(path, '\''))
        return false;
    return (size_t)snprintf(out + used, MOST_NAMES - used, " %s%s%s", quote, path, quote) <
           MOST_NAMES - used;
}

/* Names the files of the command line, in a form that can be copied. */
static void name_inputs(const cli_request *request, char out[MOST_NAMES]) {
    const cli_inputs *inputs = &request->inputs;
    const char *const options[] = {inputs->etdump_path, inputs->etrecord_path};
    bool fits = true;
    out[0] = '\0';
    for (size_t i = 0; i < 2 && fits; i++)
        fits = !options[i] || add_path(out, options[i]);
    for (size_t i = 0; i < inputs->n_plain && fits; i++)
        fits = add_path(out, inputs->plain[i]);
    if (!fits)
        snprintf(out, MOST_NAMES, " FILES");
}

/* Prints a hint at the view "summary" if the screen has to break lines six times or more. */
static void hint_at_summary(const cli_request *request, const cli_shown *shown) {
    char names[MOST_NAMES];
    if (shown->columns <= shown->of_screen || !is_plain_table(request) || !isatty(STDERR_FILENO))
        return;
    name_inputs(request, names);
    cli_hint("this table is %zu columns wide; try etinspect summary%s", shown->columns, names);
}

/* ---- printing -------------------------------------------------------------------------------- */

static eti_status save(const cli_request *request, const eti_report *report, eti_error *err) {
    cli_shown shown;
    if (!cli_is_shown(request))
        return eti_report_save(report, cli_format(request), cli_output_path(request),
                               request->request, err);
    eti_status status = cli_show(report, request, &shown, err);
    if (status == ETI_OK)
        hint_at_summary(request, &shown);
    return status;
}

/* Saves the tensors of the remaining rows, and prints their number. */
static eti_status save_tensors(const cli_request *request, const eti_report *report,
                               eti_error *err) {
    const char *path = eti_request_get(request->request, "save");
    const eti_table *table = eti_report_table(report, eti_report_selected_table(report));
    size_t n_saved, n_rows = eti_table_row_count(table);
    if (!path)
        return ETI_OK;
    eti_status status = eti_report_save_tensors(report, path, &n_saved, request->request, err);
    if (status == ETI_OK && n_saved < n_rows)
        cli_hint("%s: saved %zu of %zu tensors", path, n_saved, n_rows);
    return status;
}

int cli_request_print_report(const cli_request *request, eti_report *report) {
    eti_error err = ETI_ERROR_INIT;
    eti_status status = ETI_OK;
    bool lists_columns = cli_has(request, "list_columns");
    cli_progress_end();
    if (lists_columns)
        status = list_columns(report, request, &err);
    else if (selects(request) || cli_has(request, "table"))
        status = select_from(report, request, &err);
    if (status == ETI_OK && !lists_columns)
        status = save_tensors(request, report, &err);
    if (status == ETI_OK && !lists_columns)
        status = save(request, report, &err);
    bool failed = eti_report_failed(report);
    eti_report_free(report);
    if (status == ETI_OK)
        return failed && !lists_columns ? CLI_CHECK_FAILED : CLI_OK;
    return fail_selection(&err, eti_request_get(request->request, "filter"));
}

int cli_request_print(const cli_request *request, const eti_inspector *inspector,
                      const char *view) {
    eti_error err = ETI_ERROR_INIT;
    eti_report *report;
    bool is_whole = strcmp(view, "events") == 0 && !selects(request);
    if (is_whole && strcmp(cli_format(request), "sqlite") == 0)
        view = "database";
    cli_progress_tell(NULL, "summing up", 0, 0);
    if (eti_inspector_report(&report, inspector, view, request->request, &err) != ETI_OK)
        return cli_fail(&err);
    return cli_request_print_report(request, report);
}
