#!/usr/bin/env python3
"""Uses WeevilScout as a job queue: puts jobs in, waits for their results, adds them up. Python's standard library.

    WEEVIL_TOKEN=$(weevil token local) python3 primes.py http://127.0.0.1:8080

Run it twice, or again after it was interrupted: jobs that are there are not put in again, results that are there are
only read.
"""
import hashlib, json, os, sys, time, urllib.error, urllib.request
from pathlib import Path

CODE = Path(__file__).with_name("count.js").read_text()
VERSION = hashlib.sha256(CODE.encode()).hexdigest()[:8]
END, STEP = 2_000_000, 250_000
HEADERS = {"Content-Type": "application/json", "Authorization": f"Bearer {os.environ.get('WEEVIL_TOKEN', '')}"}


def ask(server, path, body=None):
    """Waits out a server that is busy or away. Asking twice is safe, since each job has a key."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{server}/api/v1{path}", data, HEADERS)
    while True:
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            words = refused.read().decode()
            if "Retry-After" not in refused.headers:
                sys.exit(words)
            print(words, file=sys.stderr)
            time.sleep(int(refused.headers["Retry-After"]))
        except OSError as error:
            print(f"{error}; trying again", file=sys.stderr)
            time.sleep(1)


def job(first):
    """The key is made from all that makes the job: its code and its input."""
    return {"queue": "primes", "key": f"{VERSION}/{first}", "source": CODE, "name": "count.js",
            "input": [first, first + STEP], "returns": "Number"}


def result(server, job):
    while True:
        found = ask(server, f"/jobs/{job}/result?waitMs=30000")
        if found["state"] == "FINISHED":
            return found["result"]
        if found["state"] in ("FAILED", "CANCELLED"):
            sys.exit(json.dumps(found, indent=2))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: primes.py http://HOST:PORT")
    server = sys.argv[1].rstrip("/")
    jobs = ask(server, "/jobs", [job(first) for first in range(0, END, STEP)])
    print(f"{len(jobs)} jobs, {sum(job['created'] for job in jobs)} of them new", flush=True)
    print(f"{sum(result(server, job['job']) for job in jobs)} primes below {END}")
