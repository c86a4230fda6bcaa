"""Plants secrets of every kind in every place that a profile has, against a server that echoes all that it gets in every form,
makes everything fail, and looks for them in all that the program writes.

usage: secrets_test.py ASSAY_PROGRAM [unittest options]
"""

import base64
import html
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.parse

ASSAY = str(pathlib.Path(sys.argv.pop(1)).resolve())

# Each begins with what nothing else has, so that half of one is found too.
SECRETS = {
    "BASE_PATH": "basepath-3f9c1d7a", "TENANT": 'tenant-77"a/b+c&d', "PART": "partofone-5d2e", "BODY_KEY": 'bodykey-"ü\\<1>&x/y',
    "QUERY_KEY": "querykey-a b+c/ö", "LAUNCH_KEY": "launchkey-91ab33", "PATH_KEY": "pathkey-x y/z",
    "authorization": "authlit-Zm9v/YmFy+9", "cookie": "cookielit-8812abCD", "password": "passlit-Tr0ub4dor&3",
    "access_token": "querylit-77aa11bb", "ticket": "ticket-0a1b2c3d4e", "session_token": "sesstok-445566aa",
    "DATABASE_PASSWORD": "dblit-998877zz", "ADAPTER_PASSWORD": "adapterlit-Qw/7+x", "ADAPTER_KEY": 'adapterkey-"é\\9', "in_url": "urlquery-246813579", "url_user": "urluser-1029384756"}
CAPTURED = ["ticket", "session_token"]
PLANTED = ["BASE_PATH", "TENANT", "PART", "BODY_KEY", "QUERY_KEY", "PATH_KEY", "authorization", "cookie", "password",
           "access_token", *CAPTURED]
ENVIRONMENT = {**os.environ, **{name: value for name, value in SECRETS.items() if name.isupper()}}

PROFILE = """name: planted
extends: reference
base_url: http://127.0.0.1:{port}/api/${{env:BASE_PATH}}
headers:
  Authorization: "Token authlit-Zm9v/YmFy+9, realm=workflows"
  Cookie: lang=en; session=cookielit-8812abCD
  X-Tenant: ${{env:TENANT}}
  X-Mixed: "one ${{env:PART}}, two"
limits: {{connect_ms: 2000, request_ms: 2000, within_ms: 20, hold_ms: 5, max_pages: 2}}
setup:
  - request: POST /{login}
    query: {{access_token: querylit-77aa11bb, other: "${{env:QUERY_KEY}}"}}
    body: {{user: someone, password: "passlit-Tr0ub4dor&3", nested: [{{key: "${{env:BODY_KEY}}"}}]}}
    capture: {{ticket: /ticket, session_token: /session_token}}
operations:
  executions.status:
    request: GET /executions/${{execution_id}}/status/${{env:PATH_KEY}}
    headers: {{X-Ticket: "${{setup.ticket}}"}}
  runs.get:
    request: GET /runs/${{run_id}}
    query: {{t: "${{setup.session_token}}"}}
"""
LAUNCHED = """name: launched
extends: reference
launch:
  command: [{python}, -c, "import os, sys; print(os.environ['KEY'], os.environ['DATABASE_PASSWORD'], sys.argv, file=sys.stderr); sys.exit(3)", "${{env:LAUNCH_KEY}}"]
  environment: {{DATABASE_PASSWORD: dblit-998877zz, KEY: "${{env:LAUNCH_KEY}}"}}
  ready_line: "listening on "
"""

ADAPTED = """name: adapted
extends: reference
base_url: http://127.0.0.1:{port}/quiet
adapter:
  command: [{python}, {script}, {mode}]
  environment: {{ADAPTER_PASSWORD: "adapterlit-Qw/7+x", ADAPTER_KEY: "${{env:ADAPTER_KEY}}"}}
operations:
  runs.create: {{unobserved: [status]}}
"""
# Says what it was given, in the way that its first argument names.
ADAPTER = """import base64, json, os, sys, urllib.parse
told = os.environ["ADAPTER_PASSWORD"] + " " + os.environ["ADAPTER_KEY"]
forms = [told, urllib.parse.quote(told), base64.b64encode(told.encode()).decode(), json.dumps(told)]
print("told", *forms, file=sys.stderr, flush=True)
mode = sys.argv[1]
sys.stdin.readline()
if mode == "dies":
    sys.exit(3)
if mode == "greets-wrong":
    print(json.dumps({"protocol": " ".join(forms)}), flush=True)
print(json.dumps({"protocol": "assay-adapter", "version": 1, "capabilities": ["runs.create"], "target": {"name": told}}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if mode == "garbage":
        print("?", *forms, flush=True)
    elif mode == "errors":
        print(json.dumps({"id": asked["id"], "error": " ".join(forms)}), flush=True)
    else:
        print(json.dumps({"id": asked["id"], "outcome": "accepted", "answer": {"run_id": told, "uuid": forms[1], "status": forms[2],
                                                                               "forms": forms}}), flush=True)
"""


class Echo(http.server.BaseHTTPRequestHandler):
    """Answers with all that it was sent, in every form, wherever an answer has a place for it."""
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        path = urllib.parse.urlsplit(self.path).path
        self.server.known |= path.endswith("/login")
        known = [SECRETS[name] for name in PLANTED if self.server.known or name not in CAPTURED]
        sent = " ".join([urllib.parse.unquote(self.path), *self.headers.values(), body[:200], *known])
        forms = [sent, urllib.parse.quote(sent), urllib.parse.quote_plus(sent), html.escape(sent), json.dumps(sent),
                 *(base64.b64encode((" " * shift + sent).encode()).decode() for shift in range(3))]
        if path.startswith("/quiet/"):
            self.give(200, "{}")
            return
        if path.endswith("/openapi.json"):
            self.give(200, self.server.document)
            return
        # Enough for the first look to go on; what follows fails, each in its way.
        value = {"state": forms[len(path) % len(forms)], "execution_id": "e", "run_id": "r", "uuid": "u", "name": sent,
                 "status": forms[(len(path) + 1) % len(forms)], "executions": [], "runs": [], "items": [], "next": None,
                 "forms": forms[len(body) % len(forms)], sent: 1,
                 **({name: SECRETS[name] for name in CAPTURED} if self.server.known else {})}
        status = 500 if path.endswith("/refused") else 201 if self.command == "POST" else 200
        # A refusal of the profile's own setup quotes what it got, without the rest.
        text = sent if status == 500 else json.dumps(value, ensure_ascii=len(path) % 2 == 0)
        self.give(status, text, {"X-Echo": " ".join(value for value in known if value.isascii())})

    def give(self, status, text, headers=None):
        reply = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = answer

    def log_message(self, *_):
        """Nothing."""


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 512

    def handle_error(self, *_):
        """A client that hangs up is not news."""


def forms_of(secret):
    """What gives a secret away: itself, its beginning, and its other forms."""
    raw = secret.encode()
    found = {secret, secret[:11], json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1], html.escape(secret),
             urllib.parse.quote(secret), urllib.parse.quote(secret, safe=""), urllib.parse.quote_plus(secret)}
    for shift in range(3):
        # What of base64 does not depend on what stands around it.
        text = base64.b64encode(b" " * shift + raw).decode()
        found.add(text[(shift * 8 + 5) // 6:len(text) - 4])
    return found


class SecretsTest(unittest.TestCase):
    def setUp(self):
        self.server = Server(("127.0.0.1", 0), Echo)
        # Whether somebody has logged in: before that nobody can know what a login gives.
        self.server.known = False
        self.server.document = "no document"
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        # Apart from what is written: the profile itself has some of them.
        inputs = tempfile.TemporaryDirectory()
        self.addCleanup(inputs.cleanup)
        self.inputs = pathlib.Path(inputs.name)

    def profile(self, text=PROFILE, **values):
        path = self.inputs / f"p{len(list(self.inputs.iterdir()))}.yaml"
        path.write_text(text.format(port=self.port, python=sys.executable, **{"login": "login", **values}))
        return str(path)

    def assay(self, *arguments, codes):
        done = subprocess.run([ASSAY, *arguments], capture_output=True, text=True, env=ENVIRONMENT, cwd=self.folder, timeout=300)
        self.assert_none(f"{arguments[0]}: standard output", done.stdout)
        self.assert_none(f"{arguments[0]}: standard error", done.stderr)
        self.assertIn(done.returncode, codes, done.stdout[-2000:] + done.stderr[-2000:])
        return done

    def assert_none(self, where, text):
        for name, secret in SECRETS.items():
            for form in forms_of(secret):
                at = text.find(form)
                self.assertEqual(at, -1, f"{where} gives {name} away: …{text[max(0, at - 80):at + 40]}…")

    def assert_none_in_files(self):
        files = [path for path in self.folder.rglob("*") if path.is_file()]
        for path in files:
            self.assert_none(str(path.relative_to(self.folder)), path.read_text(errors="replace"))
        return files

    def formats(self):
        listed = subprocess.run([ASSAY, "list", "formats", "--json"], capture_output=True, text=True, check=True).stdout
        return [each["name"] for each in json.loads(listed)]

    def test_a_run_and_all_that_is_made_of_it(self):
        formats = self.formats()
        reports = [word for name in formats for word in ("--report", f"{name}=report.{name}")]
        done = self.assay("run", "status/cancelled-*", "runs/from-*", "runs/retry-of-*", "--profile", self.profile(), "--record",
                          "run.ndjson", "--verbose", "--no-cache", *reports, codes={1})
        self.assertIn("***", done.stdout)
        cases = [json.loads(line) for line in (self.folder / "run.ndjson").read_text().splitlines()]
        failed = [case["id"] for case in cases if case.get("verdict") == "fail"]
        self.assertGreater(len(failed), 5)
        for name in formats:
            self.assay("report", "run.ndjson", "--format", name, "--verbose", codes={1})
        for number, case in enumerate(failed[:2]):
            self.assay("repro", "run.ndjson", case, "-o", f"bundle{number}", codes={0})
        self.assertGreater(len(self.assert_none_in_files()), len(formats) + 5)
        # A record has no address to go back to, and says so.
        self.assertIn("--target", self.assay("replay", "run.ndjson", "--profile", self.profile(), codes={1, 2}).stderr)

    def test_exploring(self):
        reports = [word for name in self.formats() for word in ("--report", f"{name}=report.{name}")]
        self.assay("explore", "--profile", self.profile(), "run-walks", "--cases", "2", "--save", "found", *reports, codes={1, 4})
        self.assay("explore", "--profile", self.profile(), "run-walks", "--cases", "1", "--json", codes={1, 4})
        self.assertTrue(self.assert_none_in_files())

    def test_probing(self):
        self.assertIn("***", self.assay("probe", "--profile", self.profile(), "--control", codes={0, 1}).stdout)
        self.assertIn("***", self.assay("probe", "--profile", self.profile(), "--json", codes={0, 1}).stdout)

    def test_a_setup_that_is_refused(self):
        done = self.assay("run", "--profile", self.profile(login="refused"), "--record", "r.ndjson", "--report", "html=r.html",
                          codes={3})
        self.assertIn("setup failed", done.stderr)
        self.assertIn("***", done.stderr)
        self.assert_none_in_files()

    def test_a_server_that_does_not_start(self):
        done = self.assay("run", "--profile", self.profile(LAUNCHED), codes={3})
        self.assertIn("exited with status 3", done.stderr)
        self.assertIn("***", done.stderr)

    def test_an_adapter_that_tells_what_it_was_given(self):
        script = self.inputs / "adapter.py"
        script.write_text(ADAPTER)
        for mode in ("answers", "errors", "garbage", "greets-wrong", "dies"):
            with self.subTest(mode):
                profile = self.profile(ADAPTED, script=script, mode=mode)
                codes = {3} if mode in ("greets-wrong", "dies") else {0, 1, 3, 4, 6}
                done = self.assay("run", "runs/from-*", "--profile", profile, "--record", f"{mode}.ndjson", "--verbose", "--no-cache",
                                  "--report", f"html={mode}.html", "--report", f"json={mode}.json", codes=codes)
                self.assertIn("***", done.stdout + done.stderr)
                self.assay("probe", "--profile", profile, codes={0, 1, 3})
        self.assert_none_in_files()

    def test_a_document_behind_a_token(self):
        secret = SECRETS["in_url"]
        url = f"http://127.0.0.1:{self.port}/openapi.json?access_token={secret}"
        self.assertIn("127.0.0.1", self.assay("init", "--openapi", url, codes={2}).stderr)
        self.assay("init", "--openapi", f"http://127.0.0.1:1/openapi.json?access_token={secret}", codes={2})
        self.assay("init", "--openapi", f"http://me:{SECRETS['url_user']}@127.0.0.1:{self.port}/openapi.json", codes={2})
        document = {"openapi": "3.0.0", "paths": {"/runs/{run_id}": {"get": {"responses": {"200": {"content": {"application/json": {
            "schema": {"properties": {"run_id": {}, "status": {}}}}}}}}}}}
        self.server.document = json.dumps(document)
        self.assertIn("runs.get", self.assay("init", "--openapi", url, codes={0}).stdout)

    def test_an_address_that_is_refused(self):
        secret = SECRETS["in_url"]
        for url in (f"http://127.0.0.1:8080/?token={secret}", f"127.0.0.1:8080/?token={secret}",
                    f"http://127.0.0.1:99999/{secret}", f"ftp://{SECRETS['url_user']}@host/", f"http://me:{secret}@host/",
                    f"{SECRETS['url_user']}@host", f"http://host/a b{secret}", f"http://127.0.0.1:1/#{secret}"):
            with self.subTest(url):
                self.assay("probe", "--target", url, codes={2})
                profile = self.inputs / "url.yaml"
                profile.write_text(f"name: p\nextends: reference\nbase_url: {json.dumps(url)}\n")
                self.assay("probe", "--profile", str(profile), codes={2})
        self.assay("run", "--target", url, "status/cancelled-on-its-event", codes={2})


if __name__ == "__main__":
    unittest.main(verbosity=2)
