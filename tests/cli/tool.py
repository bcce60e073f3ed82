"""Runs the real executable, named by the environment variable RELAYOUT_TOOL, for the tests beside this file."""
import json
import os
import subprocess

TOOL = os.environ["RELAYOUT_TOOL"]


def run(*arguments, text=None, **options):
    """The finished process."""
    return subprocess.run([TOOL, *arguments], input=text, capture_output=True, text=True, timeout=120, **options)


def run_json(*arguments):
    """The one object that a command answers with `--json`."""
    process = run(*arguments, "--json")
    assert process.returncode == 0, process.stderr
    assert process.stdout.count("\n") == 1, process.stdout
    return json.loads(process.stdout)


def run_batch(command, requests, *arguments):
    """The answers to `requests`; strings are sent as they are."""
    lines = [request if isinstance(request, str) else json.dumps(request) for request in requests]
    process = run(command, "--batch", *arguments, text="".join(line + "\n" for line in lines))
    assert process.returncode == 0, process.stderr
    return [json.loads(line) for line in process.stdout.splitlines()]
