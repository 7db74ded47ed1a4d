"""The Inspector: the constructor and methods of executorch.devtools.Inspector, and the views of etinspect."""

import os
import sys
from _thread import RLock  # threading's lock; importing threading takes three times as long as all of this

from . import _etinspect, _options
from ._errors import Error, InputTypeError, TimeScaleError, file_error, need
from ._tables import Report, Stream, Table

EDGE_DIALECT_GRAPH_KEY = "edge_dialect_graph_module"


class Inspector:
    """Reads an ETDump, and the ETRecord of its model if there is one.

    The parameters up to reference_graph_name are those of executorch.devtools.Inspector. `program` is the path of the .pte
    file, or a list of .pte and .ptd files, which show the operators in delegates. All other keywords are options of the
    program, by their names in etinspect(1), such as clock_hz="400MHz" or skip_first=1. `etrecord` may also be an object of
    executorch's class ETRecord, which is read like the file that its save() writes.

    If the ETRecord or the program is of another export than the one that ran, a UserWarning says so, and reports take nothing
    from it; with strict=True, that is an Error. The Events keep what executorch.devtools.Inspector gives them.
    """

    def __init__(
        self,
        etdump_path=None,
        etdump_data=None,
        etrecord=None,
        source_time_scale="ns",
        target_time_scale="ms",
        debug_buffer_path=None,
        delegate_metadata_parser=None,
        delegate_time_scale_converter=None,
        enable_module_hierarchy=False,
        reference_graph_name=EDGE_DIALECT_GRAPH_KEY,
        *,
        program=None,
        **options,
    ):
        from ._time_scale import TimeScale, name_of  # enum takes longer to import than this module

        scales = [name_of(source_time_scale), name_of(target_time_scale)]
        if scales.count("cycles") == 1 and "clock_hz" not in options:
            raise TimeScaleError("For TimeScale in cycles both the source and target time scale have to be in cycles.")
        if etrecord is not None and not isinstance(etrecord, (str, bytes, os.PathLike)) and not _is_record(etrecord):
            raise InputTypeError(f"etrecord is of type {type(etrecord).__name__}: give the path of the ETRecord, or executorch's ETRecord")
        if (etdump_path is None) == (etdump_data is None):
            _options.require_known(options)  # one may be a misspelt etdump_path or etdump_data
            raise Error("Expecting exactly one of etdump_path or etdump_data to be specified.")
        self.source_time_scale, self.target_time_scale = map(TimeScale, scales)
        self.delegate_metadata_parser = delegate_metadata_parser
        self.delegate_time_scale_converter = delegate_time_scale_converter
        self._record_source, self._method = etrecord, options.get("method")
        self._event_blocks = self._read_record = None
        inputs = [*_dumps(etdump_path, etdump_data), *_records(etrecord)]
        inputs += [*_files("debug_buffer_path", debug_buffer_path), *_files("program_path", program)]
        options = {
            "source_time_scale": scales[0],
            "target_time_scale": scales[1],
            "reference_graph_name": None if reference_graph_name == EDGE_DIALECT_GRAPH_KEY else reference_graph_name,
            # Otherwise the library would reject stamps that the user's function can handle.
            "exact_time": True if delegate_time_scale_converter else None,
            **options,
        }
        self._written = {"label": options["label"]} if options.get("label") else {}  # for the reports
        self._lock = RLock()  # for the native object, which some calls change
        self._native = _etinspect.Inspector.open(_options.pairs(options), inputs)
        if mismatch := self._native.mismatch():
            import warnings

            warnings.warn(mismatch, stacklevel=2)

    def _call(self, method, *arguments):
        with self._lock:
            return getattr(self._native, method)(*arguments)

    # ---- as the Inspector of ExecuTorch ----

    @property
    def event_blocks(self):
        """The EventBlocks, made on first use; to_dataframe() and printed tables show the changes that the user makes to them."""
        if self._event_blocks is None:
            from ._events import blocks_of

            self._event_blocks = blocks_of(self._call("blocks"), self)
        return self._event_blocks

    @event_blocks.setter
    def event_blocks(self, blocks):
        self._event_blocks = blocks

    def _is_changed(self):
        """Returns whether the user changed the EventBlocks or their Events, so that printed tables must show the changes."""
        if self._event_blocks is None:
            return False
        from ._events import are_shown_alike

        return not are_shown_alike(self._event_blocks, self._call("columns", True), self.target_time_scale)

    def to_dataframe(self, include_units=True, include_delegate_debug_data=False):
        """Returns a pandas DataFrame with a row per Event."""
        from ._dataframe import blocks_frame, columns_of, columns_of_events

        if self._event_blocks is None and not self._runs_functions(include_delegate_debug_data):
            made = self._call("columns", bool(include_delegate_debug_data))
            return blocks_frame([columns_of(one, self.target_time_scale, include_units) for one in made])
        return blocks_frame([columns_of_events(one, include_units, include_delegate_debug_data) for one in self.event_blocks])

    def print_data_tabular(self, file=None, include_units=True, include_delegate_debug_data=False):
        """Prints the Events as a table, to standard output unless `file` is given."""
        text = self._printed("table", include_units, include_delegate_debug_data)
        (sys.stdout if file is None else file).write(text)

    def save_data_to_tsv(self, file, include_units=True, include_delegate_debug_data=False):
        """Writes the Events as TSV, to a path or a file."""
        text = self._printed("tsv", include_units, include_delegate_debug_data)
        if isinstance(file, (str, bytes, os.PathLike)):
            with open(file, "w", encoding="utf-8", newline="") as opened:
                opened.write(text)
        else:
            file.write(text)

    def _runs_functions(self, include_delegate_debug_data):
        """Returns whether functions of the user take part in a table."""
        return self.delegate_time_scale_converter or self.delegate_metadata_parser and include_delegate_debug_data

    def _printed(self, format, include_units, include_delegate_debug_data):
        """Returns the table of the library, or of pandas if functions of the user take part."""
        if self._runs_functions(include_delegate_debug_data) or self._is_changed():
            from ._dataframe import printed

            return printed(self.to_dataframe(include_units, include_delegate_debug_data), format)
        options = {"include_units": include_units, "include_delegate_debug_data": include_delegate_debug_data}
        return self._call("events_table", _options.pairs(options)).write(format).decode()

    def find_total_for_module(self, module_name):
        """Returns the sum of the averages of all Events in modules whose key contains the name, in the target time
        scale."""
        if self._event_blocks is None and not self.delegate_time_scale_converter:
            return self._call("find_total_for_module", module_name)
        events = (event for block in self.event_blocks for event in block.events if event.name != "OPERATOR_CALL")
        total = 0.0
        for event in events:
            keys = (key for modules in event.module_hierarchy.values() if modules for key in modules)
            if event.perf_data is not None and any(module_name in key for key in keys):
                total += event.perf_data.avg
        return total

    def get_op_list(self, event_block, show_delegated_ops=True):
        """Lists the Events of an EventBlock by operator: {op type: [Event, …]}, without the framework's OPERATOR_CALLs."""
        operators = {}
        for block in self.event_blocks:
            if block.name != event_block:
                continue
            for event in block.events:
                if event.name == "OPERATOR_CALL" or event.is_delegated_op and not show_delegated_ops:
                    continue
                for op_type in dict.fromkeys(event.op_types):
                    operators.setdefault(op_type, []).append(event)
        return operators

    def get_exported_program(self, graph=None):
        """Returns the ExportedProgram of the ETRecord, which executorch reads: this needs torch."""
        if self._record_source is None:
            import logging

            logging.getLogger(__name__).warning(
                "Exported program is only available when a valid etrecord_path was provided at the time of Inspector construction"
            )
            return None
        record = self._etrecord
        return record.edge_dialect_program if graph is None else record.graph_map.get(graph)

    @property
    def _etrecord(self):
        """The ETRecord as executorch's object, which comparators and other programs use; None without an ETRecord."""
        if self._read_record is None and self._record_source is not None:
            self._read_record = self._record_source if _is_record(self._record_source) else _parsed(self._record_source)
        return self._read_record

    def calculate_numeric_gap(self, distance, disable_debug_handle_valdiation=False, reference_graph=None, *, reference=None):
        """Compares results with those of the exported program; returns a pandas DataFrame with a row per pair.

        `distance` is "MSE", "L1" or "SNR", or a comparator, an object like executorch's NumericalComparatorBase. torch
        executes the graph of the ETRecord that the two options choose, as in ExecuTorch's Inspector, on the ETRecord's
        representative inputs. With `reference` nothing is executed, and torch is not needed: it is a file with the
        intermediates, written by `python -m etinspect.aot_intermediates` where torch is installed, or another Inspector.
        """
        from ._numeric_gap import numeric_gap

        return numeric_gap(self, distance, reference, reference_graph, disable_debug_handle_valdiation)

    def get_vgf_neural_statistics(self):
        """Returns the statistics that Arm's VGF backend logged, a dictionary for each record."""
        from ._vgf import parse_vgf_neural_statistics_delegate_metadata

        events = (event for block in self.event_blocks for event in block.events)
        return [record for event in events for record in parse_vgf_neural_statistics_delegate_metadata(event.raw_delegate_debug_metadatas)]

    # ---- beyond ----

    @property
    def notes(self):
        """Explanations of empty, unlabelled or surprising results, one line each."""
        return [text for _, text in self._call("notes")]

    def report(self, view, **options):
        """Returns a view of the program: "summary", "tree", "ops", … Options are those of its command."""
        _options.refuse(options, _options.OPENING, "Inspector")
        return Report(self._call("report", view, _options.pairs(options)), {**self._written, **options})

    def samples(self):
        """Returns the times of all Events in all runs, for Arrow consumers: a row per sample."""
        return Stream(lambda: self._call("samples_stream"))

    def events_table(self, include_units=True, include_delegate_debug_data=False):
        """Returns the table that print_data_tabular() prints."""
        options = {"include_units": include_units, "include_delegate_debug_data": include_delegate_debug_data}
        return Table(self._call("events_table", _options.pairs(options)), "events")

    def numerics(self, reference=None, **options):
        """Compares the tensors that the run recorded with those of `reference`, another Inspector or a file."""
        _options.refuse(options, _options.OPENING, "Inspector")
        written = {**self._written, **options}
        if not isinstance(reference, Inspector):
            options["reference"] = reference
            return Report(self._call("numerics", None, _options.pairs(options)), {**written, "reference": reference})
        # Two threads may compare the same two Inspectors in opposite directions, so the order of the locks is fixed.
        first, second = sorted((self, reference), key=id)
        with first._lock, second._lock:
            return Report(self._native.numerics(reference._native, _options.pairs(options)), written)

    def page(self, **options):
        """Returns the HTML page of etinspect report, which notebooks show."""
        import tempfile

        from ._page import Page

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            self.save_page(path, **options)
            with open(path, encoding="utf-8", newline="") as file:
                return Page(file.read())

    def save_page(self, path, **options):
        """Writes an HTML page about everything known, like etinspect report."""
        _options.refuse(options, _options.OPENING, "Inspector")
        self._call("page", _options.path_bytes(path), _options.pairs(options))

    def __repr__(self):
        return f"<etinspect.Inspector: {len(self.report('events'))} events>"

    def _repr_html_(self):
        return self.report("summary")._repr_html_()


def _dumps(path, data):
    if data is not None:
        for number, one in enumerate(data if isinstance(data, (list, tuple)) else [data]):
            yield ("etdump_path", f"etdump_data[{number}]".encode() if number else b"etdump_data", one)
    yield from _files("etdump_path", path)


def _is_record(value):
    """Returns whether a value is an ETRecord of executorch. Does not import executorch."""
    return any(one.__name__ == "ETRecord" for one in type(value).__mro__) and callable(getattr(value, "save", None))


def _records(record):
    """Yields the input of an ETRecord. Saves an object to a file without a name, and maps the file."""
    if not _is_record(record):
        yield from _files("etrecord_path", record)
        return
    import mmap
    import tempfile

    with tempfile.TemporaryFile() as file:
        try:
            record.save(file)
        except RuntimeError as error:  # the record lacks data that an Inspector needs
            raise Error(f"etrecord: {error}") from error
        file.flush()
        if os.fstat(file.fileno()).st_size == 0:
            raise Error("etrecord: its save() wrote nothing: write the ETRecord to a file with save(), and give the path of the file")
        yield ("etrecord_path", b"etrecord", mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def _parsed(path):
    return need("executorch.devtools.etrecord").parse_etrecord(etrecord_path=os.fspath(path))


def _files(option, paths):
    """Yields the inputs of an option. For a file that cannot be opened it raises the exception of open()."""
    if paths is None:
        return
    for path in paths if isinstance(paths, (list, tuple)) else [paths]:
        encoded = _options.path_bytes(path)
        try:
            if encoded != b"-":
                open(path, "rb").close()
        except OSError as error:
            raise file_error(error) from None
        yield (option, encoded, None)
