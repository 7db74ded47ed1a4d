#include "api/catalogue.h"

#include "api/meaning.h"
#include "base/edit_distance.h"
#include "base/text.h"

#include <string.h>

#define VIEWS                                                                                      \
    (ETI__FOR_SUMMARY | ETI__FOR_RUNS | ETI__FOR_ALLOC | ETI__FOR_TREE | ETI__FOR_OPS |            \
     ETI__FOR_GRAPH | ETI__FOR_SOURCE)
#define INSPECTORS (ETI__FOR_INSPECT | VIEWS) /* that open one */
#define COMPARISONS                                                                                \
    (ETI__FOR_DIFF | ETI__FOR_GATE | ETI__FOR_BASELINE | ETI__FOR_NOISE | ETI__FOR_TREND |         \
     ETI__FOR_MEASURE)
#define REPORTS (INSPECTORS | COMPARISONS)
#define SIDES (ETI__FOR_DIFF | ETI__FOR_GATE)
#define JUDGED (SIDES | ETI__FOR_MEASURE)
#define TESTS (JUDGED | ETI__FOR_NOISE | ETI__FOR_TREND)
#define GATES (ETI__FOR_GATE | ETI__FOR_MEASURE)

#define AT(member) offsetof(eti__meaning, member)

/* A message that names several options names them in this order. */
static const eti__option options[] = {
    /* ---- what is compared ---- */
    {.name = "base",
     .value = "FILE",
     .help = "a file of the base: ETDump, ETRecord or baseline. May be repeated",
     .commands = SIDES,
     .group = ETI__SIDES,
     .type = ETI_OPTION_FILE,
     .is_repeated = true,
     .is_programs = true},
    {.name = "new",
     .value = "FILE",
     .help = "a file of the new side. May be repeated",
     .commands = SIDES,
     .group = ETI__SIDES,
     .type = ETI_OPTION_FILE,
     .is_repeated = true,
     .is_programs = true},

    /* ---- what is measured ---- */
    {.name = "base",
     .value = "COMMAND",
     .help = "writes an ETDump of the base to the path {}: './old --etdump {}'",
     .commands = ETI__FOR_MEASURE,
     .type = ETI_OPTION_TEXT,
     .place = AT(measure.base)},
    {.name = "new",
     .value = "COMMAND",
     .help = "writes one of the new side to the path {}",
     .commands = ETI__FOR_MEASURE,
     .type = ETI_OPTION_TEXT,
     .place = AT(measure.new_side)},
    {.name = "base_etrecord_path",
     .value = "FILE",
     .help = "the ETRecord of the base, if --etrecord_path is only that of the\nnew side",
     .commands = ETI__FOR_MEASURE,
     .type = ETI_OPTION_FILE,
     .is_input = true,
     .place = AT(base_etrecord)},
    {.name = "before",
     .value = "COMMAND",
     .help = "run this before each of these commands",
     .commands = ETI__FOR_MEASURE,
     .type = ETI_OPTION_TEXT,
     .place = AT(measure.before)},
    {.name = "pull",
     .value = "COMMAND",
     .help = "run this after each of them: 'adb pull /data/local/run.etdp {}'",
     .commands = ETI__FOR_MEASURE,
     .type = ETI_OPTION_TEXT,
     .place = AT(measure.pull)},
    {.name = "shell",
     .help = "let /bin/sh -c run the commands (default: no shell)",
     .commands = ETI__FOR_MEASURE,
     .place = AT(measure.uses_shell)},
    {.name = "timeout",
     .value = "SECONDS",
     .help = "end a command that takes longer (default: 600)",
     .commands = ETI__FOR_MEASURE,
     .type = ETI_OPTION_NUMBER,
     .least = 1,
     .most = 1000000,
     .standard = "600",
     .place = AT(measure.timeout)},
    {.name = "pairs",
     .value = "N",
     .help = "run at most N processes of each side (default: 20)",
     .commands = ETI__FOR_MEASURE,
     .type = ETI_OPTION_NUMBER,
     .least = 1,
     .most = 10000,
     .standard = "20",
     .place = AT(measure.n_pairs)},
    {.name = "want",
     .value = "SHARE",
     .help = "end as soon as a change this large would have been found\n(default: 15%)",
     .commands = ETI__FOR_MEASURE,
     .type = ETI_OPTION_SHARE,
     .standard = "15%",
     .place = AT(measure.want)},
    {.name = "warmup",
     .value = "N",
     .help = "run N processes of each side first, and throw their dumps away\n(default: 1)",
     .commands = ETI__FOR_MEASURE,
     .type = ETI_OPTION_NUMBER,
     .most = 1000,
     .standard = "1",
     .place = AT(measure.n_warm_up)},
    {.name = "output_dir",
     .value = "DIR",
     .help = "keep all dumps here: base-01.etdp, new-01.etdp ...",
     .commands = ETI__FOR_MEASURE,
     .type = ETI_OPTION_FILE,
     .place = AT(measure.output_dir)},
    {.name = "seed",
     .value = "N",
     .help = "of the order within each pair (default: another each time)",
     .commands = ETI__FOR_MEASURE,
     .type = ETI_OPTION_NUMBER,
     .most = UINT32_MAX,
     .place = AT(measure.seed)},
    {.name = "seed",
     .value = "N",
     .help = "of the permutations that changes are tested with (default: 1)",
     .commands = ETI__FOR_TREND,
     .type = ETI_OPTION_NUMBER,
     .most = UINT32_MAX,
     .place = AT(measure.seed)},

    /* ---- of one command ---- */
    {.name = "split_variants",
     .help = "list an operator once for each kernel that ran it",
     .commands = ETI__FOR_SUMMARY,
     .place = AT(view.split_variants)},
    {.name = "events",
     .help = "a row for each event of each run",
     .commands = ETI__FOR_RUNS,
     .place = AT(view.per_event)},
    {.name = "depth",
     .value = "N",
     .help = "show N levels of modules only",
     .commands = ETI__FOR_TREE,
     .type = ETI_OPTION_NUMBER,
     .least = 1,
     .most = UINT32_MAX,
     .place = AT(view.depth)},
    {.name = "fold",
     .value = "PERCENT",
     .help = "show modules that take less of the time as one row (default: 0.5;\n0: show all)",
     .commands = ETI__FOR_TREE,
     .type = ETI_OPTION_PERCENT,
     .standard = "0.5",
     .place = AT(view.fold)},
    {.name = "source_root",
     .value = "DIR",
     .help = "folder of the source files: source looks for them here, by as much\n"
             "of the end of their paths as fits; gate names files below it\n"
             "relative to it",
     .commands = ETI__FOR_SOURCE | GATES,
     .type = ETI_OPTION_FILE,
     .place = AT(view.source_root)},
    {.name = "source_map",
     .value = "FROM=TO",
     .help = "name source files below the folder FROM as below TO, which is in the\n"
             "repository. May be repeated",
     .commands = GATES,
     .type = ETI_OPTION_LABEL,
     .is_repeated = true,
     .place = AT(source_maps)},
    {.name = "context",
     .value = "N",
     .help = "show N lines around those that took time (default: 2)",
     .commands = ETI__FOR_SOURCE,
     .type = ETI_OPTION_NUMBER,
     .most = UINT32_MAX,
     .standard = "2",
     .place = AT(view.context)},
    {.name = "graph",
     .value = "NAME",
     .help = "of the record: exported_program, or one that was recorded with it\n"
             "(default: the edge program of the method)",
     .commands = ETI__FOR_GRAPH,
     .type = ETI_OPTION_TEXT,
     .place = AT(view.graph)},
    {.name = "fail_on",
     .value = "RULE",
     .help = "fail where a rule such as 'op:p50>+5%' is broken. May be repeated\n"
             "(default: op:p50>+5% and total:p50>+5%); see man etinspect, RULES",
     .commands = GATES,
     .type = ETI_OPTION_RULE,
     .is_repeated = true,
     .place = AT(rules)},
    {.name = "budget",
     .value = "FILE",
     .help = "a CSV file of rules: what, metric, limit, comment. May be repeated",
     .commands = GATES,
     .type = ETI_OPTION_FILE,
     .is_repeated = true,
     .is_input = true,
     .place = AT(budgets)},
    {.name = "allow",
     .value = "FILE",
     .help = "a CSV file of exceptions: pattern, reason, expires. May be repeated",
     .commands = GATES,
     .type = ETI_OPTION_FILE,
     .is_repeated = true,
     .is_input = true,
     .place = AT(allowed)},
    {.name = "all",
     .help = "list rows without a change or a verdict, too, in formats for people",
     .commands = TESTS,
     .place = AT(diff.lists_all)},
    {.name = "report",
     .value = "FORMAT=FILE",
     .help = "write one more report, such as junit=gate.xml. May be repeated",
     .commands = GATES,
     .type = ETI_OPTION_TEXT,
     .is_repeated = true,
     .is_programs = true},
    {.name = "github",
     .help = "print annotations for GitHub, at most 10, and append a summary to\n"
             "$GITHUB_STEP_SUMMARY",
     .commands = GATES,
     .is_programs = true},
    {.name = "append",
     .help = "save: add the files to those that OUT holds, or begin it",
     .commands = ETI__FOR_BASELINE,
     .place = AT(write.append)},
    {.name = "keep",
     .value = "N",
     .help = "keep only the last N files in OUT",
     .commands = ETI__FOR_BASELINE,
     .type = ETI_OPTION_NUMBER,
     .least = 1,
     .most = UINT32_MAX,
     .place = AT(baseline.n_files)},
    {.name = "samples",
     .help = "write every single time too, which --one_process compares",
     .commands = ETI__FOR_BASELINE,
     .place = AT(view.samples)},
    {.name = "summary",
     .help = "write no single times: the default, which older scripts ask for",
     .commands = ETI__FOR_BASELINE,
     .is_programs = true},
    {.name = "allow_unlike",
     .help = "merge though methods, labels or events differ",
     .commands = ETI__FOR_BASELINE | ETI__FOR_NOISE | ETI__FOR_TREND,
     .place = AT(diff.allow_unlike)},
    {.name = "list",
     .help = "print a line per option, for programs: see the completions",
     .commands = ETI__FOR_HELP,
     .is_programs = true},

    /* ---- what is read ---- */
    {.name = "allow_unlike",
     .help = "compare though time scales, methods or labels differ",
     .commands = JUDGED,
     .group = ETI__SIDES,
     .place = AT(diff.allow_unlike)},
    {.name = "etdump_path",
     .value = "FILE",
     .help = "the ETDump; plain arguments do as well",
     .commands = INSPECTORS,
     .group = ETI__INPUTS,
     .is_inspectors = true,
     .type = ETI_OPTION_FILE,
     .is_input = true,
     .is_many_inputs = true,
     .place = AT(etdumps)},
    {.name = "etrecord_path",
     .value = "FILE",
     .help = "the ETRecord of the same export: adds op_types and backends",
     .commands = INSPECTORS | ETI__FOR_MEASURE,
     .group = ETI__INPUTS,
     .is_inspectors = true,
     .type = ETI_OPTION_FILE,
     .is_input = true,
     .place = AT(etrecord)},
    {.name = "debug_buffer_path",
     .value = "FILE",
     .help = "the debug buffer that was written with the ETDump",
     .commands = INSPECTORS | ETI__FOR_CHECK,
     .group = ETI__INPUTS,
     .is_inspectors = true,
     .type = ETI_OPTION_FILE,
     .is_input = true,
     .place = AT(debug_buffer)},
    {.name = "skip_first",
     .value = "N",
     .help = "leave out the first N runs of each file (default: those that\nare warm-up)",
     .commands = COMPARISONS,
     .group = ETI__RUNS,
     .type = ETI_OPTION_NUMBER,
     .most = SIZE_MAX - 1,
     .place = AT(opening.skip_first)},
    {.name = "method",
     .value = "NAME",
     .help = "the method of the ETRecord whose operators ran (default:\nforward, or else the "
             "first)",
     .commands = REPORTS | ETI__FOR_CHECK,
     .group = ETI__INPUTS,
     .type = ETI_OPTION_TEXT,
     .place = AT(opening.method)},
    {.name = "skip_first",
     .value = "N",
     .help = "leave out the first N runs of each EventBlock with Method::execute:\n"
             "those that warm up",
     .commands = INSPECTORS,
     .group = ETI__INPUTS,
     .type = ETI_OPTION_NUMBER,
     .most = SIZE_MAX,
     .place = AT(opening.skip_first)},
    {.name = "sandbox",
     .is_global = true,
     .help = "once the inputs are open, give up opening files, connections and\nprocesses (Linux)",
     .commands = (REPORTS & ~(unsigned)ETI__FOR_MEASURE) | ETI__FOR_CHECK,
     .group = ETI__INPUTS,
     .is_programs = true},
    {.name = "threads",
     .is_global = true,
     .value = "N",
     .help = "use N threads for large files (default: all processors)",
     .commands = REPORTS,
     .group = ETI__INPUTS,
     .type = ETI_OPTION_NUMBER,
     .least = 1,
     .most = 64,
     .place = AT(opening.n_threads)},

    /* ---- how it is compared ---- */
    {.name = "group",
     .value = "BY",
     .choices = "op,optype,module,backend,source",
     .help = "compare groups of events as well: by op, optype, module, backend or\nsource",
     .commands = ETI__FOR_DIFF | ETI__FOR_MEASURE,
     .type = ETI_OPTION_TEXT,
     .place = AT(view.group)},
    {.name = "alpha",
     .value = "P",
     .help = "probability of any false alarm (default: 0.01)",
     .commands = TESTS,
     .group = ETI__STATISTICS,
     .type = ETI_OPTION_SHARE,
     .standard = "0.01",
     .place = AT(diff.alpha)},
    {.name = "least_effect",
     .value = "SHARE",
     .help = "smaller changes are noise (default: 5%)",
     .commands = TESTS,
     .group = ETI__STATISTICS,
     .type = ETI_OPTION_SHARE,
     .standard = "5%",
     .place = AT(diff.least_effect)},
    {.name = "confidence",
     .value = "P",
     .help = "of the interval of the ratio (default: 0.95)",
     .commands = JUDGED,
     .group = ETI__STATISTICS,
     .type = ETI_OPTION_SHARE,
     .standard = "0.95",
     .place = AT(diff.confidence)},
    {.name = "min_share",
     .value = "SHARE",
     .help = "events that take less of the total are not judged (default: 1%)",
     .commands = TESTS,
     .group = ETI__STATISTICS,
     .type = ETI_OPTION_SHARE,
     .standard = "1%",
     .place = AT(diff.min_share)},
    {.name = "detectable",
     .value = "SHARE",
     .help = "answer that nothing is slower only where a change of this size\n"
             "would have been found (default: 25%)",
     .commands = SIDES,
     .group = ETI__STATISTICS,
     .type = ETI_OPTION_SHARE,
     .standard = "25%",
     .place = AT(diff.detectable)},
    {.name = "one_process",
     .help = "compare the runs of one process a side: other processes of the\n"
             "same programs may differ",
     .commands = SIDES,
     .group = ETI__STATISTICS,
     .place = AT(diff.one_process)},
    {.name = "keep_pace",
     .help = "compare events as measured, not relative to the level of their file",
     .commands = TESTS,
     .group = ETI__STATISTICS,
     .place = AT(diff.keep_pace)},

    /* ---- how time is counted ---- */
    {.name = "source_time_scale",
     .value = "SCALE",
     .choices = ETI__SCALES,
     .help = "of the ETDump: ns (default), us, ms, s or cycles",
     .commands = REPORTS,
     .group = ETI__TIME,
     .is_inspectors = true,
     .type = ETI_OPTION_CHOICE,
     .standard = "ns",
     .place = AT(opening.source_time_scale)},
    {.name = "target_time_scale",
     .value = "SCALE",
     .choices = ETI__SCALES,
     .help = "of the output: ns, us, ms (default), s or cycles",
     .commands = REPORTS,
     .group = ETI__TIME,
     .is_inspectors = true,
     .type = ETI_OPTION_CHOICE,
     .standard = "ms",
     .place = AT(opening.target_time_scale)},
    {.name = "clock_hz",
     .value = "FREQUENCY",
     .help = "cycles of the ETDump a second, such as 400e6, 400MHz or 1GHz:\nturns them into time",
     .commands = REPORTS,
     .group = ETI__TIME,
     .type = ETI_OPTION_FREQUENCY,
     .place = AT(opening.clock_hz)},
    {.name = "delegate_time_scale",
     .value = "[BACKEND=]SCALE",
     .help = "the time scale of delegates' stamps, if it is not that of the\n"
             "source; cycles are shown as counted. May be repeated",
     .commands = REPORTS,
     .group = ETI__TIME,
     .type = ETI_OPTION_SCALE,
     .is_repeated = true,
     .place = AT(scales)},
    {.name = "exact_time",
     .help = "subtract delegates' stamps before scaling them: 0.016 instead\n"
             "of the Inspector's 0.0160000000000196",
     .commands = REPORTS,
     .group = ETI__TIME,
     .place = AT(opening.exact_time)},

    /* ---- which rows and columns ---- */
    {.name = "columns",
     .value = "NAMES",
     .help = "show these columns, with commas between them; all: every one",
     .commands = REPORTS,
     .group = ETI__SELECTION,
     .type = ETI_OPTION_TEXT,
     .place = AT(selection.columns)},
    {.name = "filter",
     .value = "EXPRESSION",
     .help = "show the rows for which it is true: p50 > 1 and event_name =~ \"conv\"",
     .commands = REPORTS,
     .group = ETI__SELECTION,
     .type = ETI_OPTION_TEXT,
     .place = AT(selection.filter)},
    {.name = "sort",
     .value = "COLUMN[:desc]",
     .help = "order the rows; several columns with commas between them",
     .commands = REPORTS,
     .group = ETI__SELECTION,
     .type = ETI_OPTION_TEXT,
     .place = AT(selection.sort)},
    {.name = "top",
     .value = "N",
     .help = "show the first N rows only",
     .commands = REPORTS,
     .group = ETI__SELECTION,
     .type = ETI_OPTION_NUMBER,
     .least = 1,
     .most = SIZE_MAX,
     .place = AT(selection.top)},
    {.name = "block",
     .value = "NAME",
     .help = "show EventBlocks of this name only (default: all)",
     .commands = REPORTS,
     .group = ETI__SELECTION,
     .type = ETI_OPTION_TEXT,
     .standard = "all",
     .place = AT(view.block)},
    {.name = "list_columns",
     .help = "print all columns of this table and what they tell, and exit",
     .commands = REPORTS,
     .group = ETI__SELECTION,
     .is_programs = true},

    /* ---- how it is written ---- */
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "write to FILE instead of standard output",
     .commands = REPORTS,
     .group = ETI__OUTPUT,
     .type = ETI_OPTION_FILE,
     .is_programs = true},
    {.name = "format",
     .letter = 'f',
     .value = "FORMAT",
     .choices = "table,text,tsv,csv,json,ndjson,markdown,sqlite,dot,junit,github,benchmark",
     .help = "of the output: table (default without a command), text (default of\n"
             "commands and --group), tsv, csv, json, ndjson, markdown, sqlite; of a\n"
             "graph dot; of a gate junit, github, benchmark; see man etinspect",
     .commands = REPORTS,
     .group = ETI__OUTPUT,
     .type = ETI_OPTION_TEXT,
     .place = AT(format)},
    {.name = "csv_safe",
     .help = "in CSV and TSV, put a ' before what a spreadsheet would run as\na formula",
     .commands = REPORTS,
     .group = ETI__OUTPUT,
     .place = AT(write.csv_safe)},
    {.name = "include_units",
     .help = "name the unit in the columns of statistics (default)",
     .commands = REPORTS,
     .group = ETI__OUTPUT,
     .standard = "true",
     .place = AT(view.table.include_units)},
    {.name = "no_include_units",
     .help = "leave the unit out",
     .commands = REPORTS,
     .group = ETI__OUTPUT,
     .is_negative = true,
     .place = AT(view.table.include_units)},
    {.name = "include_delegate_debug_data",
     .help = "add the column delegate_debug_metadata",
     .commands = REPORTS,
     .group = ETI__OUTPUT,
     .place = AT(view.table.include_delegate_debug_data)},
    {.name = "delegate_metadata",
     .value = "FORM",
     .choices = "bytes,utf8,hex,json",
     .help = "show metadata as bytes (default), utf8, hex or json; implies\n"
             "--include_delegate_debug_data",
     .commands = REPORTS,
     .group = ETI__OUTPUT,
     .type = ETI_OPTION_CHOICE,
     .standard = "bytes",
     .place = AT(view.table.delegate_metadata)},
    {.name = "color",
     .is_global = true,
     .value = "WHEN",
     .choices = "auto,always,never",
     .help = "use colour auto (default), always or never",
     .commands = REPORTS,
     .group = ETI__OUTPUT,
     .type = ETI_OPTION_CHOICE,
     .standard = "auto",
     .place = AT(write.color)},
    {.name = "width",
     .is_global = true,
     .value = "N",
     .help = "fit the screen of so many columns (default: the terminal's)",
     .commands = REPORTS,
     .group = ETI__OUTPUT,
     .type = ETI_OPTION_NUMBER,
     .least = 1,
     .most = 10000,
     .place = AT(write.width)},
    {.name = "ascii",
     .is_global = true,
     .help = "draw with ASCII only",
     .commands = REPORTS,
     .group = ETI__OUTPUT,
     .place = AT(write.ascii)},
    {.name = "no_pager",
     .is_global = true,
     .help = "do not show what is longer than the screen in a pager",
     .commands = REPORTS,
     .group = ETI__OUTPUT,
     .is_programs = true},
    {.name = "label",
     .value = "KEY=VALUE",
     .help = "what ETDumps were recorded on or of, such as device=pixel8; also in\n"
             "json, ndjson and sqlite. May be repeated",
     .commands = COMPARISONS,
     .group = ETI__SIDES,
     .type = ETI_OPTION_LABEL,
     .is_repeated = true,
     .place = AT(labels)},
    {.name = "label",
     .value = "KEY=VALUE",
     .help = "say more about the run in json, ndjson and sqlite. May be repeated",
     .commands = INSPECTORS,
     .group = ETI__OUTPUT,
     .type = ETI_OPTION_LABEL,
     .is_repeated = true,
     .place = AT(labels)},
    {.name = "samples",
     .help = "write every single time too, in json, ndjson and sqlite",
     .commands = REPORTS & ~ETI__FOR_BASELINE,
     .group = ETI__OUTPUT,
     .place = AT(view.samples)},
    {.name = "append",
     .help = "add to the SQLite file instead of replacing it",
     .commands = REPORTS & ~ETI__FOR_BASELINE,
     .group = ETI__OUTPUT,
     .place = AT(write.append)},

    /* ---- of what runs without a verb ---- */
    {.name = "tsv_path",
     .value = "FILE",
     .help = "write the table to FILE as TSV too",
     .commands = ETI__FOR_INSPECT,
     .is_inspectors = true,
     .type = ETI_OPTION_FILE,
     .is_programs = true},
    {.name = "csv_path",
     .value = "FILE",
     .help = "write the table to FILE as CSV too",
     .commands = ETI__FOR_INSPECT,
     .type = ETI_OPTION_FILE,
     .is_programs = true},
    {.name = "module",
     .value = "NAME",
     .help = "instead of the events, print the total time of modules whose\n"
             "name contains NAME. May be repeated",
     .commands = ETI__FOR_INSPECT,
     .type = ETI_OPTION_TEXT,
     .is_repeated = true,
     .place = AT(modules)},
    {.name = "group",
     .value = "KEY",
     .help = "instead of the events, print the time of each op, backend,\n"
             "module, module:DEPTH, source line (source), block or method",
     .commands = ETI__FOR_INSPECT,
     .type = ETI_OPTION_TEXT,
     .place = AT(view.group)},
    {.name = "no_debug_data",
     .help = "pass over recorded tensors and values: runs may have had other\ninputs",
     .commands = ETI__FOR_INSPECT,
     .place = AT(opening.no_debug_data)},
    {.name = "compare_results",
     .help = "not available: numeric comparison is not part of etinspect yet",
     .commands = ETI__FOR_INSPECT,
     .is_inspectors = true,
     .is_programs = true},

    /* ---- of the library only ---- */
    {.name = "now",
     .value = "SECONDS",
     .help = "since 1970: with which exceptions of a gate expire (default: the clock's)",
     .type = ETI_OPTION_NUMBER,
     .most = INT32_MAX,
     .place = AT(now)},
    {.name = "for_terminal",
     .help = "what a function receives is shown on a terminal",
     .place = AT(write.for_terminal)},
    {.name = "most_bytes",
     .value = "N",
     .help = "of Markdown, which says what was left out",
     .type = ETI_OPTION_NUMBER,
     .least = 1,
     .most = SIZE_MAX,
     .place = AT(write.most_bytes)},

    {.name = "help",
     .letter = 'h',
     .help = "print this and exit",
     .commands = REPORTS | ETI__FOR_CHECK | ETI__FOR_HELP,
     .group = ETI__HELP,
     .is_inspectors = true,
     .is_programs = true},
    {.name = "version",
     .letter = 'V',
     .help = "print the version and exit",
     .commands = REPORTS,
     .group = ETI__HELP,
     .is_programs = true},
};

#define N_OPTIONS (sizeof options / sizeof *options)

const eti__option *eti__option_at(size_t i) {
    return i < N_OPTIONS ? &options[i] : NULL;
}

bool eti__option_is_called(const eti__option *option, const char *name) {
    const char *own = option->name;
    for (; *own && *own == (*name == '-' ? '_' : *name); own++)
        name++;
    return *own == '\0' && *name == '\0';
}

bool eti__is_nearer(const char *candidate, const char *name, size_t *least) {
    size_t distance = eti__edit_distance(eti__text_of(candidate), eti__text_of(name));
    if (distance >= *least || distance > (strlen(name) > 4 ? 2 : 1))
        return false;
    *least = distance;
    return true;
}

const char *eti__near_option(const char *name, unsigned commands) {
    const char *nearest = NULL;
    size_t least = ETI__TOO_FAR;
    for (size_t i = 0; i < N_OPTIONS; i++) {
        const eti__option *option = &options[i];
        bool is_taken = commands ? (option->commands & commands) != 0 : !option->is_programs;
        if (is_taken && eti__is_nearer(option->name, name, &least))
            nearest = option->name;
    }
    return nearest;
}

/* ---- options of requests --------------------------------------------------------------------- */

/* Whether it is the first row of its name that is one. */
static bool is_of_requests(size_t row) {
    for (size_t i = row + 1; i < N_OPTIONS; i++) {
        if (strcmp(options[i].name, options[row].name) == 0)
            return false;
    }
    return !options[row].is_programs;
}

eti_status eti__option_find(const eti__option **out, const char *name, eti_error *err) {
    for (size_t i = 0; i < N_OPTIONS; i++) {
        if (is_of_requests(i) && eti__option_is_called(&options[i], name)) {
            *out = &options[i];
            return ETI_OK;
        }
    }
    const char *nearest = eti__near_option(name, 0);
    *out = NULL;
    return eti_fail(err, ETI_ERROR_USAGE, "there is no option %s%s%s%s%s%s", eti__option_prefix(),
                    name, nearest ? ": did you mean " : "", nearest ? eti__option_prefix() : "",
                    nearest ? nearest : "", nearest ? "?" : "");
}

/* The i-th option of requests, or NULL. */
static const eti__option *option_of_requests(size_t i) {
    for (size_t row = 0; row < N_OPTIONS; row++) {
        if (is_of_requests(row) && i-- == 0)
            return &options[row];
    }
    return NULL;
}

size_t eti_option_count(void) {
    size_t n = 0;
    for (size_t row = 0; row < N_OPTIONS; row++)
        n += is_of_requests(row);
    return n;
}

const char *eti_option_name(size_t i) {
    const eti__option *option = option_of_requests(i);
    return option ? option->name : NULL;
}

eti_option_type eti_option_type_of(size_t i) {
    const eti__option *option = option_of_requests(i);
    return option ? option->type : ETI_OPTION_FLAG;
}

const char *eti_option_help(size_t i) {
    const eti__option *option = option_of_requests(i);
    return option ? option->help : NULL;
}

const char *eti_option_choices(size_t i) {
    const eti__option *option = option_of_requests(i);
    return option ? option->choices : NULL;
}

const char *eti_option_default(size_t i) {
    const eti__option *option = option_of_requests(i);
    bool is_flag = option && option->type == ETI_OPTION_FLAG && !option->standard;
    if (is_flag)
        return "false";
    return option ? option->standard : NULL;
}

bool eti_option_is_repeated(size_t i) {
    const eti__option *option = option_of_requests(i);
    return option && option->is_repeated;
}

/* ---- help ------------------------------------------------------------------------------------ */

const char *eti__option_group_name(eti__option_group group) {
    static const char *const names[ETI__N_OPTION_GROUPS] = {
        [ETI__OWN_OPTIONS] = "Options", [ETI__SIDES] = "Sides",           [ETI__INPUTS] = "Inputs",
        [ETI__RUNS] = "Runs",           [ETI__STATISTICS] = "Statistics", [ETI__TIME] = "Time",
        [ETI__SELECTION] = "Selection", [ETI__OUTPUT] = "Output",         [ETI__HELP] = "Help",
    };
    return names[group];
}
