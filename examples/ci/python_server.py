"""A notes server in Python, without a framework: `python3 python_server.py 8090`."""

import json
import re
import sys
import uuid
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from urllib.parse import parse_qs, urlsplit

PATH = re.compile(r"/api/v1/collections/notes/records(?:/([^/]+))?")
notes = {}
lock = Lock()


class Problem(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def now():
    return datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3] + "Z"


def text_of(body):
    if not isinstance(body, dict) or not isinstance(body.get("text", ""), str):
        raise Problem(400, "text must be a string")
    return {"text": body["text"]} if "text" in body else {}


def page_of(query):
    page = int(query.get("page", ["1"])[0])
    size = min(int(query.get("perPage", ["30"])[0]), 500)
    rows = list(notes.values())
    return {
        "page": page,
        "perPage": size,
        "totalItems": len(rows),
        "totalPages": -(-len(rows) // size),
        "items": rows[(page - 1) * size : page * size],
    }


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # The head and the body go out together. One after the other, most responses would take 40 ms:
    # the system waits until the client has acknowledged the head.
    wbufsize = -1

    def respond(self):
        length = int(self.headers.get("content-length") or 0)
        raw = self.rfile.read(length)
        try:
            with lock:
                status, body = self.route(raw)
        except Problem as problem:
            status, body = problem.status, {"message": str(problem)}
        except ValueError:
            status, body = 400, {"message": "the request cannot be read"}
        payload = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        if status != 204:
            self.send_header("content-length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def route(self, raw):
        url = urlsplit(self.path)
        match = PATH.fullmatch(url.path)
        if match is None:
            raise Problem(404, "not found")
        note_id = match[1]
        if note_id is not None and note_id not in notes:
            raise Problem(404, "no such note")
        if self.command == "GET":
            return 200, page_of(parse_qs(url.query)) if note_id is None else notes[note_id]
        if self.command == "POST" and note_id is None:
            time = now()
            note = {"id": uuid.uuid4().hex, "collectionId": "notes", "collectionName": "notes"}
            note |= {"created": time, "updated": time, "text": "", **text_of(json.loads(raw))}
            notes[note["id"]] = note
            return 200, note
        if self.command == "PATCH" and note_id is not None:
            notes[note_id] |= {**text_of(json.loads(raw)), "updated": now()}
            return 200, notes[note_id]
        if self.command == "DELETE" and note_id is not None:
            del notes[note_id]
            return 204, None
        raise Problem(405, "no such method")

    do_GET = do_POST = do_PATCH = do_DELETE = respond

    def log_message(self, format, *args):
        pass


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
