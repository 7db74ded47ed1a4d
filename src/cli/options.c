#include "cli/options.h"

#include "cli/main.h"
#include "cli/message.h"
#include "cli/request.h"

#include <stdio.h>
#include <string.h>

/* ==== options ================================================================================= */
/* Turns argv into calls of a command's cli_take, and the catalogue into help.
 *
 * As in argparse, and unlike getopt_long, an argument that begins with a hyphen is not the value
 * of the option before it, and a prefix that is unique among the Inspector's options stands for
 * that option, regardless of the options that etinspect adds. */

/* Steps through the options that the command takes, or accepts and ignores. */
/* NOLINTBEGIN(bugprone-macro-parentheses): `option` is the name of a variable */
#define FOR_EACH_OPTION(command, option)                                                           \
    for (size_t row = 0, more = 1; more; more = 0)                                                 \
        for (const eti__option *option; (option = next_option((command)->bit, true, &row));)
/* NOLINTEND(bugprone-macro-parentheses) */

static const eti__option *next_option(unsigned commands, bool with_accepted, size_t *i) {
    const eti__option *option;
    while ((option = eti__option_at((*i)++))) {
        if ((option->commands | (with_accepted ? option->accepted_by : 0)) & commands)
            return option;
    }
    return NULL;
}

const eti__option *cli_next_option(const cli_command *command, size_t *i) {
    return next_option(command->bit, false, i);
}

/* Returns whether the name of `option` is, or begins with, the first `length` bytes of `name`. Hyphens stand for
 * underscores. */
static bool begins_with(const eti__option *option, const char *name, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (option->name[i] != (name[i] == '-' ? '_' : name[i]))
            return false;
    }
    return true;
}

/* Returns the number of options that `name` may mean, and stores the last of them in `found`. A whole name means only
 * itself. */
static size_t match_options(const cli_command *command, const char *name, size_t length,
                            bool only_inspectors, const eti__option **found) {
    size_t n = 0;
    FOR_EACH_OPTION(command, option) {
        if (!begins_with(option, name, length))
            continue;
        if (option->name[length] == '\0') {
            *found = option;
            return 1;
        }
        if (!only_inspectors || option->is_inspectors) {
            *found = option;
            n++;
        }
    }
    return n;
}

static int fail_ambiguous(const cli_command *command, const char *name, size_t length) {
    char names[1024] = "";
    size_t used = 0;
    FOR_EACH_OPTION(command, option) {
        if (begins_with(option, name, length) && used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, " --%s", option->name);
    }
    return cli_fail_usage("--%.*s is ambiguous:%s", (int)length, name, names);
}

static bool is_of_another(const char *name, size_t length) {
    const eti__option *option;
    for (size_t i = 0; (option = eti__option_at(i)); i++) {
        if (option->commands && begins_with(option, name, length) && !option->name[length])
            return true;
    }
    return false;
}

/* Finds an option; returns CLI_OK with `found` NULL if there is no such option. The name of another command's option is not
 * taken as a prefix. */
static int find_option(const cli_command *command, const char *name, size_t length,
                       const eti__option **found) {
    *found = NULL;
    size_t n = match_options(command, name, length, true, found);
    if (n != 1)
        n = match_options(command, name, length, false, found);
    if (n > 0 && (*found)->name[length] != '\0' && !(*found)->is_inspectors &&
        is_of_another(name, length)) {
        *found = NULL;
        return CLI_OK;
    }
    return n > 1 ? fail_ambiguous(command, name, length) : CLI_OK;
}

/* "-1" or "-.5" */
static bool is_negative_number(const char *argument) {
    size_t whole = strspn(argument + 1, "0123456789");
    const char *rest = argument + 1 + whole;
    if (*rest == '\0')
        return whole > 0;
    return *rest == '.' && rest[1] != '\0' && rest[1 + strspn(rest + 1, "0123456789")] == '\0';
}

/* Returns whether `argument` is "--name" or "--name=..." with the name of an option or its beginning. */
static bool is_known(const cli_command *command, const char *argument) {
    if (strncmp(argument, "--", 2) != 0)
        return false;
    size_t length = strcspn(argument + 2, "=");
    FOR_EACH_OPTION(command, option) {
        if (begins_with(option, argument + 2, length))
            return true;
    }
    return false;
}

/* Returns whether an argument is an option: it begins with a hyphen, but is not "-", which is standard input, a number, or a
 * word with a space that is not a value after "=". */
static bool is_option(const cli_command *command, const char *argument) {
    if (argument[0] != '-' || argument[1] == '\0')
        return false;
    return is_known(command, argument) || (!is_negative_number(argument) && !strchr(argument, ' '));
}

/* State of parsing a command line. */
typedef struct parser {
    const cli_command *command;
    int argc;
    char **argv;
    int at; /* the current argument */
    const char
        *unknown; /* the first unknown option: reported last, because --help takes precedence */
    bool helped;
    cli_take take;
    void *context;
} parser;

/* Returns the option with this letter, or NULL. */
static const eti__option *find_letter(const cli_command *command, char letter) {
    FOR_EACH_OPTION(command, option) {
        if (option->letter == letter)
            return option;
    }
    return NULL;
}

/* Returns whether an argument is the value of an option whose values may begin with a hyphen: one hyphen and more than the
 * letter of an option. */
static bool is_hyphened_value(const cli_command *command, const eti__option *option,
                              const char *argument) {
    bool is_one_hyphen = argument[0] == '-' && argument[1] != '-' && argument[1] != '\0';
    return option->takes_hyphen && is_one_hyphen &&
           (argument[2] != '\0' || !find_letter(command, argument[1]));
}

/* Takes the value of an option that needs one: the text after "=", or else the next argument. */
static int take_value(parser *p, const eti__option *option, const char *value) {
    if (!value && p->at + 1 == p->argc)
        return cli_fail_usage("--%s needs a value", option->name);
    if (!value && is_option(p->command, p->argv[p->at + 1]) &&
        !is_hyphened_value(p->command, option, p->argv[p->at + 1]))
        return cli_fail_usage("--%s needs a value; write a value that begins with - as --%s=%s",
                              option->name, option->name, p->argv[p->at + 1]);
    if (!value)
        value = p->argv[++p->at];
    return p->take(p->context, option, value);
}

/* Takes "--help", "--help" "all" or "--help=all"; later arguments are not read. */
static int take_help(parser *p, const eti__option *option, const char *value) {
    if (value && strcmp(value, CLI_HELP_ALL) != 0)
        return cli_fail_usage("--%s takes no value except %s", option->name, CLI_HELP_ALL);
    p->helped = true;
    bool is_all = value || (p->at + 1 < p->argc && strcmp(p->argv[p->at + 1], CLI_HELP_ALL) == 0);
    return p->take(p->context, option, is_all ? CLI_HELP_ALL : "true");
}

/* Takes "--name", "--name=value" or "--name" "value". */
static int take_option(parser *p) {
    const char *argument = p->argv[p->at];
    const char *name = argument + 2;
    size_t length = strcspn(name, "=");
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    const eti__option *option;
    int status = find_option(p->command, name, length, &option);
    if (status != CLI_OK)
        return status;
    if (!option) {
        p->unknown = p->unknown ? p->unknown : argument;
        return CLI_OK;
    }
    if (option->value)
        return take_value(p, option, value);
    if (strcmp(option->name, "help") == 0)
        return take_help(p, option, value);
    if (value)
        return cli_fail_usage("--%s does not take a value", option->name);
    return p->take(p->context, option, "true");
}

/* Returns whether `name` is the whole name of an option. */
static bool is_name(const cli_command *command, const char *name) {
    FOR_EACH_OPTION(command, option) {
        if (eti__option_is_called(option, name))
            return true;
    }
    return false;
}

/* Takes "-o" "value", "-ovalue" or "-h". */
static int take_letter(parser *p) {
    const char *argument = p->argv[p->at];
    const eti__option *option = find_letter(p->command, argument[1]);
    const char *value = argument[2] != '\0' ? argument + 2 : NULL;
    if (value && is_name(p->command, argument + 1))
        return cli_fail_usage("there is no option %s: did you mean -%s?", argument, argument);
    if (option && option->value)
        return take_value(p, option, value);
    if (!option || value) {
        p->unknown = p->unknown ? p->unknown : argument;
        return CLI_OK;
    }
    if (strcmp(option->name, "help") == 0)
        return take_help(p, option, NULL);
    return p->take(p->context, option, "true");
}

static int take_argument(parser *p) {
    const char *argument = p->argv[p->at];
    if (!is_option(p->command, argument))
        return p->take(p->context, NULL, argument);
    return strncmp(argument, "--", 2) == 0 ? take_option(p) : take_letter(p);
}

#define MOST_NAMED 3 /* commands that a message names */

/* Names the commands that take an option of this name: "tree", "size and diff", "summary, runs, ops and others". Returns their
 * number. */
static size_t find_takers(const char *name, char out[128]) {
    const cli_command *command;
    const char *names[MOST_NAMED];
    size_t n = 0, used = 0;
    for (size_t i = 0; (command = cli_command_at(i)); i++) {
        const eti__option *option = NULL;
        for (size_t k = 0; (option = cli_next_option(command, &k));) {
            if (eti__option_is_called(option, name))
                break;
        }
        if (option && n++ < MOST_NAMED)
            names[n - 1] = command->name ? command->name : "etinspect without a command";
    }
    for (size_t i = 0; i < n && i < MOST_NAMED && used < 128; i++) {
        const char *before = i + 1 == n ? " and " : ", ";
        used += (size_t)snprintf(out + used, 128 - used, "%s%s", i > 0 ? before : "", names[i]);
    }
    if (n > MOST_NAMED && used < 128)
        snprintf(out + used, 128 - used, " and others");
    return n;
}

/* Returns the name of an option that any command takes by this letter, or NULL. */
static const char *name_of_letter(char letter) {
    const eti__option *option;
    for (size_t i = 0; (option = eti__option_at(i)); i++) {
        if (option->letter == letter)
            return option->name;
    }
    return NULL;
}

static int fail_unknown(const cli_command *command, const char *argument) {
    char spelled[64], takers[128];
    int length = (int)strcspn(argument, "=");
    bool is_long = strncmp(argument, "--", 2) == 0;
    snprintf(spelled, sizeof spelled, "%.*s", length, argument);
    for (char *at = spelled; is_long && *at; at++) {
        if (*at == '-')
            *at = '_';
    }
    const char *name = is_long ? spelled + 2 : NULL;
    if (!is_long && !find_letter(command, argument[1]))
        name = name_of_letter(argument[1]);
    size_t n_takers = name ? find_takers(name, takers) : 0;
    if (n_takers > 0)
        return cli_fail_usage(
            "%s does not take %.*s, which is an option of %s: leave it out, or use %s",
            command->name ? command->name : "etinspect without a command", length, argument, takers,
            n_takers > 1 ? "one of these" : takers);
    char capital = '\0';
    if (length == 2 && !is_long)
        capital = (char)((unsigned char)argument[1] ^ 0x20U);
    if (capital && find_letter(command, capital))
        return cli_fail_usage("there is no option %s: did you mean -%c?", argument, capital);
    const char *nearest = is_long ? eti__near_option(name, command->bit) : NULL;
    return cli_fail_usage("there is no option %.*s%s%s%s", length, argument,
                          nearest ? ": did you mean --" : "", nearest ? nearest : "",
                          nearest ? "?" : "");
}

int cli_parse(const cli_command *command, int argc, char **argv, cli_take take, void *context) {
    parser p = {command, argc, argv, 1, NULL, false, take, context};
    int status = CLI_OK;
    for (; p.at < argc && status == CLI_OK && !p.helped; p.at++) {
        if (strcmp(argv[p.at], "--") == 0)
            break;
        status = take_argument(&p);
    }
    if (status == CLI_OK && p.unknown && !p.helped)
        return fail_unknown(command, p.unknown);
    for (p.at++; p.at < argc && status == CLI_OK && !p.helped; p.at++)
        status = take(context, NULL, argv[p.at]);
    return status;
}

/* ---- before the command ---------------------------------------------------------------------- */

int cli_global_words(int argc, char **argv) {
    const eti__option *option;
    char name[64];
    size_t length = strcspn(argv[0], "=");
    if (strncmp(argv[0], "--", 2) != 0)
        return 0;
    snprintf(name, sizeof name, "%.*s", (int)length, argv[0]);
    for (size_t i = 0; (option = eti__option_at(i)); i++) {
        if (option->is_global && eti__option_is_called(option, name + 2))
            return option->value && argv[0][length] == '\0' && argc > 1 ? 2 : 1;
    }
    return 0;
}

/* ---- help ------------------------------------------------------------------------------------ */

#define HELP_COLUMN 32

static void print_option(const eti__option *option, FILE *stream) {
    int width = option->letter ? fprintf(stream, "  -%c, ", option->letter) : fprintf(stream, "  ");
    width += fprintf(stream, "--%s%s%s", option->name, option->value ? " " : "",
                     option->value ? option->value : "");
    if (width > HELP_COLUMN - 2) {
        fputc('\n', stream);
        width = 0;
    }
    const char *line = option->help;
    while (*line) {
        int length = (int)strcspn(line, "\n");
        fprintf(stream, "%*s%.*s\n", HELP_COLUMN - width, "", length, line);
        width = 0;
        line += length + (line[length] == '\n');
    }
}

/* Returns whether the short help of a command describes the option: one of its own, or, without a verb, one of the
 * Inspector's. */
static bool is_own(const cli_command *command, const eti__option *option) {
    return option->group == ETI__OWN_OPTIONS || (!command->name && option->is_inspectors);
}

/* Prints the options of a group; if `only_own`, those that the short help describes. */
static void print_group(const cli_command *command, eti__option_group group, bool only_own,
                        FILE *stream) {
    const eti__option *option;
    bool is_begun = false;
    for (size_t i = 0; (option = cli_next_option(command, &i));) {
        if (option->group != group || (only_own && !is_own(command, option)))
            continue;
        if (!is_begun)
            fprintf(stream, "\n%s:\n", eti__option_group_name(group));
        is_begun = true;
        print_option(option, stream);
    }
}

#define NAMES_COLUMN 13
#define NAMES_WIDTH 100

/* Prints the names of a group's options that the short help does not describe, `*is_begun` after their heading. */
static void name_group(const cli_command *command, eti__option_group group, bool *is_begun,
                       FILE *stream) {
    const eti__option *option;
    int width = 0; /* of the current line; 0: none yet */
    for (size_t i = 0; (option = cli_next_option(command, &i));) {
        if (option->group != group || is_own(command, option))
            continue;
        if (!*is_begun)
            fprintf(stream, "\nCommon options (--help %s describes them):\n", CLI_HELP_ALL);
        *is_begun = true;
        if (width == 0)
            width = fprintf(stream, "  %-*s", NAMES_COLUMN - 3, eti__option_group_name(group));
        if (width + (int)strlen(" --") + (int)strlen(option->name) > NAMES_WIDTH)
            width = fprintf(stream, "\n%*s", NAMES_COLUMN - 1, "") - 1;
        width += fprintf(stream, " --%s", option->name);
    }
    if (width > 0)
        fputc('\n', stream);
}

void cli_print_help(const cli_command *command, bool with_common, FILE *stream) {
    bool is_begun = false;
    fprintf(stream, "Usage: etinspect%s%s [OPTION]... %s\n%s\n", command->name ? " " : "",
            command->name ? command->name : "", command->arguments, command->summary);
    if (command->example)
        fprintf(stream, "\nExample:\n  %s\n", command->example);
    for (eti__option_group group = 0; group < ETI__N_OPTION_GROUPS; group++)
        print_group(command, group, !with_common, stream);
    for (eti__option_group group = 0; group < ETI__N_OPTION_GROUPS && !with_common; group++)
        name_group(command, group, &is_begun, stream);
    if (command->details)
        fprintf(stream, "\n%s\n", command->details);
}

/* ==== unused ================================================================================== */
/* Rejects options that would change nothing. Options that may precede the command are never
 * rejected: an alias may hold them. */

/* Returns whether a list such as "csv,tsv" has `name`. */
static bool lists(const char *formats, const char *name) {
    size_t length = strlen(name);
    for (const char *at = formats; *at; at += strcspn(at, ",") + (strchr(at, ',') != NULL)) {
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return true;
    }
    return false;
}

static bool is_for_output(const cli_request *request, const eti__option *option) {
    bool is_used = !option->formats || lists(option->formats, cli_format(request));
    for (size_t i = 0; i < request->n_other_formats && !is_used; i++)
        is_used = lists(option->formats, request->other_formats[i]);
    return is_used;
}

/* Writes formats as "csv or tsv". */
static void print_formats(char out[128], const char *formats) {
    size_t used = 0;
    for (const char *at = formats; *at && used < 100;) {
        size_t length = strcspn(at, ",");
        bool is_last = at[length] == '\0';
        used += (size_t)snprintf(out + used, 128 - used, "%s%.*s",
                                 at == formats ? ""
                                 : is_last     ? " or "
                                               : ", ",
                                 (int)length, at);
        at += length + !is_last;
    }
}

static int fail_format(const cli_request *request, const eti__option *option) {
    char formats[128] = "";
    print_formats(formats, option->formats);
    return cli_fail_usage("--%s has no effect in the format %s: leave it out, or choose %s",
                          option->name, cli_format(request), formats);
}

static bool is_given(const cli_request *request, const char *name) {
    return strcmp(name, "format") == 0 ? request->is_format_given : cli_has(request, name);
}

static int fail_action(const cli_request *request, const eti__option *option) {
    bool shows = request->bit == ETI__FOR_BASELINE_SHOW;
    return cli_fail_usage(
        "--%s applies to baseline %s and has no effect in baseline %s: leave it out", option->name,
        shows ? "save" : "show", shows ? "show" : "save or merge");
}

int cli_check_unused(const cli_request *request) {
    const eti__option *option;
    for (size_t i = 0; (option = cli_next_option(request->command, &i));) {
        if (option->is_global || !is_given(request, option->name))
            continue;
        if (!(option->commands & request->bit))
            return fail_action(request, option);
        if (!is_for_output(request, option))
            return fail_format(request, option);
    }
    return CLI_OK;
}
