"""Serves notes of merge requests on this machine, as GitLab does, with two notes per page.

    gitlab_notes.py FILE

Writes its address into FILE.address, and the notes, after each change, into FILE. The token is `secret`.
"""

import json
import os
import re
import sys
import urllib.parse
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

file = Path(sys.argv[1])
ME = 7
notes = [{"id": 1, "author": {"id": 3}, "body": "<!-- etinspect performance --> a person quotes it"}, {"id": 2, "author": {"id": ME}, "body": "of another job"}]


class Handler(BaseHTTPRequestHandler):
    def answer(self, value, status=200):
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do(self):
        address = urllib.parse.urlparse(self.path)
        body = urllib.parse.parse_qs(self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()).get("body", [""])[0]
        if self.headers.get("PRIVATE-TOKEN") != "secret":
            return self.answer({"message": "401 Unauthorized"}, 401)
        if (self.command, address.path) == ("GET", "/api/v4/user"):
            return self.answer({"id": ME})
        of = re.fullmatch(r"/api/v4/projects/5/merge_requests/12/notes(/\d+)?", address.path)
        if not of:
            return self.answer({"message": "404 Not found"}, 404)
        if self.command == "GET":
            page = int(urllib.parse.parse_qs(address.query)["page"][0])
            return self.answer(notes[::-1][2 * page - 2 : 2 * page])
        if self.command == "POST":
            notes.append({"id": len(notes) + 1, "author": {"id": ME}, "body": body})
        else:
            notes[int(of[1][1:]) - 1]["body"] = body
        file.write_text(json.dumps(notes))
        self.answer({}, 201)

    do_GET = do_POST = do_PUT = do

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Handler)
address = Path(f"{file}.address")
address.with_suffix(".new").write_text(f"http://127.0.0.1:{server.server_port}/api/v4")
os.replace(address.with_suffix(".new"), address)
server.serve_forever()
