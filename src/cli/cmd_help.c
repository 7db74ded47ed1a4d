#include "cli/cmd_help.h"

#include "api/api.h"
#include "base/process.h"
#include "cli/main.h"
#include "cli/message.h"
#include "cli/options.h"
#include "etinspect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== values ================================================================================== */
/* Lists possible values of an option, for completions. Reads the files of the command line for
 * names; ignores files that cannot be read, and stops reading after two seconds. */

/* Collects the arguments as they are parsed. Starts as all zeros; the caller frees `words`. */
typedef struct cli_words {
    char **words;
    size_t n;
} cli_words;

#define MOST_SECONDS 2
#define MOST_FILES 64

/* Appends a word. Returns CLI_OK, or an exit status after a message. */
static int add_words(cli_words *words, const char *word) {
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
    if (command != &cli_record && command != &cli_measure && command != &cli_check &&
        command != &cli_help)
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
    static const char *const groups[] = {"op",     "kernel",   "backend",  "compute_unit",
                                         "module", "module:1", "module:2", "source",
                                         "block",  "method"};
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

/* Prints a line for each value: a name and, after a separator, its meaning. Names of several lines are left out. Names come
 * from files that may be hostile, so only a shell's completion may use them unchanged. Returns the exit status. */
static int print_all_values(const cli_command *command, const char *option,
                            const cli_words *words) {
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

/* ==== manual ================================================================================== */
/* Opens a page of the manual, with the man(1) of the system. */

#define PAGE_BYTES 64                 /* of the name of a page */
#define PATH_BYTES 4096               /* of the path of a page */
#define MOST_MAN_SECONDS 10           /* that man(1) may take to find a page */
#define THIS_PROGRAM "/proc/self/exe" /* on Linux; elsewhere man(1) alone searches */

/* Folders of pages, relative to the folder of the program: as installed by make, as in distributions, and as in the source
 * tree. */
static const struct {
    const char *folder; /* the number of the section follows if it ends in "man" */
    const char *suffix; /* after the number of the section */
} places[] = {
    {"../share/man/man", ""},
    {"../share/man/man", ".gz"},
    {"../man/", ""},
};

/* Writes the folder of the program, with a slash at its end. Returns whether it is known. */
static bool find_folder(char out[PATH_BYTES]) {
    ssize_t size = readlink(THIS_PROGRAM, out, PATH_BYTES - 1);
    if (size <= 0 || size == PATH_BYTES - 1)
        return false;
    out[size] = '\0';
    char *slash = strrchr(out, '/');
    if (slash)
        slash[1] = '\0';
    return slash != NULL;
}

/* Writes the path of a page that was installed with the program. Returns whether there is one. */
static bool find_installed(char out[PATH_BYTES], const char *page, int section) {
    char folder[PATH_BYTES];
    if (!find_folder(folder))
        return false;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *in = places[i].folder;
        char of_section[8] = "";
        if (in[strlen(in) - 1] != '/')
            snprintf(of_section, sizeof of_section, "%d/", section);
        int n = snprintf(out, PATH_BYTES, "%s%s%s%s.%d%s", folder, in, of_section, page, section,
                         places[i].suffix);
        if (n > 0 && n < PATH_BYTES && access(out, R_OK) == 0)
            return true;
    }
    return false;
}

static bool wait_on(void *context) {
    (void)context;
    return true;
}

/* Returns whether man(1) finds a page by its name. */
static bool is_found_by_man(char *page, char *section) {
    char *const arguments[] = {"man", "-w", section, page, NULL};
    eti_process_result result;
    return eti__process_run(&result, NULL, arguments, MOST_MAN_SECONDS, wait_on, NULL);
}

/* Replaces this process by man(1), which shows the page etinspect-NAME of the section: the page that was installed with the
 * program, or else the page that man(1) finds. Returns only if that is impossible: standard output is not a terminal, man(1) is not
 * installed, or there is no such page. Must be called before anything is printed. */
static void show_manual(const char *name, int section) {
    char page[PAGE_BYTES], path[PATH_BYTES], number[8];
    if (!isatty(STDOUT_FILENO))
        return;
    snprintf(page, sizeof page, "etinspect-%s", name);
    snprintf(number, sizeof number, "%d", section);
    if (find_installed(path, page, section))
        execlp("man", "man", path, (char *)NULL);
    else if (is_found_by_man(page, number))
        execlp("man", "man", number, page, (char *)NULL);
}

/* ==== cmd help ================================================================================ */
/* etinspect help [COMMAND | TOPIC]: the manual of a command, or its description and options; the
 * manual of a topic. */

/* Pages of the manual that are not about one command. */
static const struct {
    const char *name;
    int section;
    const char *summary;
} topics[] = {
    {"options", 7, "Options that several commands have, and filter expressions."},
    {"inputs", 5, "Files that can be read, and limits of their sizes."},
    {"formats", 5, "Formats of the output, and their suffixes."},
    {"database", 5, "Tables of SQLite databases, with queries."},
    {"attribution", 7, "How times inside delegates are given to operators."},
    {"comparisons", 7, "How profiles are compared, and what to record."},
};
enum { N_TOPICS = sizeof topics / sizeof *topics };

typedef struct help_arguments {
    const char *name; /* of the command; NULL: none */
    bool lists;
    bool is_plain;         /* start neither a pager nor any other process */
    const char *values_of; /* an option whose values are listed; NULL: none */
    cli_words words;       /* of a command line, after its command */
} help_arguments;

static int take(void *context, const eti__option *option, const char *value) {
    help_arguments *arguments = context;
    if (option && option->is_global) { /* of an alias */
        if (strcmp(option->name, "no_pager") == 0 || strcmp(option->name, "sandbox") == 0)
            arguments->is_plain = true;
        return CLI_OK;
    }
    if (option && strcmp(option->name, "list") == 0)
        arguments->lists = true;
    else if (option && strcmp(option->name, "values") == 0)
        arguments->values_of = value;
    else if (!option && arguments->name && arguments->values_of)
        return add_words(&arguments->words, value);
    else if (arguments->name)
        return cli_fail_usage("help explains one command at a time");
    else
        arguments->name = option ? "help" : value;
    return CLI_OK;
}

void cli_print_commands(FILE *stream) {
    static const char *const purposes[CLI_N_PURPOSES] = {
        [CLI_LOOK] = "Look at a profile",
        [CLI_COMPARE] = "Compare profiles",
        [CLI_JUDGE] = "Measure and judge, for example in continuous integration",
    };
    const cli_command *command;
    fprintf(stream, "Usage: etinspect COMMAND [OPTION]... FILE...\n"
                    "       etinspect [OPTION]... ETDUMP... [ETRECORD]   the Inspector's table\n");
    for (cli_purpose purpose = 0; purpose < CLI_N_PURPOSES; purpose++) {
        fprintf(stream, "%s%s:\n", purpose == 0 ? "\n" : "", purposes[purpose]);
        for (size_t i = 0; (command = cli_command_at(i)); i++) {
            if (command->name && command->purpose == purpose && command != &cli_help)
                fprintf(stream, "  %-10s%s\n", command->name, command->summary);
        }
    }
    fprintf(stream,
            "\nSee 'etinspect help COMMAND' for a command, 'etinspect --help' for the table.\n"
            "Topics of the manual:");
    for (size_t i = 0; i < N_TOPICS; i++)
        fprintf(stream, " %s", topics[i].name);
    fputc('\n', stream);
}

/* Separates fields, which may be empty; no text contains this byte. */
#define SEPARATOR "\x1f"

/* Prints the choices of an option: of formats those that the command can write. */
static void print_choices(const cli_command *command, const eti__option *option) {
    const char *format, *separator = "";
    if (strcmp(option->name, "format") != 0 || (command->bit & ETI__FOR_ROWS)) {
        fputs(option->choices ? option->choices : "", stdout);
        return;
    }
    for (size_t i = 0; (format = eti_format_name(i)); i++) {
        if (eti__format_check(NULL, format, command->bit, NULL) != ETI_OK)
            continue;
        printf("%s%s", separator, format);
        separator = ",";
    }
}

/* Prints a line for an option; those that may precede the command are of the kind "global". */
static void list_option(const cli_command *command, const eti__option *option, const char *hyphens,
                        const char *name) {
    printf("%s" SEPARATOR "%s%s" SEPARATOR "%s" SEPARATOR, option->is_global ? "global" : "option",
           hyphens, name, option->value ? option->value : "");
    print_choices(command, option);
    printf(SEPARATOR "%.*s\n", (int)strcspn(option->help, "\n"), option->help);
}

static void list_options(const cli_command *command) {
    const eti__option *option;
    for (size_t i = 0; (option = cli_next_option(command, &i));) {
        const char letter[] = {option->letter, '\0'};
        list_option(command, option, "--", option->name);
        if (*letter)
            list_option(command, option, "-", letter);
    }
}

static void list_command(const char *name, const char *summary) {
    printf("command" SEPARATOR "%s" SEPARATOR SEPARATOR SEPARATOR "%s\n", name, summary);
}

/* Lists the commands, and for help, which explains them, too, the topics. */
static void list_commands(const cli_command *of) {
    const cli_command *command;
    for (size_t i = 0; (command = cli_command_at(i)); i++) {
        if (command->name)
            list_command(command->name, command->summary);
    }
    for (size_t i = 0; i < N_TOPICS && of == &cli_help; i++)
        list_command(topics[i].name, topics[i].summary);
}

static int print_values(const help_arguments *arguments) {
    const cli_command *command = arguments->name ? cli_command_find(arguments->name) : NULL;
    return print_all_values(command ? command : &cli_inspect, arguments->values_of,
                            &arguments->words);
}

/* Opens the manual's page of a topic, or names it. Returns whether there is such a topic. */
static bool explain_topic(const help_arguments *arguments) {
    for (size_t i = 0; i < N_TOPICS && arguments->name; i++) {
        if (strcmp(topics[i].name, arguments->name) != 0)
            continue;
        if (!arguments->is_plain)
            show_manual(topics[i].name, topics[i].section);
        printf("%s\nSee etinspect-%s(%d): man %d etinspect-%s\n", topics[i].summary, topics[i].name,
               topics[i].section, topics[i].section, topics[i].name);
        return true;
    }
    return false;
}

static int explain(const help_arguments *arguments) {
    if (!arguments->lists && explain_topic(arguments))
        return CLI_OK;
    const cli_command *command = arguments->name ? cli_command_find(arguments->name) : &cli_inspect;
    const cli_command *nearest = command ? NULL : cli_command_near(arguments->name);
    if (nearest)
        return cli_fail_usage("there is no command %s: did you mean %s?", arguments->name,
                              nearest->name);
    if (!command)
        return cli_fail_usage("there is no command or topic %s", arguments->name);
    if (arguments->lists) {
        list_commands(command);
        list_options(command);
        return CLI_OK;
    }
    if (!arguments->name) {
        cli_print_commands(stdout);
        return CLI_OK;
    }
    if (!arguments->is_plain)
        show_manual(command->name, 1);
    cli_print_help(command, true, stdout);
    return CLI_OK;
}

static int run(const cli_command *self, int argc, char **argv) {
    help_arguments arguments = {.name = NULL};
    int status = cli_parse(self, argc, argv, take, &arguments);
    if (status == CLI_OK)
        status = arguments.values_of ? print_values(&arguments) : explain(&arguments);
    free(arguments.words.words);
    return status;
}

const cli_command cli_help = {
    .name = "help",
    .bit = ETI__FOR_HELP,
    .arguments = "[COMMAND | TOPIC]",
    .summary = "Explain a command and its options, or a topic.",
    .example = "etinspect help diff",
    .details = NULL,
    .run = run,
};
