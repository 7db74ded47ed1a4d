"""Runs a workflow as GitHub does, as far as examples/ci/ needs it, and rejects anything that GitHub would not accept.

    run_workflow.py WORKFLOW EVENT WORK [--action USES=FOLDER]... [--cancel_when FILE] [--patience SECONDS]

EVENT is a JSON file: the context `github`, with `clone`, the repository that actions/checkout takes. Everything is below
WORK: workspaces, artifacts/, summary.md, and jobs.json with the result of each job. When FILE, a pattern of a path below
WORK, exists, the job is cancelled: the process of the running step gets SIGINT, then SIGTERM, and then all its children are
killed, each if it does not end in SECONDS (300); GitHub waits 7.5 and 2.5, which are too few on a busy machine. Exits with 0
if no job failed, 1 if one did, 2 if the workflow is invalid.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path

import yaml


class Unsound(Exception):
    """An error that GitHub would report."""


# ---- expressions ------------------------------------------------------------------------------------------------------

TOKEN = re.compile(r"\s*(?:(?P<text>'(?:[^']|'')*')|(?P<number>\d+)|(?P<name>[A-Za-z_][\w.*-]*)|(?P<mark>&&|\|\||==|!=|[!(),]))")


def is_true(value):
    return value not in (None, False, 0, "")


class Expression:
    """An expression in ${{ }} or `if`, with the operators and functions that the examples use."""

    def __init__(self, text, contexts, state):
        self.text, self.contexts, self.state = text, contexts, state
        self.tokens, at = [], 0
        while text[at:].strip():
            token = TOKEN.match(text, at)
            if not token:
                raise Unsound(f"{text!r} is no expression")
            self.tokens.append((token.lastgroup, token.group(token.lastgroup)))
            at = token.end()
        self.asks_status = any(token == ("name", name) for token in self.tokens for name in STATUS)

    def evaluate(self):
        self.at = 0
        value = self.either()
        if self.at != len(self.tokens):
            raise Unsound(f"{self.text!r} does not end where it should")
        return value

    def take(self, *marks):
        if self.at < len(self.tokens) and self.tokens[self.at][1] in marks and self.tokens[self.at][0] == "mark":
            self.at += 1
            return self.tokens[self.at - 1][1]
        return None

    def either(self):
        value = self.both()
        while self.take("||"):
            other = self.both()
            value = value if is_true(value) else other
        return value

    def both(self):
        value = self.equal()
        while self.take("&&"):
            other = self.equal()
            value = other if is_true(value) else value
        return value

    def equal(self):
        value = self.single()
        while mark := self.take("==", "!="):
            other = self.single()
            same = str(value).lower() == str(other).lower()
            value = same == (mark == "==")
        return value

    def single(self):
        if self.take("!"):
            return not is_true(self.single())
        if self.take("("):
            value = self.either()
            if not self.take(")"):
                raise Unsound(f"{self.text!r} lacks a parenthesis")
            return value
        if self.at == len(self.tokens):
            raise Unsound(f"{self.text!r} ends too early")
        kind, token = self.tokens[self.at]
        self.at += 1
        if kind == "text":
            return token[1:-1].replace("''", "'")
        if kind == "number":
            return int(token)
        if kind == "name":
            return self.call(token) if self.take("(") else self.look_up(token)
        raise Unsound(f"{self.text!r} has {token!r} where a value should be")

    def call(self, name):
        arguments = []
        while not self.take(")"):
            arguments.append(self.either())
            self.take(",")
        if name in STATUS and not arguments:
            return STATUS[name](self.state)
        if name == "contains" and len(arguments) == 2:
            whole, part = arguments
            if isinstance(whole, list):
                return any(str(item).lower() == str(part).lower() for item in whole)
            return str(part).lower() in str(whole or "").lower()
        raise Unsound(f"{self.text!r} calls {name} with {len(arguments)} arguments")

    def look_up(self, name):
        """A missing property is null, as in GitHub, except in contexts that are completely known."""
        if name in ("true", "false", "null"):
            return {"true": True, "false": False, "null": None}[name]
        first, *rest = name.split(".")
        if first not in self.contexts:
            raise Unsound(f"{self.text!r}: there is no context {first}")
        value = self.contexts[first]
        if first in ("inputs", "steps", "runner") and rest and rest[0] not in value:
            raise Unsound(f"{self.text!r}: there is no {first}.{rest[0]}")
        for part in rest:
            if part == "*":
                continue
            if isinstance(value, list):
                value = [item.get(part) for item in value]
            else:
                value = value.get(part) if isinstance(value, dict) else None
        return value


STATUS = {
    "success": lambda state: state == "success",
    "failure": lambda state: state == "failure",
    "cancelled": lambda state: state == "cancelled",
    "always": lambda state: True,
}


# ---- allowed keys ---------------------------------------------------------------------------------------------

WORKFLOW_KEYS = {"name", "on", "permissions", "concurrency", "jobs", "env"}
JOB_KEYS = {"name", "if", "runs-on", "timeout-minutes", "permissions", "concurrency", "steps", "env", "needs"}
STEP_KEYS = {"name", "id", "if", "uses", "with", "run", "shell", "env", "working-directory"}
ACTION_KEYS = {"name", "description", "author", "inputs", "outputs", "runs", "branding"}
INPUTS_OF = {
    "actions/checkout": {"path", "ref", "fetch-depth", "submodules"},
    "actions/upload-artifact": {"name", "path", "if-no-files-found"},
}


def check_keys(where, found, known, required=()):
    wrong = [f"unknown {key!r}" for key in found if key not in known] + [f"no {key!r}" for key in required if key not in found]
    if wrong:
        raise Unsound(f"{where}: {', '.join(wrong)}")


def check_steps(where, steps, needs_shell):
    ids = set()
    for step in steps:
        here = f"{where}, step {step.get('name', '?')!r}"
        check_keys(here, step, STEP_KEYS, ["name"])
        if ("run" in step) == ("uses" in step):
            raise Unsound(f"{here}: either `run` or `uses`")
        if "run" in step and needs_shell and "shell" not in step:
            raise Unsound(f"{here}: a composite action needs `shell`")
        if "${{" in step.get("run", ""):
            raise Unsound(f"{here}: ${{{{ }}}} in a script runs what others write; use `env`")
        if "uses" in step and not re.fullmatch(r"[\w.-]+/[\w./-]+@[\w.-]+", step["uses"]):
            raise Unsound(f"{here}: `uses` without a version")
        if step.get("id") in ids:
            raise Unsound(f"{here}: the id is not the only one")
        ids.update([step["id"]] if "id" in step else [])


def read_yaml(path):
    document = yaml.safe_load(Path(path).read_text())
    if True in document:  # YAML 1.1 reads `on` as true
        document["on"] = document.pop(True)
    return document


def read_workflow(path):
    workflow = read_yaml(path)
    check_keys(path, workflow, WORKFLOW_KEYS, ["name", "on", "jobs"])
    for name, job in workflow["jobs"].items():
        check_keys(f"job {name}", job, JOB_KEYS, ["runs-on", "steps"])
        check_steps(f"job {name}", job["steps"], needs_shell=False)
    return workflow


def read_action(folder):
    action = read_yaml(Path(folder) / "action.yml")
    check_keys("action.yml", action, ACTION_KEYS, ["name", "description", "runs"])
    check_keys("runs", action["runs"], {"using", "steps"}, ["using", "steps"])
    if action["runs"]["using"] != "composite":
        raise Unsound("action.yml: not composite")
    for name, described in action.get("inputs", {}).items():
        check_keys(f"input {name}", described, {"description", "required", "default"}, ["description"])
        if not described.get("required") and not isinstance(described.get("default"), str):
            raise Unsound(f"input {name}: neither required nor with a text as default")
    check_steps("action.yml", action["runs"]["steps"], needs_shell=True)
    return action


# ---- running ----------------------------------------------------------------------------------------------------------


class Job:
    def __init__(self, runner, name, job):
        self.runner, self.name, self.job = runner, name, job
        self.state = "success"
        self.folder = runner.work / name
        self.workspace = self.folder / "workspace"
        self.temp = self.folder / "temp"
        for folder in (self.workspace, self.temp, self.folder / "home"):
            folder.mkdir(parents=True)
        self.path = os.environ["PATH"]
        self.n_scripts = 0

    def contexts(self, **more):
        return {"github": self.runner.github, "runner": {"temp": str(self.temp), "os": "Linux"}, **more}

    def fill(self, text, contexts):
        """Replaces each ${{ }} of a text."""

        def replace(match):
            value = Expression(match[1], contexts, self.state).evaluate()
            return {None: "", True: "true", False: "false"}.get(value, str(value)) if not isinstance(value, str) else value

        return re.sub(r"\$\{\{(.*?)\}\}", replace, str(text), flags=re.DOTALL)

    def is_due(self, step, contexts):
        expression = Expression(step.get("if", "success()"), contexts, self.state)
        return is_true(expression.evaluate()) and (expression.asks_status or self.state == "success")

    def run_steps(self, steps, contexts, environment):
        contexts["steps"] = {step["id"]: {"outputs": {}} for step in steps if "id" in step}
        for step in steps:
            if not self.is_due(step, contexts):
                continue
            print(f"##[group]{step['name']}", flush=True)
            own = {key: self.fill(value, contexts) for key, value in step.get("env", {}).items()}
            if "run" in step:
                succeeded, outputs = self.run_script(step, contexts, {**environment, **own})
            else:
                succeeded, outputs = self.use(step, contexts)
            if "id" in step:
                contexts["steps"][step["id"]] = {"outputs": outputs}
            if not succeeded and self.state == "success":
                self.state = "failure"

    def run_script(self, step, contexts, environment):
        self.n_scripts += 1
        files = {name: self.temp / f"_{name.lower()}_{self.n_scripts}" for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.touch()
        script = self.temp / f"_script_{self.n_scripts}.sh"
        script.write_text(step["run"])
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", script] if "shell" in step else ["bash", "-e", script]
        child = subprocess.Popen(
            command,
            cwd=self.workspace / self.fill(step.get("working-directory", ""), contexts),
            env={**self.environment(), **{name: str(file) for name, file in files.items()}, **environment},
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.wait(child)
        with open(self.runner.work / "summary.md", "a") as summary:
            summary.write(files["GITHUB_STEP_SUMMARY"].read_text())
        self.path = "".join(f"{line}:" for line in files["GITHUB_PATH"].read_text().splitlines()) + self.path
        outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
        return child.returncode == 0, outputs

    def wait(self, child):
        """Waits for the script; if the job is cancelled, ends it as GitHub does."""
        while child.poll() is None:
            time.sleep(0.02)
            if self.runner.cancel_when and self.state != "cancelled" and any(self.runner.work.glob(self.runner.cancel_when)):
                self.state = "cancelled"
                for number in (signal.SIGINT, signal.SIGTERM):
                    try:
                        child.send_signal(number)
                        child.wait(self.runner.patience)
                        print(f"##[cancelled] {number.name}", flush=True)
                        break
                    except subprocess.TimeoutExpired:
                        pass
                else:
                    os.killpg(child.pid, signal.SIGKILL)
                    print("##[cancelled] SIGKILL", flush=True)

    def environment(self):
        github = self.runner.github
        return {
            "PATH": self.path,
            "HOME": str(self.folder / "home"),
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_WORKSPACE": str(self.workspace),
            "GITHUB_EVENT_NAME": github["event_name"],
            "GITHUB_REF": github["ref"],
            "GITHUB_SHA": github["sha"],
            "GITHUB_RUN_ID": str(zlib.crc32(bytes(self.runner.work))),  # another one in each run
            "GITHUB_JOB": self.name,
            "RUNNER_TEMP": str(self.temp),
            "LC_ALL": "C.UTF-8",
            **{key: os.environ[key] for key in ("GIT_CONFIG_GLOBAL",) if key in os.environ},
        }

    def use(self, step, contexts):
        name = step["uses"].split("@")[0]
        given = {key: self.fill(value, contexts) for key, value in step.get("with", {}).items()}
        if name in INPUTS_OF:
            check_keys(step["uses"], given, INPUTS_OF[name])
            return {"actions/checkout": self.check_out, "actions/upload-artifact": self.upload}[name](given), {}
        if step["uses"] not in self.runner.actions:
            raise Unsound(f"{step['uses']} is unknown")
        return self.use_composite(step["uses"], given)

    def use_composite(self, uses, given):
        folder = self.runner.actions[uses]
        action = read_action(folder)
        described = action.get("inputs", {})
        check_keys("with", given, described, [key for key in described if described[key].get("required")])
        inputs = {key: given.get(key, described[key].get("default", "")) for key in described}
        contexts = self.contexts(inputs=inputs)
        contexts["github"] = {**contexts["github"], "action_repository": "/".join(uses.split("/")[:2])}
        failed_before = self.state
        self.run_steps(action["runs"]["steps"], contexts, {"GITHUB_ACTION_PATH": str(folder)})
        outputs = {key: self.fill(value["value"], contexts) for key, value in action.get("outputs", {}).items()}
        return self.state == failed_before, outputs

    def check_out(self, given):
        github = self.runner.github
        path = self.workspace / given.get("path", "")
        ref = given.get("ref") or github["sha"]
        depth = int(given.get("fetch-depth", "1"))
        for command in (
            ["init", "--quiet", path],
            ["-C", path, "remote", "add", "origin", f"file://{github['clone']}"],
            ["-C", path, "fetch", "--quiet", *([f"--depth={depth}"] if depth else []), "origin", ref],
            ["-C", path, "checkout", "--quiet", "--detach", "FETCH_HEAD"],
            *([["-C", path, "submodule", "--quiet", "update", "--init", "--recursive"]] if given.get("submodules") == "recursive" else []),
        ):
            if subprocess.run(["git", *command], env=self.environment()).returncode != 0:
                return False
        return True

    def upload(self, given):
        artifact = self.runner.work / "artifacts" / given["name"]
        for path in given["path"].split("\n"):
            if path and Path(path).is_dir():
                shutil.copytree(path, artifact, dirs_exist_ok=True)
            elif path and Path(path).exists():
                artifact.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, artifact)
            elif path and given.get("if-no-files-found") == "error":
                return False
        return True


class Runner:
    def __init__(self, options):
        self.work = options.work.resolve()
        self.work.mkdir(parents=True, exist_ok=True)
        self.github = json.loads(options.event.read_text())
        self.actions = {uses: Path(folder).resolve() for uses, folder in (given.split("=", 1) for given in options.action)}
        self.cancel_when = options.cancel_when
        self.patience = options.patience
        self.workflow = read_workflow(options.workflow)
        (self.work / "summary.md").touch()

    def run(self):
        results = {}
        if self.github["event_name"] in self.workflow["on"]:
            for name, described in self.workflow["jobs"].items():
                results[name] = self.run_job(name, described)
        (self.work / "jobs.json").write_text(json.dumps(results))
        return any(result in ("failure", "cancelled") for result in results.values())

    def run_job(self, name, described):
        job = Job(self, name, described)
        contexts = job.contexts()
        job.fill(described.get("concurrency", ""), contexts)
        if not is_true(Expression(described.get("if", "success()"), contexts, "success").evaluate()):
            return "skipped"
        job.run_steps(described["steps"], contexts, {})
        return job.state


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("workflow", type=Path)
    parser.add_argument("event", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--action", action="append", default=[])
    parser.add_argument("--cancel_when")
    parser.add_argument("--patience", type=float, default=300)
    # Commands that a shell runs in the background ignore this signal, and steps would inherit this.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return int(Runner(parser.parse_args()).run())
    except Unsound as wrong:
        print(f"not sound: {wrong}")
        return 2


if __name__ == "__main__":
    sys.exit(main())
