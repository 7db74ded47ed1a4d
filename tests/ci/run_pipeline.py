"""Runs examples/ci/gitlab.yml or buildkite.yml as these CI systems do, as far as they need it, and rejects what they would not
accept.

    run_pipeline.py gitlab|buildkite FILE WORK CLONE COMMIT BASE [LABELS]

CLONE is checked out at COMMIT, the change to BASE, into WORK/workspace; the log is WORK/log, and WORK/result has the result: passed,
failed, or warning for a failure that the pipeline allows. Exits with 1 if the result is failed.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import yaml

KEYS = {
    "gitlab": {"image", "rules", "variables", "script", "after_script", "allow_failure", "artifacts"},
    "buildkite": {"label", "if", "env", "commands", "soft_fail", "artifact_paths"},
}


def read_job(system, path):
    document = yaml.safe_load(Path(path).read_text())
    job = document["steps"][0] if system == "buildkite" else next(iter(document.values()))
    unknown = set(job) - KEYS[system]
    if unknown:
        sys.exit(f"not sound: unknown {unknown}")
    return job


def lines_of(system, job):
    if system == "gitlab":
        return job["script"]
    for command in job["commands"]:  # a single $ would be replaced before the step runs
        if re.search(r"(?<!\$)\$(?!\$)[\w{(]", command.replace("$$", "")):
            sys.exit(f"not sound: {command} is interpolated when the pipeline is uploaded")
    return [command.replace("$$", "$") for command in job["commands"]]


def variables_of(system, commit, base, labels):
    if system == "gitlab":
        return {
            "GITLAB_CI": "true",
            "CI_COMMIT_SHA": commit,
            "CI_JOB_ID": "4711",
            "CI_MERGE_REQUEST_DIFF_BASE_SHA": base,
            "CI_MERGE_REQUEST_LABELS": labels,
            "CI_MERGE_REQUEST_IID": "12",
            "CI_PROJECT_ID": "5",
            "CI_API_V4_URL": os.environ["CI_API_V4_URL"],
            "GITLAB_TOKEN": "secret",
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
        return job["allow_failure"]["exit_codes"]
    return [fail["exit_status"] for fail in job["soft_fail"]]


def main(system, path, work, clone, commit, base, labels=""):
    work = Path(work)
    workspace = work / "workspace"
    workspace.mkdir(parents=True)
    job = read_job(system, path)
    own = {key: str(value) for key, value in job.get("variables", job.get("env", {})).items()}
    kept = {key: os.environ[key] for key in ("PATH", "GIT_CONFIG_GLOBAL") if key in os.environ}
    environment = {"HOME": str(work), "CI": "true", **kept, **variables_of(system, commit, base, labels), **own}
    with open(work / "log", "w") as log:
        for command in (
            ["clone", "--quiet", f"file://{clone}", "."],
            ["fetch", "--quiet", "origin", "+refs/*:refs/remotes/all/*"],
            ["checkout", "--quiet", commit],
            ["submodule", "update", "--init", "--recursive"],
        ):
            subprocess.run(["git", *command], cwd=workspace, env=environment, stdout=log, stderr=log, check=True)
        script = "set -e\n" + "\n".join(lines_of(system, job))
        status = subprocess.run(["bash", "-c", script], cwd=workspace, env=environment, stdout=log, stderr=log).returncode
        # after_script runs in another shell, whose status GitLab ignores.
        subprocess.run(["bash", "-c", "\n".join(job.get("after_script", []))], cwd=workspace, env=environment, stdout=log, stderr=log)
    result = "passed" if status == 0 else "warning" if status in allowed_statuses(system, job) else "failed"
    (work / "result").write_text(result)
    return result == "failed"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
