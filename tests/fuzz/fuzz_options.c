/*
 * fuzz_options.c - the input is a command line, its words ended by NULs. It goes through the real parser with the tables of
 * the real commands, and the result is kept. No command runs: no file is opened or written.
 *
 * Three sources of the program are included here rather than linked: main.c, whose main() is replaced,
 * message.c, whose stderr is replaced, and cmd_inspect.c, so that its own function takes its options.
 */
#include "cli/main.h"
#include "fuzz.h"

static FILE *messages; /* output that the program would print */
#undef stderr
#define stderr messages
#define main cli_main
#include "cli/main.c"
#undef main
#include "cli/message.c"

#include "cli/cmd_inspect.c"

#define MOST_WORDS 64

/* ---- the command line ------------------------------------------------------------------------ */

typedef struct command_line {
    char *words[MOST_WORDS + 2]; /* word 0 stands for the program; NULL ends them */
    int n_words;
    char *text; /* all words */
} command_line;

static command_line make_command_line(const uint8_t *data, size_t size) {
    static char program[] = "etinspect";
    command_line line = {.words = {program}, .n_words = 1, .text = malloc(size + 1)};
    if (!line.text)
        abort();
    if (size > 0)
        memcpy(line.text, data, size);
    line.text[size] = '\0';
    for (size_t at = 0; at < size && line.n_words <= MOST_WORDS; at += strlen(line.text + at) + 1)
        line.words[line.n_words++] = line.text + at;
    return line;
}

/* ---- result of parsing ----------------------------------------------------------------------- */

typedef struct parsed {
    const cli_command *command;
    struct {
        const char *name, *value;
    } arguments[MOST_WORDS];
    size_t n_arguments;
} parsed;

/* Returns whether a flag may have this value: "true", and "all" for --help. */
static bool is_flag_value(const eti__option *flag, const char *value) {
    return strcmp(value, "true") == 0 ||
           (strcmp(flag->name, "help") == 0 && strcmp(value, CLI_HELP_ALL) == 0);
}

/* Implements cli_take: an option is one that the command takes or accepts, a flag has a flag's value. */
static int keep(void *context, const eti__option *option, const char *value) {
    parsed *out = context;
    FUZZ_EXPECT(value);
    if (option) {
        FUZZ_EXPECT((option->commands | option->accepted_by) & out->command->bit);
        FUZZ_EXPECT(option->value || is_flag_value(option, value));
    }
    FUZZ_EXPECT(out->n_arguments < MOST_WORDS);
    out->arguments[out->n_arguments].name = option ? option->name : NULL;
    out->arguments[out->n_arguments++].value = option && !option->value ? NULL : value;
    return CLI_OK;
}

/* ---- output ---------------------------------------------------------------------------------- */

static char *printed;
static size_t printed_size;

static void start_printing(void) {
    messages = open_memstream(&printed, &printed_size);
    FUZZ_EXPECT(messages);
}

/* A rejection is one line without commands to a terminal; a success is silent. */
static void end_printing(int status) {
    fclose(messages);
    messages = NULL;
    FUZZ_EXPECT(status == CLI_OK || status == CLI_USAGE);
    FUZZ_EXPECT((printed_size > 0) == (status != CLI_OK));
    if (status != CLI_OK) {
        FUZZ_EXPECT(printed[printed_size - 1] == '\n');
        eti_text line = {printed, printed_size - 1};
        FUZZ_EXPECT(fuzz_is_utf8(line, NULL) && !fuzz_has_control(line, 0xfffd));
    }
    free(printed);
    printed = NULL;
}

static int parse(const cli_command *command, int argc, char **argv, parsed *out) {
    *out = (parsed){.command = command};
    start_printing();
    int status = cli_parse(command, argc, argv, keep, out);
    end_printing(status);
    return status;
}

/* ---- the same once more, in full ------------------------------------------------------------- */

/* "--name=value", "--name" or a plain argument. */
static char *spell(const char *name, const char *value) {
    size_t size = (name ? strlen(name) : 0) + (value ? strlen(value) : 0) + sizeof "--=";
    char *word = malloc(size);
    FUZZ_EXPECT(word);
    snprintf(word, size, "%s%s%s%s", name ? "--" : "", name ? name : "", name && value ? "=" : "",
             value ? value : "");
    return word;
}

static bool is_same_string(const char *a, const char *b) {
    return !a == !b && (!a || strcmp(a, b) == 0);
}

/* Options written out in full parse to the same. Plain arguments after the last option may look like options, so "--"
 * precedes them. */
static void expect_same_in_full(const parsed *first) {
    char *words[MOST_WORDS + 3] = {spell(NULL, "etinspect")};
    int n_words = 1;
    size_t n_until_last_option = 0;
    for (size_t i = 0; i < first->n_arguments; i++) {
        if (first->arguments[i].name)
            n_until_last_option = i + 1;
    }
    for (size_t i = 0; i < first->n_arguments; i++) {
        if (i == n_until_last_option)
            words[n_words++] = spell(NULL, "--");
        words[n_words++] = spell(first->arguments[i].name, first->arguments[i].value);
    }
    parsed second;
    FUZZ_EXPECT(parse(first->command, n_words, words, &second) == CLI_OK);
    FUZZ_EXPECT(second.n_arguments == first->n_arguments);
    for (size_t i = 0; i < first->n_arguments; i++) {
        FUZZ_EXPECT(is_same_string(first->arguments[i].name, second.arguments[i].name));
        FUZZ_EXPECT(is_same_string(first->arguments[i].value, second.arguments[i].value));
    }
    for (int i = 0; i < n_words; i++)
        free(words[i]);
}

/* ---- the function of the program that takes them --------------------------------------------- */

static void take_as_inspect_does(int argc, char **argv) {
    inspect_arguments arguments = {.n_modules = 0};
    FUZZ_EXPECT(eti_request_new(&arguments.request.request, NULL) == ETI_OK);
    eti_request_set_option_prefix(arguments.request.request, "--");
    start_printing();
    int status = cli_parse(&cli_inspect, argc, argv, take, &arguments);
    end_printing(status);
    const eti_request *request = arguments.request.request;
    const eti_options options = eti__request_opening(request);
    FUZZ_EXPECT(arguments.request.inputs.n_files == 0);
    FUZZ_EXPECT(options.source_time_scale <= ETI_SCALE_CYCLES);
    FUZZ_EXPECT(options.target_time_scale <= ETI_SCALE_CYCLES);
    FUZZ_EXPECT(eti__request_view(request).table.delegate_metadata <= ETI_METADATA_JSON);
    for (size_t i = 0; i < options.n_delegate_time_scales; i++) {
        const eti_delegate_time_scale *entry = &options.delegate_time_scales[i];
        FUZZ_EXPECT(entry->scale <= ETI_SCALE_CYCLES && (!entry->backend || *entry->backend));
    }
    free(arguments.modules);
    cli_request_close(&arguments.request);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    command_line line = make_command_line(data, size);
    const cli_command *command = line.n_words > 1 ? cli_command_find(line.words[1]) : NULL;
    int argc = line.n_words - (command ? 1 : 0);
    char **argv = line.words + (command ? 1 : 0);

    parsed out;
    if (parse(command ? command : &cli_inspect, argc, argv, &out) == CLI_OK)
        expect_same_in_full(&out);
    if (!command)
        take_as_inspect_does(argc, argv);
    free(line.text);
    return 0;
}
