#include "measure/parts.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* ==== command ================================================================================= */

#define PLACE "{}"
#define PROGRAM_PLACE "{model}"
#define FOR_SHELLS "|&;<>()$`"

/* State of splitting a command. */
typedef struct splitter {
    const eti_command *command;
    eti_arena *arena;
    const char *at;
    eti_buffer word;
    eti_error *err;
} splitter;

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n';
}

static eti_status fail_command(const splitter *s, const char *what) {
    return eti_fail(s->err, ETI_ERROR_USAGE, "%s%s: %s in: %s", eti__option_prefix(),
                    s->command->option, what, s->command->text);
}

static eti_status fail_for_shell(const splitter *s) {
    return eti_fail(s->err, ETI_ERROR_USAGE,
                    "%s%s: %c has a meaning only in a shell: quote it, or run the command in a "
                    "shell with %sshell: %s",
                    eti__option_prefix(), s->command->option, *s->at, eti__option_prefix(),
                    s->command->text);
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Reads a text in single quotes, up to and including the closing quote. */
static eti_status add_single_quoted(splitter *s) {
    const char *end = strchr(++s->at, '\'');
    if (!end)
        return fail_command(s, "a ' is not closed");
    eti__buffer_add(&s->word, s->at, (size_t)(end - s->at));
    s->at = end + 1;
    return ETI_OK;
}

static eti_status add_double_quoted(splitter *s) {
    for (s->at++; *s->at && *s->at != '"'; s->at++) {
        if (*s->at == '$' || *s->at == '`')
            return fail_for_shell(s);
        bool is_escape = *s->at == '\\' && s->at[1] && strchr("$`\"\\", s->at[1]);
        s->at += is_escape;
        eti__buffer_add_char(&s->word, *s->at);
    }
    if (!*s->at)
        return fail_command(s, "a \" is not closed");
    s->at++;
    return ETI_OK;
}

static eti_status add_escaped(splitter *s) {
    s->at++;
    if (!*s->at)
        return fail_command(s, "nothing follows the last \\");
    eti__buffer_add_char(&s->word, *s->at++);
    return ETI_OK;
}

/* Reads one word, which begins at the current position, into the buffer. */
static eti_status read_word(splitter *s) {
    s->word.size = 0;
    while (*s->at && !is_blank(*s->at)) {
        if (*s->at == '\'')
            ETI_TRY(add_single_quoted(s));
        else if (*s->at == '"')
            ETI_TRY(add_double_quoted(s));
        else if (*s->at == '\\')
            ETI_TRY(add_escaped(s));
        else if (strchr(FOR_SHELLS, *s->at))
            return fail_for_shell(s);
        else
            eti__buffer_add_char(&s->word, *s->at++);
    }
    return ETI_OK;
}

static eti_status split(eti_command *out, splitter *s) {
    while (is_blank(*s->at))
        s->at++;
    while (*s->at) {
        ETI_TRY(read_word(s));
        char *word =
            s->word.failed ? NULL : eti__arena_string_of(s->arena, eti__buffer_text(&s->word));
        if (!word)
            return eti_fail_memory(s->err);
        out->words[out->n_words++] = word;
        while (is_blank(*s->at))
            s->at++;
    }
    return out->n_words > 0 && *out->words[0] ? ETI_OK
                                              : fail_command(s, "the command contains no program");
}

/* ---- scripts --------------------------------------------------------------------------------- */

/* Copies the script, replacing {} by "$1". Inside '...', the quotes are closed before it and reopened after it. */
static void add_script(eti_buffer *out, const char *script) {
    char quote = 0;
    for (const char *at = script; *at; at++) {
        if (strncmp(at, PLACE, strlen(PLACE)) == 0) {
            static const char *const by_quote[] = {"\"$1\"", "${1}", "'\"$1\"'"};
            eti__buffer_add_string(out, by_quote[quote == 0 ? 0 : quote == '"' ? 1 : 2]);
            at += strlen(PLACE) - 1;
            continue;
        }
        eti__buffer_add_char(out, *at);
        if (*at == '\\' && quote != '\'' && at[1])
            eti__buffer_add_char(out, *++at);
        else if (*at == quote)
            quote = 0;
        else if (quote == 0 && (*at == '\'' || *at == '"'))
            quote = *at;
    }
}

static eti_status make_script(eti_command *out, splitter *s) {
    static const char *const shell[] = {"/bin/sh", "-c"};
    static const char *const parameters[] = {"sh", PLACE};
    add_script(&s->word, out->text);
    char *script =
        s->word.failed ? NULL : eti__arena_string_of(s->arena, eti__buffer_text(&s->word));
    if (!script)
        return eti_fail_memory(s->err);
    for (size_t i = 0; i < 2; i++)
        out->words[out->n_words++] = (char *)shell[i];
    out->words[out->n_words++] = script;
    for (size_t i = 0; i < 2; i++)
        out->words[out->n_words++] = (char *)parameters[i];
    return ETI_OK;
}

/* ---- commands and scripts -------------------------------------------------------------------- */

static bool has_place(const eti_command *command) {
    for (size_t i = 0; i < command->n_words; i++) {
        if (strstr(command->words[i], PLACE))
            return true;
    }
    return false;
}

static bool is_empty(const char *text) {
    return text[strspn(text, " \t\n")] == '\0';
}

eti_status eti__command_parse(eti_command *out, eti_arena *arena, const char *option,
                              const char *text, bool uses_shell, eti_error *err) {
    *out = (eti_command){.option = option, .text = text};
    splitter s = {.command = out, .arena = arena, .at = text, .err = err};
    if (is_empty(text))
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%s%s: the command is empty: give a program and its arguments",
                        eti__option_prefix(), option);
    size_t most_words = strlen(text) / 2 + 8; /* a word takes at least a character and a blank */
    out->words = eti__arena_alloc_zero(arena, most_words, sizeof *out->words);
    if (!out->words)
        return eti_fail_memory(err);
    eti_status status = uses_shell ? make_script(out, &s) : split(out, &s);
    eti__buffer_free(&s.word);
    out->has_path = uses_shell ? strstr(text, PLACE) != NULL : has_place(out);
    return status;
}

/* Returns the word with the path in place of each {}, and the program, unless it is NULL, in place of each {model}. NULL:
 * out of memory. */
static char *put_path(const char *word, eti_arena *arena, const char *path, const char *program) {
    eti_buffer out = {0};
    for (; *word; word++) {
        if (strncmp(word, PLACE, strlen(PLACE)) == 0) {
            eti__buffer_add_string(&out, path);
            word += strlen(PLACE) - 1;
        } else if (program && strncmp(word, PROGRAM_PLACE, strlen(PROGRAM_PLACE)) == 0) {
            eti__buffer_add_string(&out, program);
            word += strlen(PROGRAM_PLACE) - 1;
        } else {
            eti__buffer_add_char(&out, *word);
        }
    }
    char *copy = out.failed ? NULL : eti__arena_string_of(arena, eti__buffer_text(&out));
    eti__buffer_free(&out);
    return copy;
}

char **eti__command_arguments(const eti_command *command, eti_arena *arena, const char *path,
                              const char *program) {
    char **arguments = eti__arena_alloc_zero(arena, command->n_words + 1, sizeof *arguments);
    for (size_t i = 0; arguments && i < command->n_words; i++) {
        arguments[i] = put_path(command->words[i], arena, path, program);
        if (!arguments[i])
            return NULL;
    }
    return arguments;
}

/* ==== runner ================================================================================== */

#define MOST_LINES 20 /* lines of a failed command */

/* ---- opening --------------------------------------------------------------------------------- */

static eti_status check_path(const eti_command *command, const eti_command *pull, eti_error *err) {
    if (command->n_words == 0 || command->has_path || pull->has_path)
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_USAGE,
                    "%s%s: expected {} in the command, for the path of the dump: %s",
                    eti__option_prefix(), command->option, command->text);
}

eti_status eti__runner_open(eti_runner *out, eti_arena *arena, const eti_measure_options *options,
                            eti_error *err) {
    *out = (eti_runner){.timeout = (double)options->timeout};
    const struct {
        eti_command *command;
        const char *option, *text;
    } all[] = {
        {&out->sides[ETI_MEASURED_BASE], "base", options->base},
        {&out->sides[ETI_MEASURED_NEW], "new", options->new_side},
        {&out->before, "before", options->before},
        {&out->pull, "pull", options->pull},
    };
    if (!options->new_side && options->base)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%sbase needs %snew: give the command to compare with as %snew COMMAND",
                        eti__option_prefix(), eti__option_prefix(), eti__option_prefix());
    if (!options->new_side)
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "no command was given: use %snew COMMAND, and %sbase COMMAND to compare with",
            eti__option_prefix(), eti__option_prefix());
    ETI_TRY(eti__sides_open(out, options, err));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bool is_program = i < ETI_N_MEASURED_SIDES && out->programs[i];
        if (all[i].text && !is_program)
            ETI_TRY(eti__command_parse(all[i].command, arena, all[i].option, all[i].text,
                                       options->uses_shell, err));
    }
    ETI_TRY(check_path(&out->sides[ETI_MEASURED_BASE], &out->pull, err));
    return check_path(&out->sides[ETI_MEASURED_NEW], &out->pull, err);
}

/* ---- failures -------------------------------------------------------------------------------- */

/* Returns the beginning of the last lines of a text. */
static const char *find_last_lines(eti_text text) {
    const char *at = text.data + text.size;
    size_t n = 0;
    while (at > text.data && !(at[-1] == '\n' && at < text.data + text.size && ++n == MOST_LINES))
        at--;
    return at;
}

void eti__log_last_lines(eti_text text, eti_write_function log, void *context) {
    if (text.size == 0)
        return;
    const char *at = find_last_lines(text);
    size_t n = (size_t)(text.data + text.size - at);
    bool goes_on = log(context, at, n);
    if (goes_on && at[n - 1] != '\n')
        (void)log(context, "\n", 1);
}

void eti__log_end(const eti_process_result *result, eti_write_function log, void *context) {
    const eti_tail *tail = result->errors.size > 0 ? &result->errors : &result->output;
    if (log)
        eti__log_last_lines((eti_text){tail->bytes, tail->size}, log, context);
}

void eti__describe_end(char *out, size_t size, const eti_process_result *result, double timeout) {
    switch (result->end) {
    case ETI_PROCESS_EXITED:
        snprintf(out, size, "exit status %d", result->code);
        break;
    case ETI_PROCESS_KILLED:
        snprintf(out, size, "ended by signal %d (%s)", result->code, strsignal(result->code));
        break;
    case ETI_PROCESS_NOT_STARTED:
        snprintf(out, size, "cannot be started: %s", strerror(result->code));
        break;
    case ETI_PROCESS_TIMED_OUT:
        eti__snprintf(out, size, "took longer than the %.9g seconds of %stimeout", timeout,
                      eti__option_prefix());
        break;
    case ETI_PROCESS_CANCELLED:
        snprintf(out, size, "cancelled by the caller");
    }
}

static eti_status fail(const eti_command *command, const eti_process_result *result, double timeout,
                       eti_error *err) {
    char how[256];
    if (result->end == ETI_PROCESS_CANCELLED)
        return eti_fail(err, ETI_ERROR_CANCELLED, "cancelled by the caller while a command ran");
    eti__describe_end(how, sizeof how, result, timeout);
    bool sets_variable =
        result->end == ETI_PROCESS_NOT_STARTED && strchr(command->words[0], '=') != NULL;
    return eti_fail(err, ETI_ERROR_READ, "%s%s: %s%s: %s", eti__option_prefix(), command->option,
                    how, sets_variable ? " (env A=B COMMAND sets variables)" : "", command->text);
}

/* ---- running --------------------------------------------------------------------------------- */

/* Runs a command, if there is one. */
static eti_status run_command(const eti_runner *runner, const eti_command *command,
                              const char *path, eti_error *err) {
    eti_arena arena = {0};
    eti_process_result result;
    if (command->n_words == 0)
        return ETI_OK;
    char **arguments = eti__command_arguments(command, &arena, path, NULL);
    bool succeeded = arguments && eti__process_run(&result, NULL, arguments, runner->timeout,
                                                   runner->wait, runner->wait_context);
    eti_status status = ETI_OK;
    if (!arguments)
        status = eti_fail_memory(err);
    else if (!succeeded)
        status = fail(command, &result, runner->timeout, err);
    if (status == ETI_ERROR_READ)
        eti__log_end(&result, runner->log, runner->log_context);
    eti__arena_free(&arena);
    return status;
}

eti_status eti__runner_run(eti_runner *runner, eti_measured_side side, const char *path,
                           eti_error *err) {
    ETI_TRY(run_command(runner, &runner->before, path, err));
    if (runner->programs[side])
        return eti__side_run(runner, side, path, err);
    ETI_TRY(run_command(runner, &runner->sides[side], path, err));
    return run_command(runner, &runner->pull, path, err);
}
