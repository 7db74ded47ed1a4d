/*
 * cmd_bundle.c - etinspect bundle PROGRAM: writes a program with test cases as a bundled program.
 */
#include "api/api.h"
#include "cli/inputs.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/request.h"
#include "etinspect.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char details[] =
    "The runtime runs a bundled program (.bpte) with the inputs of a test case and compares its\n"
    "outputs with the expected ones. Each --inputs starts a test case of the method named by\n"
    "the last --method before it; the test cases of a method are numbered from 0.\n"
    "\n"
    "A file of inputs holds one tensor per input of the method, and a file of expected outputs\n"
    "one tensor per output, with the types and sizes of the program. Arrays of an .npz or .pt\n"
    "file are taken in the order in which they were saved, tensors of other files in the order\n"
    "of their names: x2 comes before x10. An input that is a number is given as an array\n"
    "without dimensions, with the value that the program was exported with.\n"
    "\n"
    "etinspect program --table test_cases lists the test cases of a bundled program.";

/* One test case of the command line. */
typedef struct test_case {
    const char *method, *inputs, *expected;
} test_case;

typedef struct bundle_arguments {
    cli_request request;
    const char *method; /* of the next cases */
    test_case *cases;
    size_t n;
} bundle_arguments;

static int add_case(bundle_arguments *arguments, const char *inputs) {
    test_case *grown = realloc(arguments->cases, (arguments->n + 1) * sizeof *grown);
    if (!grown)
        return cli_fail_memory();
    arguments->cases = grown;
    grown[arguments->n++] = (test_case){arguments->method, inputs, NULL};
    return CLI_OK;
}

static int add_expected(bundle_arguments *arguments, const char *expected) {
    test_case *last = arguments->n > 0 ? &arguments->cases[arguments->n - 1] : NULL;
    if (!last)
        return cli_fail_usage(
            "--expected %s comes before any --inputs: give the inputs of its test case first",
            expected);
    if (last->expected)
        return cli_fail_usage("--expected %s is the second one for --inputs %s: give the inputs of "
                              "its test case before it",
                              expected, last->inputs);
    last->expected = expected;
    return CLI_OK;
}

static int take(void *context, const eti__option *option, const char *value) {
    bundle_arguments *arguments = context;
    if (option && strcmp(option->name, "method") == 0)
        arguments->method = value;
    else if (option && strcmp(option->name, "inputs") == 0)
        return add_case(arguments, value);
    else if (option && strcmp(option->name, "expected") == 0)
        return add_expected(arguments, value);
    else
        return cli_request_take(&arguments->request, option, value);
    return CLI_OK;
}

/* Checks that everything is given and that the output is not one of the inputs. */
static int check(const bundle_arguments *arguments, const char *output) {
    const cli_inputs *given = &arguments->request.inputs;
    cli_inputs inputs = {.n_plain = 0};
    if (given->n_plain != 1)
        return cli_fail_usage(given->n_plain ? "%s: a second file, but bundle takes one program"
                                             : "no program was given: name the .pte",
                              given->n_plain ? given->plain[1] : "");
    if (arguments->n == 0)
        return cli_fail_usage("no test case was given: give its inputs with --inputs");
    if (!cli_has(&arguments->request, "output") || *output == '\0')
        return cli_fail_usage(
            "no output file was given: name it with --output; - is standard output");
    if (strcmp(output, "-") == 0 && isatty(STDOUT_FILENO))
        return cli_fail_usage(
            "a bundled program cannot be printed on a terminal: name a file with --output");
    int exit_status = cli_inputs_add_plain(&inputs, given->plain[0]);
    for (size_t i = 0; i < arguments->n && exit_status == CLI_OK; i++) {
        exit_status = cli_inputs_add_plain(&inputs, arguments->cases[i].inputs);
        if (exit_status == CLI_OK && arguments->cases[i].expected)
            exit_status = cli_inputs_add_plain(&inputs, arguments->cases[i].expected);
    }
    if (exit_status == CLI_OK)
        exit_status = cli_inputs_check_outputs(&inputs, &output, 1);
    cli_inputs_close(&inputs);
    return exit_status;
}

static eti_status write_bundle(const bundle_arguments *arguments, const char *output,
                               eti_error *err) {
    const eti_source program = {.path = arguments->request.inputs.plain[0]};
    eti_bundle_builder *builder;
    eti_status status = eti_bundle_builder_new(&builder, &program, err);
    for (size_t i = 0; i < arguments->n && status == ETI_OK; i++) {
        const test_case *one = &arguments->cases[i];
        status = eti_bundle_builder_add(builder, one->method, one->inputs, one->expected, err);
    }
    if (status == ETI_OK)
        status = eti_bundle_builder_save(builder, output, arguments->request.request, err);
    eti_bundle_builder_free(builder);
    return status;
}

static int act(void *context) {
    const bundle_arguments *arguments = context;
    const char *output = cli_output_path(&arguments->request);
    eti_error err = ETI_ERROR_INIT;
    int exit_status = check(arguments, output);
    if (exit_status != CLI_OK)
        return exit_status;
    return write_bundle(arguments, output, &err) == ETI_OK ? CLI_OK : cli_fail(&err);
}

static int run(const cli_command *command, int argc, char **argv) {
    bundle_arguments arguments = {.method = "forward"};
    int exit_status =
        cli_request_run(command, &arguments.request, argc, argv, take, act, &arguments);
    cli_request_close(&arguments.request);
    free(arguments.cases);
    return exit_status;
}

const cli_command cli_bundle = {
    .name = "bundle",
    .bit = ETI__FOR_BUNDLE,
    .arguments = "PROGRAM",
    .summary = "Bundle a program with test cases (.bpte).",
    .example = "etinspect bundle --inputs in.npz --expected out.npz -o model.bpte model.pte",
    .details = details,
    .run = run,
};
