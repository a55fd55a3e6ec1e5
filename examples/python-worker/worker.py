#!/usr/bin/env python3
"""A complete worker for WeevilScout: Python's standard library, `node` for the jobs, plain HTTP with XML bodies.

    python3 worker.py http://127.0.0.1:8080

docs/protocol.md describes the protocol. Jobs are strangers' code and run here WITHOUT a sandbox: see README.md.
"""
import contextlib, ctypes, functools, hashlib, json, os, platform, re, shutil, signal, sys, tempfile, time
import urllib.error, urllib.request
import xml.etree.ElementTree as ET
from subprocess import PIPE, Popen, TimeoutExpired

RUNNER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "job.js")
AGENT = f"python-worker ({platform.python_implementation()} {platform.python_version()})"
NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Linux: a worker that is killed takes its job with it (PR_SET_PDEATHSIG).
END_WITH_PARENT = (lambda: ctypes.CDLL(None).prctl(1, signal.SIGKILL)) if sys.platform == "linux" else None


class Worker:
    def __init__(self, server):
        self.server, self.me, self.held, self.heartbeat_at = server, {}, {}, 0
        self.join()

    def fetch(self, path, body=None):
        request = urllib.request.Request(self.server + path, body, {"Content-Type": "application/xml"})
        return urllib.request.urlopen(request, timeout=60).read()

    def once(self, exchange, children=(), **attributes):
        """One exchange, in this worker's name while it has one."""
        proof = {name: self.me[name] for name in ("worker", "secret") if name in self.me}
        message = ET.Element(exchange, proof, **attributes)
        message.extend(children)
        return ET.fromstring(self.fetch(f"/worker/v1/{exchange}", ET.tostring(message, "utf-8")))

    def patiently(self, ask, *words, **attributes):
        """Waits out a server that is full, busy or away; joins again where it no longer knows this worker."""
        pause = 0.25
        while True:
            try:
                return ask(*words, **attributes)
            except urllib.error.HTTPError as error:
                refusal = error.read().decode()
                if "Retry-After" in error.headers:
                    time.sleep(int(error.headers["Retry-After"]))
                elif 'code="noSuchWorker"' in refusal:
                    self.join()
                else:
                    raise SystemExit(refusal)
            except OSError:
                time.sleep(pause)
                pause = min(2 * pause, 30)

    def join(self):
        self.me = {}
        self.me = self.patiently(self.once, "join", protocol="1", browser_type=AGENT, capabilities="1").attrib

    def heartbeat(self, progress):
        """Keeps all leases, tells how far the first job is if it has said so, drops what nobody wants any more."""
        attempts = [ET.Element("attempt", key) for key in self.held.values()]
        if progress:
            attempts[0].set("progress", progress)
        renewals = self.patiently(self.once, "heartbeat", attempts)
        for attempt in renewals:
            if attempt.get("lease") == "revoked":
                self.held.pop(attempt.get("token"), None)
        self.heartbeat_at = time.monotonic() + int(renewals.get("heartbeat_ms")) / 1000

    @functools.lru_cache(maxsize=100)
    def code(self, name, path):
        """Fetched once: the bytes of a hash never change."""
        code = self.patiently(self.fetch, path)
        if hashlib.sha256(code).hexdigest() != name:
            raise SystemExit(f"the code {name} has another hash: the server cannot be trusted")
        return code.decode()

    def compute(self, job):
        """What becomes of the job, as job.js tells it; nothing where it was revoked meanwhile."""
        about = job.find("job_description").attrib
        task = {**about, "text": self.code(about["code"], about["url"]), "arguments": job.findtext("arguments")}
        seconds = int(about["timeout_ms"]) / 1000
        with tempfile.TemporaryFile() as progress:
            process = Popen(["node", RUNNER, str(progress.fileno())], stdin=PIPE, stdout=PIPE,
                            pass_fds=[progress.fileno()], preexec_fn=END_WITH_PARENT)
            end = time.monotonic() + seconds
            try:
                process.stdin.write(json.dumps(task).encode())
                while job.get("token") in self.held:
                    try:
                        wait = min(end, self.heartbeat_at) - time.monotonic()
                        return json.loads(process.communicate(timeout=wait)[0])
                    except TimeoutExpired:
                        if time.monotonic() >= end:
                            return {"error": "timeout", "message": f"it ran longer than {seconds:g} s"}
                        self.heartbeat(os.pread(progress.fileno(), 5, 0).decode())
            except (ValueError, BrokenPipeError):
                return {"error": "crashed", "message": f"node ended with {process.returncode}"}
            finally:
                process.kill()
                process.communicate()

    def submit(self, key, done):
        result = ET.Element("result", key, compute_us=str(done.get("compute_us", 0)), flops=str(done.get("flops", 0)))
        parent = ET.SubElement(result, "error", kind=done["error"]) if "error" in done else result
        for part in ("value", "message", "stack"):
            if part in done:
                ET.SubElement(parent, part).text = NOT_XML.sub("\ufffd", done[part])
        for verdict in self.patiently(self.once, "submit", [result]):
            print(key["job_id"], verdict.get("verdict"), verdict.text or "", flush=True)

    def work(self):
        batch = "1"
        while True:
            jobs = self.patiently(self.once, "dequeue", max=batch)
            self.held = {job.get("token"): {name: job.get(name) for name in ("job_id", "token")} for job in jobs}
            for job in jobs:
                done = self.compute(job)
                if key := self.held.get(job.get("token")):
                    self.submit(key, done)
                    del self.held[key["token"]]
            if not len(jobs):
                time.sleep(int(jobs.get("dequeue_ms")) / 1000)
            batch = jobs.get("batch")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not shutil.which("node"):
        sys.exit("usage: worker.py http://HOST:PORT   (and `node` must be on PATH)")
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, lambda *_: sys.exit())
    worker = Worker(sys.argv[1].rstrip("/"))
    try:
        worker.work()
    finally:
        with contextlib.suppress(OSError):  # A server that is away takes the jobs back by itself.
            worker.once("leave")
