"""Runs examples/ci/gitlab.yml or buildkite.yml as these CI systems do, as far as they need it, and rejects what they would not
accept.

    run_pipeline.py gitlab|buildkite FILE WORK CLONE COMMIT BASE [LABELS]

CLONE is checked out at COMMIT, the change to BASE, into WORK/workspace; the log is WORK/log, and WORK/result has the result of the first
job: passed, failed, or warning for a failure that the pipeline allows. Exits with 1 if a job failed. At GitLab, a second job runs
after it in WORK/JOB, with its artifacts; only the environment performance-comment has the token.
"""

import contextlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

KEYS = {
    "gitlab": {"image", "rules", "variables", "script", "allow_failure", "artifacts", "needs", "environment"},
    "buildkite": {"label", "if", "env", "commands", "soft_fail", "artifact_paths"},
}


def read_jobs(system, path):
    """Returns the jobs, {name: job}, of which each needs those before it."""
    document = yaml.safe_load(Path(path).read_text())
    jobs = {step["label"]: step for step in document["steps"]} if system == "buildkite" else document
    for number, job in enumerate(jobs.values()):
        unknown = set(job) - KEYS[system]
        if unknown:
            sys.exit(f"not sound: unknown {unknown}")
        if number and (job.get("needs") != list(jobs)[:number] or {rule.get("when") for rule in job["rules"]} != {"always"}):
            sys.exit("not sound: a job that does not run after the others, whatever their results are")
    return jobs


def lines_of(system, job):
    if system == "gitlab":
        return job["script"]
    for command in job["commands"]:  # a single $ would be replaced before the step runs
        if re.search(r"(?<!\$)\$(?!\$)[\w{(]", command.replace("$$", "")):
            sys.exit(f"not sound: {command} is interpolated when the pipeline is uploaded")
    return [command.replace("$$", "$") for command in job["commands"]]


def variables_of(system, job, commit, base, labels):
    if system == "gitlab":
        is_trusted = job.get("environment") == {"name": "performance-comment", "action": "access"}
        return {
            **({"GITLAB_TOKEN": "secret"} if is_trusted else {}),
            "GITLAB_CI": "true",
            "CI_COMMIT_SHA": commit,
            "CI_JOB_ID": "4711",
            "CI_MERGE_REQUEST_DIFF_BASE_SHA": base,
            "CI_MERGE_REQUEST_LABELS": labels,
            "CI_MERGE_REQUEST_IID": "12",
            "CI_PROJECT_ID": "5",
            "CI_API_V4_URL": os.environ["CI_API_V4_URL"],
        }
    return {
        "BUILDKITE": "true",
        "BUILDKITE_COMMIT": commit,
        "BUILDKITE_JOB_ID": "0195-4711",
        "BUILDKITE_PULL_REQUEST_BASE_BRANCH": base,  # git fetch takes a commit, too
        "BUILDKITE_PULL_REQUEST_LABELS": labels,
    }


def allowed_statuses(system, job):
    if system == "gitlab":
        return job.get("allow_failure", {"exit_codes": []})["exit_codes"]
    return [fail["exit_status"] for fail in job["soft_fail"]]


def run_job(system, job, workspace, log, clone, commit, variables, artifacts):
    """Runs a job in a new folder, with the artifacts of an earlier one. Returns its result."""
    workspace.mkdir(parents=True)
    own = {key: str(value) for key, value in job.get("variables", job.get("env", {})).items()}
    kept = {key: os.environ[key] for key in ("PATH", "GIT_CONFIG_GLOBAL") if key in os.environ}
    environment = {"HOME": str(workspace.parent), "CI": "true", **kept, **variables, **own}
    for command in (
        ["clone", "--quiet", f"file://{clone}", "."],
        ["fetch", "--quiet", "origin", "+refs/*:refs/remotes/all/*"],
        ["checkout", "--quiet", commit],
        ["submodule", "update", "--init", "--recursive"],
    ):
        subprocess.run(["git", *command], cwd=workspace, env=environment, stdout=log, stderr=log, check=True)
    for folder in artifacts:
        if folder.is_dir():
            shutil.copytree(folder, workspace / folder.name, symlinks=True)
    script = "set -e\n" + "\n".join(lines_of(system, job))
    status = subprocess.run(["bash", "-c", script], cwd=workspace, env=environment, stdout=log, stderr=log).returncode
    return "passed" if status == 0 else "warning" if status in allowed_statuses(system, job) else "failed"


def main(system, path, work, clone, commit, base, labels=""):
    work = Path(work)
    results, artifacts = [], []
    with contextlib.ExitStack() as opened:
        for name, job in read_jobs(system, path).items():
            workspace = work / (name if results else "workspace")
            workspace.parent.mkdir(parents=True, exist_ok=True)
            log = opened.enter_context(open(work / (f"{name}.log" if results else "log"), "w"))
            variables = variables_of(system, job, commit, base, labels)
            results.append(run_job(system, job, workspace, log, clone, commit, variables, artifacts))
            if system == "gitlab":
                artifacts += [workspace / folder for folder in job.get("artifacts", {}).get("paths", [])]
    (work / "result").write_text(results[0])
    return "failed" in results


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
