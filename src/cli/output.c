#include "api/api.h"
#include "base/process.h"
#include "cli/inputs.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/request.h"
#include "etinspect.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __APPLE__
extern char **environ; /* no header declares it */
#endif

/* ==== pager =================================================================================== */
/* Shows a report on the terminal; a long one a page at a time, in a program of the user's choice. */

typedef struct cli_shown {
    size_t columns; /* of the first line */
    size_t of_screen;
} cli_shown;

/* Output is held until it is known not to fit the screen. */
typedef struct pager {
    const char *command;  /* NULL: none, everything is written to the terminal */
    size_t rows, columns; /* of the screen */
    char *held;
    size_t n_held;
    size_t n_lines, column; /* of the screen, held so far */
    bool in_escape;         /* in a sequence that the screen does not show */
    size_t first_line;      /* columns of the first line, so far */
    bool first_line_ended;
    int pipe; /* to the pager; -1: it was not started */
    pid_t pid;
    bool was_left;  /* before everything was written */
    bool is_broken; /* it failed, and may have shown nothing */
    int reason;     /* errno of a failure, or 0 */
    struct sigaction old_pipe, old_interrupt, old_quit;
} pager;

/* ---- whether ---------------------------------------------------------------------------------- */

static bool is_in_path(const char *program) {
    const char *at = getenv("PATH");
    char path[4096];
    while (at && *at) {
        size_t size = strcspn(at, ":");
        int n = snprintf(path, sizeof path, "%.*s/%s", (int)size, at, program);
        if (size > 0 && n > 0 && (size_t)n < sizeof path && access(path, X_OK) == 0)
            return true;
        at += size + (at[size] == ':');
    }
    return false;
}

/* Returns whether the shell would find no program to run. Returns false if only a shell can decide that. */
static bool is_missing(const char *command) {
    char program[4096];
    size_t size = strcspn(command, " ");
    bool is_plain = command[strspn(command, CLI_SHELL_PLAIN " ")] == '\0';
    if (!is_plain || size == 0 || size >= sizeof program)
        return false;
    snprintf(program, sizeof program, "%.*s", (int)size, command);
    return strchr(program, '/') ? access(program, X_OK) != 0 : !is_in_path(program);
}

/* Returns the command of the pager; NULL: none. */
static const char *find_command(const cli_request *request) {
    const char *command = getenv("ETINSPECT_PAGER");
    if (cli_has(request, "no_pager") || !cli_terminal_is_able())
        return NULL;
    if (!command)
        command = getenv("PAGER");
    if (!command)
        return is_in_path("less") ? "less" : NULL;
    return *command && strcmp(command, "cat") != 0 ? command : NULL;
}

/* Returns whether the report goes to a terminal, directly or through a pager. */
static bool is_shown(const cli_request *request) {
    return !cli_has(request, "sandbox") && strcmp(cli_output_path(request), "-") == 0 &&
           strcmp(cli_format(request), "sqlite") != 0 && isatty(STDOUT_FILENO);
}

/* ---- the process ------------------------------------------------------------------------------ */

static void ignore(int signal_number, struct sigaction *old) {
    struct sigaction action = {.sa_handler = SIG_IGN};
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, old);
}

/* Ignores signals of the terminal's keys, which are for the pager while it has the terminal, and SIGPIPE. */
static void ignore_signals(pager *p) {
    ignore(SIGPIPE, &p->old_pipe);
    ignore(SIGINT, &p->old_interrupt);
    ignore(SIGQUIT, &p->old_quit);
}

static void restore_signals(const pager *p) {
    sigaction(SIGPIPE, &p->old_pipe, NULL);
    sigaction(SIGINT, &p->old_interrupt, NULL);
    sigaction(SIGQUIT, &p->old_quit, NULL);
}

static int spawn(pager *p, int input) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t signals;
    int reason = posix_spawn_file_actions_init(&actions);
    if (reason != 0)
        return reason;
    reason = posix_spawnattr_init(&attributes);
    if (reason == 0) {
        char *arguments[] = {"sh", "-c", (char *)p->command, NULL};
        sigemptyset(&signals);
        sigaddset(&signals, SIGPIPE);
        sigaddset(&signals, SIGINT);
        sigaddset(&signals, SIGQUIT);
        posix_spawnattr_setsigdefault(&attributes, &signals);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
        reason = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
        if (reason == 0)
            reason = posix_spawnp(&p->pid, "sh", &actions, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return reason;
}

/* Makes less keep colours, scroll long lines sideways instead of breaking them, and leave the text on the screen. Tables and
 * names are UTF-8 whatever the locale is. */
static bool set_environment(void) {
    bool is_chosen = getenv("LESSCHARSET") || getenv("LESSCHARDEF");
    return setenv("LESS", "RSX", 0) == 0 && setenv("LV", "-c", 0) == 0 &&
           (is_chosen || setenv("LESSCHARSET", "utf-8", 0) == 0);
}

static bool start(pager *p) {
    int ends[2];
    p->is_broken = is_missing(p->command);
    if (p->is_broken)
        return false;
    if (!set_environment() || !eti__open_pipe(ends)) {
        p->reason = errno;
        return false;
    }
    ignore_signals(p);
    p->reason = spawn(p, ends[0]);
    close(ends[0]);
    if (p->reason != 0) {
        close(ends[1]);
        restore_signals(p);
        return false;
    }
    p->pipe = ends[1];
    return true;
}

/* Waits for the pager, and returns the exit status of its shell. */
static int wait_for_pager(pager *p) {
    int status = 0;
    close(p->pipe);
    while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
        ;
    restore_signals(p);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

/* ---- writing ---------------------------------------------------------------------------------- */

static bool write_all(pager *p, int descriptor, const char *data, size_t size) {
    while (size > 0) {
        ssize_t written = write(descriptor, data, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            p->was_left = p->pipe >= 0 && errno == EPIPE;
            p->reason = written < 0 ? errno : ENOSPC;
            return false;
        }
        data += written;
        size -= (size_t)written;
    }
    return true;
}

/* Counts lines of the screen, which breaks longer lines. A character that takes two columns counts
 * as one. */
static void count(pager *p, unsigned char byte) {
    bool is_first_byte = (byte & 0xc0) != 0x80;
    if (p->in_escape) {
        p->in_escape = byte == '[' || byte < 0x40;
    } else if (byte == '\033') {
        p->in_escape = true;
    } else if (byte == '\n') {
        p->n_lines++;
        p->column = 0;
    } else if (is_first_byte && p->column++ == p->columns) {
        p->n_lines++;
        p->column = 1;
    }
}

/* Counts the columns of the first line. */
static void measure_first_line(pager *p, const char *data, size_t size) {
    for (size_t i = 0; i < size && !p->first_line_ended; i++) {
        p->first_line_ended = data[i] == '\n';
        p->first_line += !p->first_line_ended && ((unsigned char)data[i] & 0xc0) != 0x80;
    }
}

static bool hold(pager *p, const char *data, size_t size) {
    char *grown = realloc(p->held, p->n_held + size + 1);
    if (!grown) {
        p->reason = ENOMEM;
        return false;
    }
    memcpy(grown + p->n_held, data, size);
    p->held = grown;
    p->n_held += size;
    for (size_t i = 0; i < size; i++)
        count(p, (unsigned char)data[i]);
    return true;
}

/* Takes output: an eti_write_function. */
static bool take(void *context, const void *data, size_t size) {
    pager *p = context;
    measure_first_line(p, data, size);
    if (!p->command)
        return write_all(p, STDOUT_FILENO, data, size);
    if (p->pipe >= 0)
        return write_all(p, p->pipe, data, size);
    if (!hold(p, data, size))
        return false;
    if (p->n_lines < p->rows)
        return true; /* may fit, except for the line of the next prompt */
    return start(p) && write_all(p, p->pipe, p->held, p->n_held);
}

static eti_status fail(eti_error *err, const char *what, const char *reason) {
    *err = (eti_error){.status = ETI_ERROR_WRITE};
    snprintf(err->message, sizeof err->message, "%s: %s", what, reason);
    return err->status;
}

/* Finishes after all output was taken, or after taking it failed. */
static eti_status finish(pager *p, eti_status status, eti_error *err) {
    if (p->pipe >= 0) {
        p->is_broken = wait_for_pager(p) != 0;
        return p->was_left ? ETI_OK : status;
    }
    if (p->is_broken)
        return status;
    if (status == ETI_OK)
        (void)write_all(p, STDOUT_FILENO, p->held, p->n_held);
    if (p->reason != 0)
        return fail(err, "(standard output)", strerror(p->reason));
    return status;
}

/* Copies the request, with options for the screen. */
static eti_status ask(const cli_request *request, size_t n_columns, eti_request **out,
                      eti_error *err) {
    char width[32];
    const char *columns = getenv("COLUMNS"); /* takes precedence, as without a pager */
    snprintf(width, sizeof width, "%zu", n_columns);
    eti_status status = eti_request_copy(out, request->request, err);
    if (status == ETI_OK)
        status = eti_request_set(*out, "for_terminal", "true", err);
    if (status == ETI_OK && !cli_has(request, "width") && !(columns && *columns))
        status = eti_request_set(*out, "width", width, err);
    return status;
}

/* Writes the report to the pager or the terminal, and frees the output that was held. */
static eti_status write_report(pager *p, const eti_report *report, const eti_request *for_screen,
                               eti_error *err) {
    eti_status status = finish(p, eti_report_write(report, NULL, for_screen, take, p, err), err);
    free(p->held);
    p->held = NULL;
    return status;
}

/* Writes the report: to the terminal if it fits or no pager is wanted, otherwise to ETINSPECT_PAGER, PAGER or less. If the
 * user quits the pager early, the output ends without an error. If the pager cannot be started or fails, the report is
 * written to the terminal after a warning. */
static eti_status show_output(const eti_report *report, const cli_request *request,
                              cli_shown *shown, eti_error *err) {
    pager p = {.command = find_command(request), .rows = 24, .columns = 80, .pipe = -1};
    eti_request *for_screen = NULL;
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
        p.rows = size.ws_row;
        p.columns = size.ws_col;
    }
    eti_status status = ask(request, p.columns, &for_screen, err);
    if (status == ETI_OK)
        status = write_report(&p, report, for_screen, err);
    if (p.is_broken) {
        cli_warn(
            "%s: this pager cannot be started, or failed; printing without it, as with --no_pager",
            p.command);
        p = (pager){.columns = p.columns, .pipe = -1};
        status = write_report(&p, report, for_screen, err);
    }
    *shown = (cli_shown){.columns = p.first_line, .of_screen = p.columns};
    eti_request_free(for_screen);
    return status;
}

/* ==== request print =========================================================================== */
/* Prints the selection of a report, in its format, to a file, a pager or the output. */

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

/* Prints a line that explains the selection, and frees it. */
static eti_status hint(eti_buffer *line, const char *option, eti_error *err) {
    eti_status status = line->failed ? eti_fail_memory(err) : ETI_OK;
    if (status == ETI_OK && line->size > 0)
        cli_hint("--%s: %.*s", option, (int)line->size, line->data);
    eti__buffer_free(line);
    return status;
}

/* Explains numbers of the filter without units, and which rows are the first on a terminal. */
static eti_status explain_selection(const eti_report *report, const cli_request *request,
                                    size_t n_before, eti_error *err) {
    eti_buffer line = {0};
    eti_status status =
        eti__report_explain_filter(&line, report, request->request, cli_format(request), err);
    if (status != ETI_OK) {
        eti__buffer_free(&line);
        return status;
    }
    ETI_TRY(hint(&line, "filter", err));
    if (is_shown(request))
        eti__report_explain_sort(&line, report, request->request, n_before);
    return hint(&line, "sort", err);
}

/* Selects rows and columns, and prints hints, also if a filter leaves no row of a table that had rows. */
static eti_status select_from(eti_report *report, const cli_request *request, eti_error *err) {
    const char *filter = eti_request_get(request->request, "filter");
    size_t number;
    (void)find_table(report, request, &number);
    size_t n_rows = eti_table_row_count(eti_report_table(report, number));
    eti_status status = eti_report_select(report, request->request, err);
    if (status == ETI_OK)
        status = explain_selection(report, request, n_rows, err);
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
    if (!is_shown(request))
        return eti_report_save(report, cli_format(request), cli_output_path(request),
                               request->request, err);
    eti_status status = show_output(report, request, &shown, err);
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
