/*
 * cmd_help.c - etinspect help [COMMAND | TOPIC]: the manual of a command, or its description and options; the manual of a
 * topic.
 */
#include "cli/manual.h"
#include "cli/values.h"

#include <stdlib.h>
#include <string.h>

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
        return cli_words_add(&arguments->words, value);
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
    return cli_print_values(command ? command : &cli_inspect, arguments->values_of,
                            &arguments->words);
}

/* Opens the manual's page of a topic, or names it. Returns whether there is such a topic. */
static bool explain_topic(const help_arguments *arguments) {
    for (size_t i = 0; i < N_TOPICS && arguments->name; i++) {
        if (strcmp(topics[i].name, arguments->name) != 0)
            continue;
        if (!arguments->is_plain)
            cli_manual_show(topics[i].name, topics[i].section);
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
        cli_manual_show(command->name, 1);
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
