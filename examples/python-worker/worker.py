#!/usr/bin/env python3
"""A complete worker for WeevilScout: Python's standard library, `node` for the jobs, plain HTTP with XML bodies.

    python3 worker.py http://127.0.0.1:8080

The protocol is described in docs/protocol.md. Jobs are strangers' code and run here WITHOUT a sandbox: see README.md.
"""
import ctypes, hashlib, json, os, platform, re, shutil, signal, subprocess, sys, threading, time
import urllib.error, urllib.request
import xml.etree.ElementTree as ET

RUNNER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "job.js")
NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def end_with_parent():
    """Linux: a worker that is killed takes its job with it (PR_SET_PDEATHSIG)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Refused(Exception):
    """The server's <refused>: `code` says why, the text says it in words."""

    def __init__(self, error):
        refused = ET.fromstring(error.read())
        super().__init__(refused.text)
        self.code, self.pause = refused.get("code"), int(error.headers.get("Retry-After", 0))


class Worker:
    def __init__(self, server):
        self.server, self.codes, self.joining = server, {}, threading.Lock()
        self.key, self.process, self.revoked = None, None, False
        self.me = None
        self.join(None)

    def once(self, message):
        url, body = f"{self.server}/worker/v1/{message.tag}", ET.tostring(message, "utf-8")
        request = urllib.request.Request(url, body, {"Content-Type": "application/xml"})
        return ET.fromstring(urllib.request.urlopen(request, timeout=60).read())

    def post(self, message):
        """One exchange. Waits out a server that is full, busy or away."""
        pause = 0.25
        while True:
            try:
                return self.once(message)
            except urllib.error.HTTPError as error:
                refused = Refused(error)
                if not refused.pause:
                    raise refused
                time.sleep(refused.pause)
            except OSError:
                time.sleep(pause)
                pause = min(2 * pause, 30)

    def join(self, former):
        """Joins, unless another thread has done so since `former` was refused."""
        with self.joining:
            if self.me is former:
                name = f"python-worker ({platform.python_implementation()} {platform.python_version()})"
                hello = {"protocol": "1", "browser_type": name, "capabilities": "1", "slots": "1", "values": "json"}
                self.me = self.post(ET.Element("join", hello)).attrib

    def message(self, exchange, children=(), **attributes):
        message = ET.Element(exchange, worker=self.me["worker"], secret=self.me["secret"], **attributes)
        message.extend(children)
        return message

    def say(self, *message, **attributes):
        """An exchange in this worker's name; joins again where the server no longer knows it."""
        while True:
            me = self.me
            try:
                return self.post(self.message(*message, **attributes))
            except Refused as refused:
                if refused.code != "noSuchWorker":
                    raise
                self.join(me)

    def heartbeats(self):
        """In a thread of its own: keeps the lease, and stops a job that nobody wants any more."""
        while True:
            time.sleep(int(self.me["heartbeat_ms"]) / 1000)
            key = self.key
            held = [ET.Element("attempt", key)] if key else []
            renewals = self.say("heartbeat", held)
            self.me["heartbeat_ms"] = renewals.get("heartbeat_ms")
            for attempt in renewals:
                if attempt.get("lease") == "revoked" and key and attempt.get("token") == key["token"]:
                    self.revoked = True
                    self.process.kill()

    def code(self, description):
        """Fetched once: the bytes of a hash never change."""
        name = description.get("code")
        if name not in self.codes:
            code = urllib.request.urlopen(self.server + description.get("url"), timeout=60).read()
            if hashlib.sha256(code).hexdigest() != name:
                raise SystemExit(f"the code {name} has another hash: the server cannot be trusted")
            self.codes[name] = code.decode()
        return self.codes[name]

    def compute(self, job):
        """What becomes of the job, as job.js tells it."""
        description = job.find("job_description")
        task = {"text": self.code(description), "src": description.get("src"), "seed": description.get("seed"),
                "arguments": job.findtext("arguments")}
        self.process = subprocess.Popen(["node", RUNNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        preexec_fn=end_with_parent)
        self.key, self.revoked = {"job_id": job.get("job_id"), "token": job.get("token")}, False
        try:
            seconds = int(description.get("timeout_ms")) / 1000
            return json.loads(self.process.communicate(json.dumps(task).encode(), timeout=seconds)[0])
        except subprocess.TimeoutExpired:
            return {"error": "timeout", "message": f"it ran longer than {seconds:g} s", "stack": ""}
        except ValueError:
            return {"error": "crashed", "message": f"node ended with {self.process.returncode}", "stack": ""}
        finally:
            self.process.kill()
            self.process.communicate()

    def report(self, done):
        measured = {name: str(done[name]) for name in ("compute_us", "flops") if name in done}
        result = ET.Element("result", **self.key, **measured)
        if "error" in done:
            error = ET.SubElement(result, "error", kind=done["error"])
            for part in ("message", "stack"):
                ET.SubElement(error, part).text = NOT_XML.sub("\ufffd", done[part])
        else:
            ET.SubElement(result, "value").text = done["value"]
        return result

    def work(self):
        threading.Thread(target=self.heartbeats, daemon=True).start()
        while True:
            jobs = self.say("dequeue", max="1")
            for job in jobs:
                done = self.compute(job)
                if not self.revoked:
                    for verdict in self.say("submit", [self.report(done)]):
                        print(job.get("job_id"), verdict.get("verdict"), verdict.text or "", flush=True)
                self.key = None
            if not len(jobs):
                time.sleep(int(jobs.get("dequeue_ms")) / 1000)


if __name__ == "__main__":
    if len(sys.argv) != 2 or not shutil.which("node"):
        sys.exit("usage: worker.py http://HOST:PORT   (and `node` must be on PATH)")
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, lambda *_: sys.exit())
    worker = Worker(sys.argv[1].rstrip("/"))
    try:
        worker.work()
    finally:
        try:
            worker.once(worker.message("leave"))
        except OSError:
            pass  # The server is away, and takes the job back by itself.
