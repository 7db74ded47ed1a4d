"""concurrent.py BUILD ROUNDS [SEED] - in each round twelve commands append to one file at the same time, while a Python
connection occasionally holds locks. Each dump that a command reported as appended is present once and complete; nothing
else is."""

import threading
import time

import database

N_COMMANDS = 12
KINDS = ["missing", "delete", "wal", "index", "persist"]
LOCKS = ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE", "BEGIN; SELECT * FROM sqlite_schema"]


def hold_locks(test, is_over):
    """Reads and writes beside the commands, and keeps each lock for a while."""
    choices = database.random.Random(test.random.random())
    while not is_over.is_set():
        try:
            connection = test.open()
            for statement in choices.choice(LOCKS).split("; "):
                connection.execute(statement).fetchone()
            time.sleep(choices.random() * 0.05)
            connection.execute("COMMIT")
            connection.close()
        except database.sqlite3.OperationalError:
            pass  # locked longer than Python waits
        time.sleep(choices.random() * 0.05)


def run_round(test, number):
    kind = KINDS[number % len(KINDS)]
    test.prepare(kind)
    before = [] if kind == "missing" else ["first"]
    is_over = threading.Event()
    locker = threading.Thread(target=hold_locks, args=(test, is_over))
    if kind != "missing":
        locker.start()
    commands = {str(i): test.start(i) for i in range(N_COMMANDS)}
    appended = []
    for label, command in commands.items():
        message = command.communicate()[1]
        if command.returncode == 0 and not message:
            appended.append(label)
        elif command.returncode != 4 or message.count("\n") != 1:
            test.complain(f"round {number} ({kind}): exit status {command.returncode}: {message}")
        else:
            print(f"    round {number} ({kind}): {message}", end="")
    is_over.set()
    if kind != "missing":
        locker.join()
    found = test.check(f"round {number} ({kind})")
    if sorted(found) != sorted(before + appended):
        test.complain(f"round {number} ({kind}): found {found}, appended {appended}")
    return len(appended)


def run_rounds(test, n_rounds):
    n_appended = sum(run_round(test, number) for number in range(n_rounds))
    print(f"    {n_rounds} rounds, {n_rounds * N_COMMANDS} appends: {n_appended} are there, "
          f"{n_rounds * N_COMMANDS - n_appended} said that they are not")


database.run(run_rounds)
