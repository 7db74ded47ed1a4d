"""Fleets of ETDumps on one machine: Parquet of many dumps, and the events that became slower from one build to another.

    python -m etinspect.fleet to-parquet --labels path profiles/ fleet.parquet
    duckdb -c "select device, build, block, event_index, event_name, any_value(module) as module,
        quantile_cont(elapsed, [.5, .9, .99]) from 'fleet.parquet' group by all"
    python -m etinspect.fleet regressions --by device fleet.parquet 1233 1234

query() returns the queries of queries.sql. On a cluster, etinspect.spark uses the same ones.
"""

import os
import re
import sys

from ._errors import _READ, error_of, need

LEAST_EFFECT = 0.05
ALPHA = 0.01
FEWEST_DUMPS = 5  # per side
NORMAL_FROM = 20  # dumps per side from which on the Mann-Whitney test may use the normal distribution

# ---- questions -----------------------------------------------------------------------------------


def query(name, by=("device",), build="build", samples="samples", medians="medians", builds="builds", quote='"'):
    """Returns a query of queries.sql with other names: `by` are the labels by which events are grouped, `build` is the
    label of builds, the others are the views. `quote` is the quotation mark of names: '"' in DuckDB, '`' in Spark."""
    from importlib.resources import files

    text = files("etinspect").joinpath("queries.sql").read_text(encoding="utf-8")
    queries = dict(re.findall(r"^-- name: (\w+)\n(.*?);\n", text, re.MULTILINE | re.DOTALL))
    if name not in queries:
        raise ValueError(f"queries.sql has no query {name!r}: it has {', '.join(queries)}")

    def quoted(word):
        return quote + word.replace(quote, 2 * quote) + quote

    grouping = "".join(quoted(label) + ", " for label in by)
    words = {"build": quoted(build), "samples": samples, "medians": medians, "builds": builds}
    written = re.sub(r"^ *--.*\n", "", queries[name], flags=re.MULTILINE)
    return re.sub(
        r"\bdevice, |\b(?:build|samples|medians|builds)\b",
        lambda match: grouping if match[0] == "device, " else words[match[0]],
        written,
    )


# ---- changes -------------------------------------------------------------------------------------

# Columns of regressions() for an event, after the labels by which it is grouped.
CHANGE_COLUMNS = {
    "block": "string", "event_index": "bigint", "event_name": "string", "module": "string", "verdict": "string",
    "change": "double", "base": "double", "new": "double", "unit": "string", "n_base": "bigint", "n_new": "bigint",
    "p": "double", "p_adjusted": "double", "method": "string", "reason": "string",
}  # fmt: skip


def least_effect_of(fail_on):
    """Returns the minimum effect of a rule like "op:p50>+5%", the only kind of rule for fleets."""
    if fail_on is None:
        return LEAST_EFFECT
    match = re.fullmatch(r"\s*(?:op\s*:\s*)?p50\s*>\s*\+\s*(\d+(?:\.\d+)?)\s*%\s*", fail_on)
    if not match:
        raise ValueError(f"fail_on: expected a rule such as 'op:p50>+5%', found {fail_on!r}: use etinspect.gate() for other rules")
    return float(match[1]) / 100


def choose_methods(sizes):
    """Returns how groups with (n_base, n_new) dumps are compared: "ranks" by the Mann-Whitney test, "files" by
    etinspect.diff(), which finds more with few dumps, None if a side has too few."""
    methods = {}
    for group, (n_base, n_new) in sizes.items():
        fewer = min(n_base, n_new)
        methods[group] = None if fewer < FEWEST_DUMPS else "files" if fewer < NORMAL_FROM else "ranks"
    return methods


def check_alpha(alpha):
    if not 0 < alpha < 1:
        raise ValueError(f"alpha: expected a number between 0 and 1, found {alpha!r}")


def share_alpha(alpha, methods):
    """Returns the share of alpha for each compared group, as for the rules of a gate."""
    return alpha / max(1, sum(method is not None for method in methods.values()))


# An event that some dumps have in cycles and others in time: no number of both means anything.
_MIXED = {"verdict": "untested", "change": None, "base": None, "new": None, "unit": None,
          "reason": "in cycles in some dumps, in time in others: read all with the same delegate_time_scale"}  # fmt: skip


def judge_ranks(rows, n_groups, alpha, least_effect):
    """Adds verdicts to rows of the query "ranks", dictionaries: `n_groups` groups have alpha each, and each is a family of
    tests."""
    from . import _etinspect

    tested = []
    for row in rows:
        row.update(method="ranks", p=None, p_adjusted=None, reason=None, change=None)
        if row["n_base"] == 0 or row["n_new"] == 0:
            row["verdict"] = "added" if row["n_base"] == 0 else "removed"
            continue
        if row["n_units"] > 1:
            row.update(_MIXED)
            continue
        row["change"] = row["new"] / row["base"] - 1 if row["base"] > 0 else None
        if min(row["n_base"], row["n_new"]) < NORMAL_FROM or row["change"] is None:
            row["verdict"] = "untested"
            row["reason"] = f"no {row['unit'] or 'time'}" if row["change"] is None else "not in enough dumps"
            continue
        row["p"] = _etinspect.mann_whitney(row["n_new"], row["n_base"], row["rank_sum"], row["tie_term"])
        tested.append(row)
    for row, adjusted in zip(tested, _etinspect.holm_adjust([row["p"] for row in tested])):
        row["p_adjusted"] = adjusted
        counts = adjusted < alpha * n_groups and max(row["change"], 1 / (1 + row["change"]) - 1) >= least_effect
        row["verdict"] = "~" if not counts else "slower" if row["change"] > 0 else "faster"
    return rows


def leave_undecided(rows):
    """Marks rows of the query "ranks" as having too few dumps."""
    for row in rows:
        change = row["new"] / row["base"] - 1 if row["base"] and row["new"] else None
        row.update(verdict="undecided", change=change, p=None, p_adjusted=None, method=None, reason="too few dumps")
        if row["n_units"] > 1:
            row.update(_MIXED)
    return rows


def modules_of(ranks, by):
    """Returns the modules in rows of the query "ranks", for compare_dumps(): {labels: {(block, event_index, event_name): module}}."""
    modules = {}
    for row in ranks:
        group = modules.setdefault(tuple(row[label] for label in by), {})
        group[row["block"], row["event_index"], row["event_name"]] = row["module"]
    return modules


def compare_dumps(base, new, alpha, least_effect, options=None, modules=None):
    """Returns the verdicts of etinspect.diff() on dumps, lists of paths or of bytes: dictionaries with CHANGE_COLUMNS.
    `modules` are those of the events, of one group of modules_of()."""
    from . import Error, diff

    try:
        report = diff(_profile_of(base, options), _profile_of(new, options), alpha=alpha, least_effect=least_effect)
    except Error as error:
        empty = dict.fromkeys(CHANGE_COLUMNS)
        return [
            {**empty, "verdict": "undecided", "n_base": len(base), "n_new": len(new), "method": "files", "reason": str(error)}
        ]
    changes = [_change_of(row, table) for table in ("total", "events") for row in report[table].dicts()]
    for change in changes:
        change["module"] = (modules or {}).get((change["block"], change["event_index"], change["event_name"]))
    return changes


def _profile_of(dumps, options):
    from . import Inspector, Profile

    key = "etdump_path" if isinstance(dumps[0], (str, os.PathLike)) else "etdump_data"
    return Profile(Inspector(**{key: list(dumps)}, **(options or {})))


def _change_of(row, table):
    unit = row.get("unit")
    sides = [f"{side}_value" if unit else side for side in ("base", "new")]
    base, new = [next(value for key, value in row.items() if key.split(" ")[0] == side) for side in sides]
    few = "too few dumps" if row["verdict"] == "undecided" else None
    return {
        "block": row["block"],
        "event_index": None if table == "total" else row["event"],
        "event_name": row["total"] if table == "total" else row["event_name"],
        "verdict": row["verdict"],
        "change": row["change"],
        "base": base,
        "new": new,
        "unit": unit,
        "n_base": row["files_base"],
        "n_new": row["files_new"],
        "p": row["p_unadjusted"],
        "p_adjusted": row["p"],
        "method": "files",
        "reason": row["reason"] or few,
    }


def regressions(source, base, new, by=("device",), build="build", fail_on=None, alpha=ALPHA):
    """Compares two builds, event by event, and in each group of dumps with equal labels `by`. Returns a pyarrow.Table with
    these labels and CHANGE_COLUMNS; events that became slower have the verdict "slower". Events that a delegate logged in
    cycles of an unknown clock are compared in cycles: base and new are numbers of `unit`, where times have no unit.

    `source` is Parquet that to_parquet() wrote, or anything that DuckDB selects from, such as a pyarrow.Table. Medians of
    dumps are computed from rows of granularity "sample"; rows of granularity "dump" have them in the column p50, and the mean
    of cycles in the column value. Groups with fewer than 20 dumps per side are compared by etinspect.diff(), which opens the
    dumps at their paths, and leaves out those that cannot be opened there, with a warning. All groups share alpha. Times are
    in the time scale of the rows.
    """
    duckdb = need("duckdb", "fleet")

    import tempfile

    asked = base, new, list(dict.fromkeys(by)), build, least_effect_of(fail_on), alpha
    check_alpha(alpha)
    try:
        if not _is_path(source):  # a stream can be read only once, so there is no second attempt
            return _regressions(duckdb.connect(), source, *asked)
        with tempfile.TemporaryDirectory() as folder:
            try:
                return _regressions(_connect_in(folder), source, *asked)
            except duckdb.OutOfMemoryException:  # a file with large parts
                return _regressions(duckdb.connect(), source, *asked)
    except duckdb.Error as error:
        name = os.fsdecode(source) if _is_path(source) else "rows"
        raise error_of(_READ, f"{name}: cannot read: {str(error).splitlines()[0]}") from error


def _is_path(source):
    return isinstance(source, (str, bytes, os.PathLike))


MEMORY_LIMIT = "128MiB"  # of DuckDB for Parquet, which writes larger data to a temporary folder
ROWS_OF_A_PART = 200_000


def _connect_in(folder):
    """Returns a connection to a database in a folder."""
    threads = min(2, len(os.sched_getaffinity(0)))  # each has buffers for its part of a Parquet file
    settings = {"memory_limit": MEMORY_LIMIT, "temp_directory": folder, "threads": threads, "preserve_insertion_order": False}
    return need("duckdb", "fleet").connect(os.path.join(folder, "medians.db"), config=settings)


def _regressions(connection, source, base, new, by, build, least_effect, alpha):
    with connection:
        return _compared(connection, source, base, new, by, build, least_effect, alpha)


def _compared(connection, source, base, new, by, build, least_effect, alpha):
    is_parquet = _is_path(source)
    if is_parquet:
        os.stat(source)
        source = os.fsdecode(source)
        path = os.path.join(source, "**", "*.parquet") if os.path.isdir(source) else source
        connection.execute(
            f"create view source as select * from read_parquet({_literal(path)}, hive_partitioning = true, hive_types_autocast = false)"
        )
        told = connection.execute(f"select distinct key, value from parquet_kv_metadata({_literal(path)})").fetchall()
    else:
        connection.register("source", source)
        told = (getattr(getattr(source, "schema", None), "metadata", None) or {}).items()
    opening = _time_options(told)
    columns = [row[0] for row in connection.execute("describe source").fetchall()]
    check_columns(columns, [*by, build])
    lacking = "".join(f", cast(null as {type}) as {name}" for name, type in OPTIONAL_COLUMNS.items() if name not in columns)
    connection.execute(f"create view all_columns as select *{lacking} from source")
    if is_parquet:
        make_builds(connection, build, (base, new), "(select * from all_columns where error is null)")
        _make_medians_in_parts(connection, by, build, "p50" in columns)
    else:  # may be a stream, which is read once
        connection.execute(f"create table medians as {_medians(by, build, 'all_columns', 'p50' in columns)}")
        make_builds(connection, build, (base, new), "medians")

    def ask(text):
        cursor = connection.execute(text)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row)) for row in cursor.fetchall()]

    quoted = ['"' + label.replace('"', '""') + '"' for label in by]
    paths = ask(f"select distinct {''.join(label + ', ' for label in quoted)} path, {_quoted(build)} = new_build as is_new "
                f"from medians cross join builds where {_quoted(build)} in (base_build, new_build) order by path")  # fmt: skip
    groups = {}
    for row in paths:
        groups.setdefault(tuple(row[label] for label in by), ([], []))[row["is_new"]].append(row["path"])
    methods = choose_methods({group: tuple(map(len, sides)) for group, sides in groups.items()})
    lost = {}
    for group in [group for group, method in methods.items() if method == "files"]:
        groups[group], reason = _leave_out_unopened(groups[group])
        if choose_methods({group: tuple(map(len, groups[group]))})[group] is None:
            methods[group], lost[group] = None, reason
    share = share_alpha(alpha, methods)
    ranks = ask(query("ranks", by, build))
    rows = join_verdicts(ranks, by, methods, share, least_effect)
    for row in rows:
        row["reason"] = lost.get(tuple(row[label] for label in by), row["reason"])
    modules = modules_of(ranks, by)
    for group, method in methods.items():
        if method == "files":
            compared = compare_dumps(*groups[group], share, least_effect, opening, modules.get(group))
            rows += [{**dict(zip(by, group)), **row} for row in compared]
    return _table_of(rows, by)


MOST_NAMED = 10


def _medians(by, build, samples, are_of_dumps):
    if are_of_dumps:
        return f"select * replace ({UNIT_OF_DUMP} as unit) from {samples} where error is null"
    return query("medians", by, build, samples=samples)


def _make_medians_in_parts(connection, by, build, are_of_dumps):
    """Makes the table "medians" of the two builds, from some dumps at a time, because DuckDB keeps all samples of a query in memory."""
    column = _quoted(build)
    wanted = f"(select * from all_columns where {column} in (select unnest([base_build, new_build]) from builds))"
    connection.execute(f"create table medians as {_medians(by, build, '(select * from all_columns limit 0)', are_of_dumps)}")
    key = "coalesce(path, '')"  # "between" would be true for no row without a path
    sizes = connection.execute(f"select {key}, count(*) from {wanted} where error is null group by all order by {key}").fetchall()
    first = n = 0
    for i, (path, n_rows) in enumerate(sizes):
        n += n_rows
        if n < ROWS_OF_A_PART and i < len(sizes) - 1:
            continue
        part = f"(select * from {wanted} where {key} between {_literal(sizes[first][0])} and {_literal(path)})"
        connection.execute(f"insert into medians {_medians(by, build, part, are_of_dumps)}")
        first, n = i + 1, 0


def make_builds(connection, build, wanted, medians):
    """Makes the view "builds": the wanted builds, in the type of the column. Raises ValueError unless both are in `medians`."""
    column = _quoted(build)
    types = {row[0]: row[1] for row in connection.execute(f"describe select * from {medians}").fetchall()}
    base, new = (f"try_cast({_literal(value)} as {types[build]})" for value in wanted)
    if types[build].endswith(("INT", "INTEGER")):  # the cast rounds numbers
        base, new = (
            f"case when try_cast({_literal(value)} as double) % 1 = 0 then {cast} end" for value, cast in zip(wanted, (base, new))
        )
    connection.execute(f"create view builds as select {base} as base_build, {new} as new_build")
    connection.execute(f"create table known_builds as select distinct {column} from {medians}")
    of_medians = "(from known_builds)"
    is_found = connection.execute(f"select base_build in {of_medians}, new_build in {of_medians} from builds").fetchone()
    lacking = [str(value) for value, found in zip(wanted, is_found) if not found]
    if lacking:
        rows = connection.execute(
            f"select cast({column} as varchar) from known_builds where {column} is not null order by {column}"
        )
        found = [row[0] for row in rows.fetchall()]
        more = [f"{len(found) - MOST_NAMED} more"] if len(found) > MOST_NAMED else []
        named = f"there are {', '.join(found[:MOST_NAMED] + more)}" if found else "there are none"
        raise ValueError(f"there is no build {' or '.join(dict.fromkeys(lacking))}; {named}")


# Columns that rows may lack, with their types.
OPTIONAL_COLUMNS = {"module": "string", "unit": "string", "value": "double"}
# The unit of an event in rows of granularity "dump", as in the query "medians".
UNIT_OF_DUMP = "case when p50 is null and unit = 'cycles' then unit end"


def check_columns(columns, labels):
    """Raises ValueError unless rows with these columns can be compared by these labels."""
    lacking = [name for name in ("path", "block", "event_index", "event_name", "error") if name not in columns]
    if not {"elapsed", "p50"} & set(columns):
        lacking.append("elapsed (or p50)")
    if lacking:
        raise ValueError(f"the rows lack the columns {', '.join(lacking)}: write them with all columns")
    for label in labels:
        if label not in columns:
            raise ValueError(f"the rows have no label {label!r}: there are the columns {', '.join(columns)}")


def _time_options(told):
    """Returns the options for opening dumps with the times that the rows have, from the metadata of Parquet."""
    found = {}
    for key, value in told:
        owner, _, name = _decoded(key).partition(".")
        if owner != "etinspect" or name not in TIME_OPTIONS:
            continue
        if found.setdefault(name, _decoded(value)) != _decoded(value):
            raise ValueError(f"the files have different values of {name}: {found[name]} and {_decoded(value)}")
    if "clock_hz" in found:
        found.setdefault("source_time_scale", "cycles")
    if "delegate_time_scale" in found:  # may be repeated
        found["delegate_time_scale"] = found["delegate_time_scale"].split("\n")
    return found


def _metadata_of(value):
    """Returns the text of an option; values of one that is repeated are lines."""
    values = value if isinstance(value, (list, tuple)) else [value]
    return "\n".join(str(getattr(one, "value", one)) for one in values)


def _decoded(text):
    return text.decode() if isinstance(text, bytes) else text


def _leave_out_unopened(sides):
    """Returns the paths on both sides that can be opened. Warns of the others, and returns a text about them, or None."""
    import warnings

    kept, n_lost, reason = ([], []), 0, None
    for of, paths in zip(kept, sides):
        for path in paths:
            try:
                if path is not None:
                    open(path, "rb").close()
                    of.append(path)
                    continue
                lost = "a dump without a path"
            except OSError as error:
                lost = f"{path}: {error.strerror}"
            n_lost, reason = n_lost + 1, lost
            warnings.warn(f"{lost}: this dump is left out", stacklevel=4)
    return kept, reason and f"too few dumps: {n_lost} cannot be opened, such as {reason}"


def join_verdicts(ranks, by, methods, share, least_effect):
    """Returns the verdicts on the groups that rows of the query "ranks" decide: all except those for compare_dumps()."""
    kinds = {"ranks": [], None: [], "files": []}
    for row in ranks:
        kinds[methods.get(tuple(row[label] for label in by))].append(row)
    n_groups = sum(method == "ranks" for method in methods.values())
    return judge_ranks(kinds["ranks"], n_groups, share, least_effect) + leave_undecided(kinds[None])


def _quoted(name):
    return '"' + name.replace('"', '""') + '"'


def _literal(value):
    return "'" + str(value).replace("'", "''") + "'"


def change_schema(by):
    """Returns the pyarrow.Schema of regressions()."""
    pyarrow = need("pyarrow", "fleet")

    types = {"string": pyarrow.string(), "bigint": pyarrow.int64(), "double": pyarrow.float64()}
    return pyarrow.schema(
        [(label, pyarrow.string()) for label in by] + [(name, types[type]) for name, type in CHANGE_COLUMNS.items()]
    )


def _table_of(rows, by):
    pyarrow = need("pyarrow", "fleet")

    schema = change_schema(by)
    order = {"slower": 0, "faster": 1}
    rows = sorted(rows, key=lambda row: (order.get(row["verdict"], 2), row["p_adjusted"] is None, row["p_adjusted"]))
    return pyarrow.Table.from_pylist([{name: row.get(name) for name in schema.names} for row in rows], schema=schema)


# ---- Parquet -------------------------------------------------------------------------------------

MODES = ("PERMISSIVE", "DROPMALFORMED", "FAILFAST")
GRANULARITIES = ("sample", "dump")
# Options that decide the unit of times: the metadata of Parquet has them, for regressions().
TIME_OPTIONS = ("source_time_scale", "target_time_scale", "clock_hz", "delegate_time_scale")
DUMPS_OF_A_TASK = 32


def check(granularity, mode):
    """Raises ValueError unless both are known; returns the mode in the form of etinspect.rows()."""
    if granularity not in GRANULARITIES:
        raise ValueError(f"granularity: expected sample or dump, found {granularity!r}")
    if str(mode).upper() not in MODES:
        raise ValueError(f"mode: expected PERMISSIVE, DROPMALFORMED or FAILFAST, found {mode!r}")
    return str(mode).lower()


def list_dumps(path):
    """Returns the paths of the ETDumps that a path names, as etinspect.rows() finds them: the path itself, or, for a
    folder, all files below it whose names end in .etdp or .etdp.gz."""
    path = os.fsdecode(path)
    if not os.path.isdir(path):
        return [path]
    found, left = [], [path]
    while left:
        at = left.pop()
        if at != path and not os.path.isdir(at):
            found.append(at)
            continue
        with os.scandir(at) as entries:
            kept = [one for one in entries if one.name[0] != "." and (one.is_dir(follow_symlinks=False) or _is_dump(one))]
        left += sorted((one.path for one in kept), key=os.fsencode, reverse=True)
    return found


def _is_dump(entry):
    return entry.name.endswith((".etdp", ".etdp.gz")) and not entry.is_dir()


def path_labels(path):
    """Returns the labels from the folders of a path."""
    from urllib.parse import unquote

    parts = (part.partition("=") for part in os.path.dirname(path).split("/"))
    return {unquote(key): unquote(value) for key, at, value in parts if key and at and value != "__HIVE_DEFAULT_PARTITION__"}


def read_in_sandbox(path, content, record, settings, schema):
    """Returns the rows of a dump read by `etinspect rows --sandbox`, as a pyarrow.Table, and the error or None. `content`
    is bytes, or None to read the path; `record` is the path of an ETRecord or its bytes."""
    import subprocess

    pyarrow, json = need("pyarrow", "fleet"), need("pyarrow.json", "fleet")

    from . import _options

    opened = []
    try:
        command = [_program(), "rows", "--sandbox", "--format", "ndjson", "--mode", "failfast", "--threads", "1"]
        command += ["--granularity", settings.granularity]
        for name, value in _options.pairs(settings.options):
            command.append(f"--{name}={value}" if value != "true" else f"--{name}")
        if record is not None:
            command += ["--etrecord_path", record if isinstance(record, str) else _in_memory(record, opened)]
        command.append(_in_memory(content, opened) if content is not None else path)
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, pass_fds=opened)
    finally:
        for descriptor in opened:
            os.close(descriptor)
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().split("\n")[-1] or f"the program ended with {done.returncode}"
        for descriptor in opened:
            said = said.replace(f"/dev/fd/{descriptor}", path)
        return pyarrow.table({"error": [said.removeprefix("etinspect: ")]}), said
    known = pyarrow.schema([field for field in schema_of((), settings.granularity)])
    if not done.stdout:
        return known.empty_table(), None
    options = json.ParseOptions(explicit_schema=known, unexpected_field_behavior="ignore")
    return json.read_json(pyarrow.BufferReader(done.stdout), parse_options=options), None


def _program():
    """Returns the path of the program: beside this interpreter, where pip puts it, or in PATH."""
    import shutil
    import sysconfig

    beside = os.path.join(sysconfig.get_path("scripts"), "etinspect")
    return beside if os.path.exists(beside) else shutil.which("etinspect") or beside


def _in_memory(content, opened):
    """Returns a path of bytes that a child can open. Adds the descriptor that it must inherit."""
    descriptor = os.memfd_create("etinspect")
    opened.append(descriptor)
    left = memoryview(content)
    while left:
        left = left[os.write(descriptor, left) :]
    return f"/dev/fd/{descriptor}"


def labels_of(paths):
    """Returns the names of the labels in paths such as device=pixel8/build=1234/run.etdp."""
    from . import rows

    fixed = rows([("", b"")]).columns
    return [name for name in rows(paths, labels_from_path=True).columns if name not in fixed] if paths else []


def schema_of(labels=(), granularity="sample", columns=None):
    """Returns the pyarrow.Schema of the rows of dumps with these labels. `columns` selects some of them."""
    pyarrow = need("pyarrow", "fleet")

    from . import rows

    # The schema needs no dump, so this one is never read.
    made = rows([("", b"")], granularity=granularity, labels=dict.fromkeys(labels, ""), columns=columns)
    return pyarrow.RecordBatchReader.from_stream(made).schema


def batches_of(dumps, schema, failures=None, **settings):
    """Yields the record batches of etinspect.rows() with the columns of a schema: labels that no dump has are null. Adds the
    number of dumps that could not be read to `failures`, a list."""
    pyarrow = need("pyarrow", "fleet")

    from . import rows

    # One thread, since other threads read other dumps. Columns that these dumps lack are labels of other dumps.
    settings = {"threads": 1, **settings}
    known = rows([("", b"")], granularity=settings.get("granularity", "sample")).columns
    labels = {**dict.fromkeys(settings.get("labels") or {})}
    if settings.get("labels_from_path"):
        labels.update(dict.fromkeys(labels_of(dumps)))
    settings["columns"] = [name for name in schema.names if name in known or name in labels]
    made = rows(dumps, **settings)
    try:
        for batch in pyarrow.RecordBatchReader.from_stream(made):
            yield conform(batch, schema)
    except OSError as error:  # Arrow passes on a stream's messages in this form
        raise error_of(_READ, str(error)) from None
    if failures is not None:
        failures.append(made.failed_count)


def conform(batch, schema):
    """Returns a record batch with the columns of a schema, in its order and with its types. Columns that the batch lacks
    are null."""
    pyarrow = need("pyarrow", "fleet")

    columns = []
    for field in schema:
        at = batch.schema.get_field_index(field.name)
        column = pyarrow.nulls(batch.num_rows, field.type) if at < 0 else batch.column(at)
        columns.append(column if column.type.equals(field.type) else column.cast(field.type))
    return pyarrow.RecordBatch.from_arrays(columns, schema=schema)


def to_parquet(
    dumps, path, labels="path", partition_by=(), threads=None, granularity="sample", mode="PERMISSIVE", columns=None, **options
):
    """Writes the rows of ETDumps, with a pool of threads. Returns the numbers of dumps and of those that could not be read.

    `dumps` is a folder, a path or a list of them. With labels="path", folders like device=pixel8 are the columns of labels;
    `labels` may also be a dictionary, the same for all dumps. `path` is one file, or with `partition_by`, names of labels, a new folder with files in
    build=1234/. Either appears when it is complete, and replaces no file if no dump could be read. `columns` and all further options are those of etinspect.rows().
    """

    mode = check(granularity, mode)
    dumps = [dumps] if isinstance(dumps, (str, bytes, os.PathLike)) else list(dumps)
    path = os.fsdecode(path)
    dumps = [dump for one in dumps for dump in list_dumps(one)]
    if not dumps:
        raise ValueError("no ETDump was found: name files, or folders that contain *.etdp or *.etdp.gz")
    keys = list(labels) if isinstance(labels, dict) else labels_of(dumps) if labels == "path" else []
    columns = None if columns is None else list(dict.fromkeys([*columns, *partition_by]))
    lacking = [key for key in partition_by if key not in keys]
    if lacking:
        raise ValueError(f"partition_by: no dump has the label {lacking[0]!r}; there are: {', '.join(keys) or 'none'}")
    schema = schema_of(keys, granularity, columns)
    settings = {**options, "granularity": granularity, "mode": mode}
    settings.update(labels=labels if isinstance(labels, dict) else None, labels_from_path=labels == "path")
    times = {"target_time_scale": "ms", **{name: options[name] for name in TIME_OPTIONS if options.get(name) is not None}}
    told = {f"etinspect.{name}": _metadata_of(value) for name, value in times.items()}
    schema = schema.with_metadata({**told, "etinspect.granularity": granularity})
    tasks = [dumps[first : first + DUMPS_OF_A_TASK] for first in range(0, len(dumps), DUMPS_OF_A_TASK)]
    threads = min(threads or len(os.sched_getaffinity(0)), len(tasks))
    unfinished = f"{path}.{os.getpid()}.unfinished"
    failures = []
    try:
        write = _write_folder if partition_by else _write_file
        write(unfinished, schema, _in_pool(threads, tasks, schema, failures, settings), list(partition_by))
        if sum(failures) < len(dumps) or not os.path.exists(path):
            if partition_by and os.path.isdir(path):
                os.rmdir(path)  # an empty one, since rename() replaces no other
            os.replace(unfinished, path)
    finally:
        _remove(unfinished)
    return len(dumps), sum(failures)


def _in_pool(threads, tasks, schema, failures, settings):
    """Yields a table for each task, in order, and holds only a few at a time. Threads make them: Arrow reads the library's
    streams without Python's lock."""
    from collections import deque
    from concurrent.futures import ThreadPoolExecutor

    pyarrow = need("pyarrow", "fleet")

    def read(task):
        return pyarrow.Table.from_batches(batches_of(task, schema, failures, **settings), schema=schema)

    with ThreadPoolExecutor(threads) as pool:
        waiting = deque()
        try:
            for task in tasks:
                waiting.append(pool.submit(read, task))
                if len(waiting) > 2 * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _write_file(path, schema, tables, partition_by):
    parquet = need("pyarrow.parquet", "fleet")

    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for table in tables:
            writer.write_table(table)


def _write_folder(path, schema, tables, partition_by):
    pyarrow, dataset = need("pyarrow", "fleet"), need("pyarrow.dataset", "fleet")

    partitioning = dataset.partitioning(pyarrow.schema([schema.field(label) for label in partition_by]), flavor="hive")

    batches = (batch for table in tables for batch in table.to_batches())
    writing = dataset.ParquetFileFormat().make_write_options(compression="zstd")
    dataset.write_dataset(batches, path, schema=schema, format="parquet", partitioning=partitioning, file_options=writing)


def _remove(path):
    import shutil

    if os.path.isdir(path):
        shutil.rmtree(path, ignore_errors=True)
    elif os.path.exists(path):
        os.unlink(path)


# ---- the command ---------------------------------------------------------------------------------


def _parser():
    import argparse

    parser = argparse.ArgumentParser(prog="python -m etinspect.fleet", description="Compares the ETDumps of many devices and builds on one machine.",
                                     epilog="example: python -m etinspect.fleet to-parquet --labels path profiles/ fleet.parquet")  # fmt: skip
    commands = parser.add_subparsers(dest="command", required=True)
    write = commands.add_parser("to-parquet", help="write the rows of ETDumps as Parquet")
    write.add_argument("dumps", nargs="+", help="ETDumps, or folders that contain them")
    write.add_argument("path", help="file to write, or folder to write with --partition_by")
    write.add_argument(
        "--labels", choices=("path", "none"), default="path", help="path (default): take labels from folders such as device=pixel8; none: do not"
    )
    write.add_argument(
        "--partition_by", action="append", default=[], metavar="LABEL", help="write a folder with the files of each value in LABEL=VALUE/"
    )
    write.add_argument("--threads", type=int, metavar="N", help="number of threads that read ETDumps (default: one per processor)")
    write.add_argument(
        "--granularity",
        choices=GRANULARITIES,
        default="sample",
        help="write a row for each sample (default), or for each event of a dump",
    )
    write.add_argument("--mode", type=str.upper, choices=MODES, default="PERMISSIVE",
                       help="for a dump that cannot be read, write a row with the error (PERMISSIVE, default), skip it (DROPMALFORMED), "
                            "or stop (FAILFAST)")  # fmt: skip
    write.add_argument("--etrecord_path", metavar="FILE", help="ETRecord of the same export as the dumps")
    write.add_argument("--program_path", metavar="FILE", help="program (.pte) of the same export as the dumps")
    write.add_argument("--target_time_scale", default="ms", help="time scale of the column elapsed (default: ms)")
    write.add_argument("--columns", metavar="NAME,…", help="comma-separated list of columns to write (default: all)")
    compare = commands.add_parser("regressions", help="print what became slower from one build to another")
    compare.add_argument("parquet", help="file or folder written by to-parquet")
    compare.add_argument("base", help="label of the base build")
    compare.add_argument("new", help="label of the build to compare with the base")
    compare.add_argument(
        "--by", action="append", default=[], metavar="LABEL", help="compare the dumps of each value of this label separately"
    )
    compare.add_argument("--build", default="build", metavar="LABEL", help="label that names the build (default: build)")
    compare.add_argument("--fail_on", default="op:p50>+5%", metavar="RULE", help="rule that decides what is slower (default: op:p50>+5%%)")
    compare.add_argument(
        "--alpha", type=float, default=ALPHA, help="probability of at least one false alarm in all groups together (default: 0.01)"
    )
    return parser


def main(arguments=None):
    """Runs a command. Returns the program's exit status: 0, 1 for a regression, 2 for wrong use, 3 for a file that cannot
    be read or written, or if no dump could be read, 6 for too few dumps."""
    options = _parser().parse_args(arguments)
    try:
        return _write_command(options) if options.command == "to-parquet" else _compare_command(options)
    except OSError as error:
        print(f"etinspect.fleet: {error.filename or options.command}: {error.strerror or error}", file=sys.stderr)
        return 3
    except ImportError as error:
        print(f"etinspect.fleet: {error}", file=sys.stderr)
        return 2
    except ValueError as error:
        print(f"etinspect.fleet: {error}", file=sys.stderr)
        return 3 if hasattr(error, "status") else 2


def _write_command(options):
    columns = options.columns.split(",") if options.columns else None
    before = _identity_of(options.path)
    n, n_errors = to_parquet(options.dumps, options.path, options.labels, options.partition_by, options.threads, options.granularity,
                             options.mode, columns, etrecord=options.etrecord_path, program=options.program_path,
                             target_time_scale=options.target_time_scale)  # fmt: skip
    if n_errors:
        has_reasons = options.mode == "PERMISSIVE" and (columns is None or "error" in columns)
        more = "the column error says why" if has_reasons else "the file has no reasons"
        if before is not None and before == _identity_of(options.path):
            more = f"{options.path} is not replaced"
        print(f"etinspect.fleet: {n_errors} of {n} dumps could not be read: {more}", file=sys.stderr)
    return 3 if n_errors == n else 0


def _identity_of(path):
    """Returns what a replaced file does not have; None if there is no file."""
    return (os.stat(path).st_ino, os.stat(path).st_mtime_ns) if os.path.exists(path) else None


def _event_of(row):
    """Returns a text for an event that no other event of the dump has. A total has no event_index."""
    index = "" if row["event_index"] is None else f" event {row['event_index']}"
    module = f" (module {row['module']})" if row["module"] else ""
    return f"{row['block']}{index} {row['event_name']}{module}"


LEAST_P = 1e-300  # smallest probability shown; of smaller ones, the normal distribution has no digits


def p_text(p):
    """Returns the text of a probability, which is never p=0."""
    return f"p={p:.2g}" if p >= LEAST_P else f"p<{LEAST_P:.0e}"


def _compare_command(options):
    import warnings

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        table = regressions(options.parquet, options.base, options.new, options.by, options.build, options.fail_on, options.alpha)
    for one in warned:
        print(f"etinspect.fleet: warning: {one.message}", file=sys.stderr)
    verdicts = [row["verdict"] for row in table.to_pylist()]
    for row in table.to_pylist():
        if row["verdict"] in ("slower", "faster"):
            labels = "".join(f"{label}={row[label]} " for label in options.by)
            print(
                f"{row['verdict']}\t{labels}{_event_of(row)}\t{row['change']:+.1%}\t{p_text(row['p_adjusted'])}"
            )
    counts = {verdict: verdicts.count(verdict) for verdict in dict.fromkeys(verdicts)}
    print("; ".join(f"{n} {verdict}" for verdict, n in counts.items()) or "no event is in both builds", file=sys.stderr)
    if "slower" in counts:
        return 1
    return 0 if "~" in counts or "faster" in counts else 6


if __name__ == "__main__":
    sys.exit(main())
