"""Runs a workflow as GitHub does, as far as examples/ci/ and .github/workflows/ need it, and rejects anything that GitHub would
not accept.

    run_workflow.py WORKFLOW EVENT WORK [--action USES=FOLDER]... [--pinned] [--cancel_when FILE] [--patience SECONDS]

EVENT is a JSON file: the context `github`, with `clone`, the repository that actions/checkout takes. Everything is below
WORK: workspaces, artifacts/, summary.md, and jobs.json with the result of each job. Nothing leaves the machine: uploaded/ has the
files that PyPI would get, and `attested` a line for each file with provenance. Jobs with a container run on this machine. With
--pinned, each action must be named by the hash of a commit.

When FILE, a pattern of a path below WORK, exists, the job is cancelled: the process of the running step gets SIGINT, then
SIGTERM, and then all its children are killed, each if it does not end in SECONDS (300); GitHub waits 7.5 and 2.5, which are too
few on a busy machine. Exits with 0 if no job failed, 1 if one did, 2 if the workflow is invalid.
"""

import argparse
import glob
import itertools
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
        if first in ("inputs", "steps", "runner", "matrix") and rest and rest[0] not in value:
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
JOB_KEYS = {"name", "if", "runs-on", "timeout-minutes", "permissions", "concurrency", "steps", "env", "needs", "container", "strategy",
            "environment"}
STEP_KEYS = {"name", "id", "if", "uses", "with", "run", "shell", "env", "working-directory", "continue-on-error"}
ACTION_KEYS = {"name", "description", "author", "inputs", "outputs", "runs", "branding"}
INPUTS_OF = {
    "actions/checkout": {"path", "ref", "fetch-depth", "submodules", "persist-credentials"},
    "actions/upload-artifact": {"name", "path", "if-no-files-found"},
    "actions/download-artifact": {"name", "path"},
    "actions/attest-build-provenance": {"subject-checksums", "subject-name", "subject-digest", "push-to-registry"},
    "pypa/gh-action-pypi-publish": {"packages-dir"},
}
# Permissions that a job with these actions must have.
NEEDED_BY = {
    "actions/checkout": {"contents": "read"},
    "actions/attest-build-provenance": {"id-token": "write", "attestations": "write"},
    "pypa/gh-action-pypi-publish": {"id-token": "write"},
}


def check_keys(where, found, known, required=()):
    wrong = [f"unknown {key!r}" for key in found if key not in known] + [f"no {key!r}" for key in required if key not in found]
    if wrong:
        raise Unsound(f"{where}: {', '.join(wrong)}")


def check_steps(where, steps, needs_shell, is_pinned=False):
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
        if "uses" in step and is_pinned and not re.fullmatch(r".+@[0-9a-f]{40}", step["uses"]):
            raise Unsound(f"{here}: {step['uses']} is not named by the hash of a commit")
        if step.get("id") in ids:
            raise Unsound(f"{here}: the id is not the only one")
        ids.update([step["id"]] if "id" in step else [])


def read_yaml(path):
    document = yaml.safe_load(Path(path).read_text())
    if True in document:  # YAML 1.1 reads `on` as true
        document["on"] = document.pop(True)
    return document


def needed_jobs(job):
    needs = job.get("needs", [])
    return [needs] if isinstance(needs, str) else needs


def check_permissions(where, steps, permissions):
    for step in steps:
        name = step.get("uses", "").split("@")[0]
        for needed, level in NEEDED_BY.get(name, {}).items():
            if permissions.get(needed) not in (level, "write"):
                raise Unsound(f"{where}: {name} needs the permission {needed}: {level}")


def read_workflow(path, is_pinned):
    workflow = read_yaml(path)
    check_keys(path, workflow, WORKFLOW_KEYS, ["name", "on", "jobs"])
    for name, job in workflow["jobs"].items():
        check_keys(f"job {name}", job, JOB_KEYS, ["runs-on", "steps"])
        check_steps(f"job {name}", job["steps"], needs_shell=False, is_pinned=is_pinned)
        check_permissions(f"job {name}", job["steps"], job.get("permissions", workflow.get("permissions")) or {})
        for needed in needed_jobs(job):
            if needed not in workflow["jobs"]:
                raise Unsound(f"job {name}: there is no job {needed}, which it needs")
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
    def __init__(self, runner, name, job, matrix):
        self.runner, self.name, self.job, self.matrix = runner, name, job, matrix
        self.state = "success"
        self.folder = runner.work / name
        self.workspace = self.folder / "workspace"
        self.temp = self.folder / "temp"
        for folder in (self.workspace, self.temp, self.folder / "home"):
            folder.mkdir(parents=True)
        self.path = os.environ["PATH"]
        self.n_scripts = 0

    def contexts(self, **more):
        return {"github": self.runner.github, "runner": {"temp": str(self.temp), "os": "Linux"}, "matrix": self.matrix, **more}

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
            if not succeeded and self.state == "success" and not step.get("continue-on-error"):
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
            "GITHUB_REPOSITORY": github.get("repository", ""),
            "GITHUB_EVENT_NAME": github["event_name"],
            "GITHUB_REF": github["ref"],
            "GITHUB_SHA": github["sha"],
            "GITHUB_RUN_ID": str(zlib.crc32(bytes(self.runner.work))),  # another one in each run
            "GITHUB_JOB": self.name,
            "RUNNER_TEMP": str(self.temp),
            "TEST_PERMISSIONS": json.dumps(self.job.get("permissions", self.runner.workflow.get("permissions"))),
            "LC_ALL": "C.UTF-8",
            **{key: os.environ[key] for key in ("GIT_CONFIG_GLOBAL",) if key in os.environ},
        }

    def use(self, step, contexts):
        name = step["uses"].split("@")[0]
        given = {key: self.fill(value, contexts) for key, value in step.get("with", {}).items()}
        if name in INPUTS_OF:
            check_keys(step["uses"], given, INPUTS_OF[name])
            return self.ACTIONS[name](self, given), {}
        if step["uses"] not in self.runner.actions:
            raise Unsound(f"{step['uses']} is unknown")
        return self.use_composite(step["uses"], given)

    def use_composite(self, uses, given):
        folder = self.runner.actions[uses]
        action = read_action(folder)
        described = action.get("inputs", {})
        check_keys("with", given, described, [key for key in described if described[key].get("required")])
        inputs = {key: given.get(key, self.fill(described[key].get("default", ""), self.contexts())) for key in described}
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
        found = [Path(one) for path in given["path"].split("\n") if path for one in glob.glob(str(self.workspace / path))]
        for one in found:
            if one.is_dir():
                shutil.copytree(one, artifact, dirs_exist_ok=True)
            else:
                artifact.mkdir(parents=True, exist_ok=True)
                shutil.copy(one, artifact)
        return bool(found) or given.get("if-no-files-found") != "error"

    def download(self, given):
        artifact = self.runner.work / "artifacts" / given["name"]
        if not artifact.is_dir():
            return False
        for one in sorted(artifact.rglob("*")):
            to = self.workspace / given["path"] / one.relative_to(artifact)
            if one.is_file():
                to.parent.mkdir(parents=True, exist_ok=True)
                to.write_bytes(one.read_bytes())  # artifacts lose the modes of files
        return True

    def attest(self, given):
        if "subject-checksums" in given:
            lines = (self.workspace / given["subject-checksums"]).read_text()
        else:
            lines = f"{given['subject-digest']}  {given['subject-name']}\n"
        with open(self.runner.work / "attested", "a") as attested:
            attested.write(lines)
        return lines.strip() != ""

    def publish(self, given):
        shutil.copytree(self.workspace / given["packages-dir"], self.runner.work / "uploaded")
        return True

    ACTIONS = {
        "actions/checkout": check_out,
        "actions/upload-artifact": upload,
        "actions/download-artifact": download,
        "actions/attest-build-provenance": attest,
        "pypa/gh-action-pypi-publish": publish,
    }


class Runner:
    def __init__(self, options):
        self.work = options.work.resolve()
        self.work.mkdir(parents=True, exist_ok=True)
        self.github = json.loads(options.event.read_text())
        self.actions = {uses: Path(folder).resolve() for uses, folder in (given.split("=", 1) for given in options.action)}
        self.cancel_when = options.cancel_when
        self.patience = options.patience
        self.workflow = read_workflow(options.workflow, options.pinned)
        (self.work / "summary.md").touch()

    def run(self):
        results = {}
        if self.github["event_name"] in self.workflow["on"]:
            for name, described in self.workflow["jobs"].items():  # a job may only need earlier ones
                needed = [results[one] for one in needed_jobs(described) if results[one] != "success"]
                results[name] = self.run_matrix(name, described, needed[0] if needed else "success")
        (self.work / "jobs.json").write_text(json.dumps(results))
        return any(result in ("failure", "cancelled") for result in results.values())

    def run_matrix(self, name, described, state):
        """Runs a job once for each combination of its matrix; `state` is the result of the jobs that it needs."""
        axes = described.get("strategy", {}).get("matrix", {})
        combinations = [dict(zip(axes, values)) for values in itertools.product(*axes.values())]
        found = [self.run_job("-".join([name, *one.values()]), described, one, state) for one in combinations]
        return next((one for one in ("failure", "cancelled") if one in found), found[0])

    def run_job(self, name, described, matrix, state):
        job = Job(self, name, described, matrix)
        contexts = job.contexts()
        job.fill(described.get("concurrency", ""), contexts)
        job.fill(described["runs-on"], contexts)
        condition = Expression(described.get("if", "success()"), contexts, state)
        if not is_true(condition.evaluate()) or (state != "success" and not condition.asks_status):
            return "skipped"
        job.run_steps(described["steps"], contexts, {})
        return job.state


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("workflow", type=Path)
    parser.add_argument("event", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--action", action="append", default=[])
    parser.add_argument("--pinned", action="store_true")
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
