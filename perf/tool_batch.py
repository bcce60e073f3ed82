"""Answers of `relayout compare --batch` to many pairs, for the scripts beside this file."""
import json
import math
import subprocess


def add_tool_arguments(parser):
    parser.add_argument("tool", help="the relayout executable")
    parser.add_argument("--isa", help="instruction set level to force")


def read_pairs(path, only=""):
    """The pairs of a list whose name contains `only`."""
    with open(path, encoding="utf-8") as lines:
        pairs = [json.loads(line) for line in lines if line.strip()]
    return [pair for pair in pairs if only in pair["name"]]


def compared(arguments, pairs, *options):
    """Yields (pair, answer) as the tool answers; further options are the tool's."""
    command = [arguments.tool, "compare", "--batch", *options] + (["--isa", arguments.isa] if arguments.isa else [])
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as tool:
        for pair in pairs:
            tool.stdin.write(json.dumps({"src": pair["src"], "dst": pair["dst"]}) + "\n")
            tool.stdin.flush()
            yield pair, json.loads(tool.stdout.readline())
        tool.stdin.close()


def ratio(numerator, denominator):
    return numerator / denominator if numerator and denominator else None


def shown(value):
    return "-" if value is None else f"{value:.2f}"


def geometric_mean(values):
    values = [value for value in values if value]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None
