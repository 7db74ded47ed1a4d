"""Shows and changes comments of pull requests in a file, as `gh api` does at GitHub.

    gh_api.py FILE api [--paginate] PATH [--jq FILTER] [--method METHOD] [-F body=@FILE]    does what gh api does
    gh_api.py FILE add NUMBER Bot|User TEXT                                                 adds a comment of another bot, or of a person
    gh_api.py FILE refuse                                                                   refuses all later changes, as with a token of a fork
    gh_api.py FILE list                                                                     prints all comments

The token `secret` is that of Actions, which has no user; `machine` is that of a user. The program jq runs the filter.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

file = Path(sys.argv[1])
state = json.loads(file.read_text()) if file.exists() else {"comments": [], "refuses": False}
comments = state["comments"]


OWNERS = {"secret": {"type": "Bot", "login": "github-actions[bot]"}, "machine": {"type": "User", "login": "performance-machine"}}


def add(number, user, body):
    comments.append({"id": 100 + len(comments), "number": int(number), "user": user, "body": body})


def show(value, options):
    print(subprocess.run(["jq", "-r", options["--jq"]], input=json.dumps(value), text=True, capture_output=True, check=True).stdout, end="")


def api(words):
    owner = OWNERS.get(os.environ.get("GH_TOKEN"))
    if not owner:
        sys.exit("gh: Bad credentials (HTTP 401)")
    options = {"--method": "GET"}
    paths = []
    while words:
        word = words.pop(0)
        if word in ("--jq", "--method", "-F"):
            options[word] = words.pop(0)
        elif word != "--paginate":
            paths.append(word)
    (path,) = paths
    body = Path(options["-F"].removeprefix("body=@")).read_text() if "-F" in options else ""
    if path == "user" and owner["type"] == "User":
        return show(owner, options)
    if of_request := re.fullmatch(r"repos/team/model/issues/(\d+)/comments", path):
        number = int(of_request[1])
        if options["--method"] == "GET":
            return show([one for one in comments if one["number"] == number], options)
        if options["--method"] == "POST" and not state["refuses"]:
            return add(number, owner, body)
    if of_comment := re.fullmatch(r"repos/team/model/issues/comments/(\d+)", path):
        found = [one for one in comments if one["id"] == int(of_comment[1])]
        if found and found[0]["user"] == owner and options["--method"] == "PATCH" and not state["refuses"]:
            found[0]["body"] = body
            return
    sys.exit("gh: Resource not accessible by integration (HTTP 403)")


verb, *rest = sys.argv[2:]
if verb == "api":
    api(rest)
elif verb == "add":
    number, kind, text = rest
    add(number, {"type": kind, "login": "other"}, text)
elif verb == "refuse":
    state["refuses"] = True
else:
    for one in comments:
        print("==", one["number"], one["user"]["type"])
        print(one["body"])
file.write_text(json.dumps(state))
