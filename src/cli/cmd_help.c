/*
 * cmd_help.c - etinspect help [COMMAND]: what a command does and which options it has.
 */
#include "cli/cli.h"

static const cli_option options[] = {
    {"help", NULL, "print this and exit", NULL, true},
    {NULL, NULL, NULL, NULL, false},
};

static const cli_option_group group = {"Options", options};
static const cli_option_group *const groups[] = {&group, NULL};

static int take(void *context, const char *name, const char *value) {
    const char **command = context;
    if (*command)
        return cli_fail_usage("help explains one command at a time");
    *command = name ? "help" : value;
    return CLI_OK;
}

static void print_commands(void) {
    printf("\nCommands:\n");
    const cli_command *command;
    for (size_t i = 0; (command = cli_command_at(i)); i++)
        printf("  %-10s%s\n", command->name ? command->name : "(none)", command->summary);
}

static int run(const cli_command *self, int argc, char **argv) {
    const char *name = NULL;
    int status = cli_parse(self, argc, argv, take, &name);
    if (status != CLI_OK)
        return status;
    const cli_command *command = name ? cli_command_find(name) : &cli_inspect;
    if (!command)
        return cli_fail_usage("there is no command %s", name);
    cli_print_help(command, stdout);
    if (!name)
        print_commands();
    return CLI_OK;
}

const cli_command cli_help = {
    .name = "help",
    .arguments = "[COMMAND]",
    .summary = "Explain a command and its options.",
    .details = NULL,
    .groups = groups,
    .run = run,
};
