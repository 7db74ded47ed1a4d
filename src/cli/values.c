#include "cli/values.h"

#include "cli/request.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_SECONDS 2
#define MOST_FILES 64

int cli_words_add(cli_words *words, const char *word) {
    char **grown = realloc(words->words, (words->n + 1) * sizeof *grown);
    if (!grown)
        return cli_fail_memory();
    words->words = grown;
    grown[words->n++] = (char *)word;
    return CLI_OK;
}

/* Prints a name, unless it has characters that a shell could misread. */
static void print_name(eti_text name) {
    for (size_t i = 0; i < name.size; i++) {
        if ((unsigned char)name.data[i] < ' ' || name.data[i] == 0x7f)
            return;
    }
    if (name.size > 0)
        printf("%.*s\n", (int)name.size, name.data);
}

static void print_words(const char *const *words, size_t n) {
    for (size_t i = 0; i < n; i++)
        printf("%s\n", words[i]);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Inputs of the command line. */
typedef struct input_files {
    const char *paths[MOST_FILES];
    eti_file_kind kinds[MOST_FILES];
    size_t n;
    const char *group; /* a whole word "--group=..."; NULL: none */
} input_files;

/* Returns whether a path is a regular file. Reading another kind of file could block, or consume input meant for the
 * command. */
static bool is_regular(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static eti_file_kind kind_of(const char *path) {
    eti_file *file;
    if (!is_regular(path) || eti_file_open(&file, path, NULL) != ETI_OK)
        return ETI_FILE_UNKNOWN;
    eti_file_kind kind = eti__file_kind(file);
    eti_file_close(file);
    return kind;
}

static input_files find_files(const cli_words *words) {
    input_files files = {.n = 0};
    for (size_t i = 0; i < words->n && files.n < MOST_FILES; i++) {
        const char *word = words->words[i], *equals = strchr(word, '=');
        const char *path = strncmp(word, "--", 2) == 0 && equals ? equals + 1 : word;
        eti_file_kind kind = kind_of(path);
        if (strncmp(word, "--group=", 8) == 0)
            files.group = word;
        if (kind == ETI_FILE_ETDUMP || kind == ETI_FILE_ETRECORD || kind == ETI_FILE_BASELINE ||
            kind == ETI_FILE_RUNNER_LOG || kind == ETI_FILE_JOURNAL || kind == ETI_FILE_PROGRAM ||
            kind == ETI_FILE_BUNDLED_PROGRAM) {
            files.kinds[files.n] = kind;
            files.paths[files.n++] = path;
        }
    }
    return files;
}

/* ---- names in files -------------------------------------------------------------------------- */

/* Runs the command for the list of its columns. Passes on none of the options given, because some of them write files. */
static void print_columns(const cli_command *command, const input_files *files) {
    char *argv[MOST_FILES + 8] = {"etinspect"};
    int argc = 1;
    if (command == &cli_baseline)
        argv[argc++] = "show";
    if (command == &cli_inspect && files->group)
        argv[argc++] = (char *)files->group;
    argv[argc++] = "--list_columns";
    argv[argc++] = "--";
    for (size_t i = 0; i < files->n; i++)
        argv[argc++] = (char *)files->paths[i];
    if (command != &cli_measure && command != &cli_check && command != &cli_help)
        command->run(command, argc, argv);
}

static eti_status open_files(eti_inspector **out, const input_files *files, eti_request *request) {
    eti_status status = eti_request_set(request, "no_debug_data", "true", NULL);
    for (size_t i = 0; i < files->n && status == ETI_OK; i++) {
        eti_file_kind kind = files->kinds[i];
        bool is_program = kind == ETI_FILE_PROGRAM || kind == ETI_FILE_BUNDLED_PROGRAM;
        status = eti_request_set(request,
                                 is_program                  ? "program_path"
                                 : kind == ETI_FILE_ETRECORD ? "etrecord_path"
                                                             : "etdump_path",
                                 files->paths[i], NULL);
    }
    return status == ETI_OK ? eti_inspector_open(out, request, NULL) : status;
}

static void print_blocks(const eti_inspector *inspector) {
    printf("all\n");
    for (size_t i = 0; i < eti_inspector_block_count(inspector); i++)
        print_name(eti_event_block_label(eti_inspector_block(inspector, i)));
}

static void print_methods(const eti_inspector *inspector) {
    for (size_t i = 0; i < eti_inspector_method_count(inspector); i++)
        print_name(eti_inspector_method_name(inspector, i));
}

/* Prints the names of the tables that a comparison always has. Returns false for other commands. */
static bool print_tables_of_comparison(const cli_command *command) {
    static const struct {
        const cli_command *command;
        const char *names[5];
    } tables[] = {
        {&cli_diff, {"summary", "total", "events", "files"}},
        {&cli_gate, {"gate", "rules", "checks"}},
        {&cli_noise, {"summary", "total", "events"}},
        {&cli_trend, {"summary", "total", "changes", "events", "series"}},
        {&cli_baseline, {"entries", "files"}},
        {&cli_numerics, {"numerics"}},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (tables[i].command != command)
            continue;
        for (size_t k = 0; k < 5 && tables[i].names[k]; k++)
            printf("%s\n", tables[i].names[k]);
        return true;
    }
    return false;
}

/* Prints the names of the tables of a view, which depend on the files. */
static void print_tables(const input_files *files, const cli_command *command) {
    const char *view = command == &cli_events ? "event_list" : command->name;
    eti_inspector *inspector = NULL;
    eti_report *report = NULL;
    eti_request *request;
    if (!view || eti_request_new(&request, NULL) != ETI_OK)
        return;
    if (open_files(&inspector, files, request) == ETI_OK &&
        eti_inspector_report(&report, inspector, view, request, NULL) == ETI_OK) {
        for (size_t i = 0; i < eti_report_table_count(report); i++)
            print_name((eti_text){eti_report_table_name(report, i),
                                  strlen(eti_report_table_name(report, i))});
    }
    eti_report_free(report);
    eti_inspector_close(inspector);
    eti_request_free(request);
}

static void print_names(const input_files *files, void (*print)(const eti_inspector *inspector)) {
    eti_inspector *inspector = NULL;
    eti_request *request;
    if (eti_request_new(&request, NULL) != ETI_OK)
        return;
    if (open_files(&inspector, files, request) == ETI_OK)
        print(inspector);
    eti_inspector_close(inspector);
    eti_request_free(request);
}

/* ---- names that are known -------------------------------------------------------------------- */

static void print_groups(void) {
    static const char *const groups[] = {"op",       "backend", "module", "module:1",
                                         "module:2", "source",  "block",  "method"};
    print_words(groups, sizeof groups / sizeof *groups);
}

static void print_rules(void) {
    static const char *const rules[] = {
        "op:p50>+5%",
        "op:avg>+5%",
        "op:p90>+5%",
        "op:min>+5%",
        "op:max>+5%",
        "total:p50>+5%",
        "total:avg>+5%",
        "total:p90>+5%",
        "total:min>+5%",
        "total:max>+5%",
        "optype:p50>+5%",
        "module:p50>+5%",
        "backend:p50>+5%",
        "source:p50>+5%",
        "operators:p50>+5%",
        "delegates:p50>+5%",
        "overhead:p50>+5%",
        "loading:p50>+5%",
        "allocation:max>+64kib",
        "file_size>+1%",
        "arena_size>+1%",
        "arena_peak>+1%",
        "waste>+1KiB",
        "constants>+1%",
        "delegate_blobs>+1%",
        "instructions>+1%",
        "operators>+1%",
    };
    print_words(rules, sizeof rules / sizeof *rules);
}

static void print_reports(void) {
    const char *format;
    for (size_t i = 0; (format = eti_format_name(i)); i++) {
        if (eti__format_check(NULL, format, ETI__FOR_GATE, NULL) == ETI_OK)
            printf("%s=\n", format);
    }
}

static void print_scales(void) {
    static const char *const scales[] = {"ns", "us", "ms", "s", "cycles"};
    print_words(scales, sizeof scales / sizeof *scales);
}

int cli_print_values(const cli_command *command, const char *option, const cli_words *words) {
    static const struct {
        const char *option;
        void (*print)(void);
        void (*print_names)(const eti_inspector *inspector); /* NULL, as is `print`: columns */
    } known[] = {
        {"columns", NULL, NULL},         {"sort", NULL, NULL},
        {"filter", NULL, NULL},          {"table", NULL, NULL},
        {"block", NULL, print_blocks},   {"method", NULL, print_methods},
        {"group", print_groups, NULL},   {"fail_on", print_rules, NULL},
        {"report", print_reports, NULL}, {"delegate_time_scale", print_scales, NULL},
    };
    alarm(MOST_SECONDS);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].option, option) != 0)
            continue;
        if (known[i].print) {
            known[i].print();
            return CLI_OK;
        }
        const input_files files = find_files(words);
        bool are_tables = strcmp(option, "table") == 0;
        if (are_tables && print_tables_of_comparison(command))
            return CLI_OK;
        if (files.n > 0 && are_tables)
            print_tables(&files, command);
        else if (files.n > 0 && known[i].print_names)
            print_names(&files, known[i].print_names);
        else if (files.n > 0)
            print_columns(command, &files);
    }
    return CLI_OK;
}
