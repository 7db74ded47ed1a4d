"""Shared by the tests of this folder: the program, and the required contents of a database."""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DUMP = os.path.join(TOP, "testdata/mlp/run.etdp")
RECORD = os.path.join(TOP, "testdata/mlp/record.etrecord")


class Test:
    """A new folder, the program, and the number of errors."""

    def __init__(self, build, seed, view=(), in_memory=True):
        self.program = os.path.join(os.path.abspath(build), "etinspect")
        self.build = os.path.abspath(build)
        self.random = random.Random(seed)
        self.n_wrong = 0
        memory = "/dev/shm" if in_memory and os.access("/dev/shm", os.W_OK) else None  # where syncing is fast
        self.folder = tempfile.mkdtemp(prefix="etinspect-database-", dir=memory)
        self.path = os.path.join(self.folder, "runs.db")
        self.expected = None
        self.view = list(view)

    def __enter__(self):
        self.append("alone").check_returncode()
        self.expected = self.count_rows(1)
        self.remove_files()
        return self

    def __exit__(self, *unused):
        shutil.rmtree(self.folder)

    def complain(self, text):
        self.n_wrong += 1
        print("    " + text, flush=True)

    def command(self, label, *options):
        return [self.program, *self.view, DUMP, RECORD, "--format", "sqlite", "--append", "--output", self.path, "--label",
                f"n={label}", *options]

    def append(self, label, *options):
        return subprocess.run(self.command(label, *options), capture_output=True, text=True)

    def start(self, label, *options):
        return subprocess.Popen(self.command(label, *options), stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)

    def remove_files(self):
        for name in os.listdir(self.folder):
            os.remove(os.path.join(self.folder, name))

    def open(self, path=None):
        return sqlite3.connect(path or self.path, timeout=60, isolation_level=None)

    def run_sql(self, sql):
        connection = self.open()
        connection.execute(sql)
        connection.close()

    def count_rows(self, dump_id):
        connection = self.open()
        counts = count_rows(connection, dump_id)
        connection.close()
        return counts

    def prepare(self, kind):
        """Makes a file of this kind for others to append to."""
        self.remove_files()
        if kind == "missing":
            return
        self.append("first").check_returncode()
        if kind == "index":
            self.run_sql("CREATE INDEX mine ON events(dump_id, name)")
        elif kind != "delete":
            self.run_sql(f"PRAGMA journal_mode = {kind}")

    def check(self, where, path=None):
        """Checks that the database is intact and has only complete dumps. Returns the labels, in order of dump_id."""
        connection = self.open(path)
        try:
            if connection.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                self.complain(f"{where}: integrity_check")
            if not connection.execute("SELECT 1 FROM sqlite_schema").fetchone():
                return []
            dumps = [row[0] for row in connection.execute("SELECT dump_id FROM dumps ORDER BY dump_id")]
            for dump_id in dumps:
                if count_rows(connection, dump_id) != self.expected:
                    self.complain(f"{where}: dump {dump_id} is not complete")
            for table in self.expected:
                if connection.execute(f'SELECT 1 FROM "{table}" WHERE dump_id NOT IN (SELECT dump_id FROM dumps)').fetchone():
                    self.complain(f"{where}: {table} has rows of no dump")
            return [row[0] for row in connection.execute("SELECT value FROM labels WHERE key = 'n' ORDER BY dump_id")]
        except sqlite3.DatabaseError as error:
            self.complain(f"{where}: {error}")
            return []
        finally:
            connection.close()


def count_rows(connection, dump_id):
    """Returns the number of a dump's rows in each table."""
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")]
    return {table: connection.execute(f'SELECT count(*) FROM "{table}" WHERE dump_id = ?', (dump_id,)).fetchone()[0]
            for table in tables}


def run(test_function, **options):
    """BUILD COUNT [SEED]: calls the function with a Test and COUNT; exits with 1 on any error."""
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    with Test(sys.argv[1], seed, **options) as test:
        test_function(test, int(sys.argv[2]))
        if test.n_wrong:
            print(f"    {test.n_wrong} wrong, with seed {seed}")
    sys.exit(test.n_wrong > 0)
