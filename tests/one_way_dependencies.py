"""Folders of the sources include each other's headers one way only: a cycle of folders fails, with what makes it.

A folder's own files are a node, each of its folders another. Usage: one_way_dependencies.py REPOSITORY
"""

import collections
import graphlib
import pathlib
import re
import sys

ROOTS = ("src", "jit")
INCLUDE = re.compile(r'^#include "((?:src|jit)/[^"]+)"', re.MULTILINE)


def dependencies(repository):
    """Of each folder: those it includes headers of, and in which file first."""
    found = collections.defaultdict(dict)
    for root in ROOTS:
        for path in sorted((repository / root).rglob("*.[ch]pp")):
            file = path.relative_to(repository)
            folder = file.parent.as_posix()
            for header in INCLUDE.findall(path.read_text()):
                other = pathlib.PurePosixPath(header).parent.as_posix()
                if other != folder:
                    found[folder].setdefault(other, f"{file} includes {header}")
    return found


def main():
    found = dependencies(pathlib.Path(sys.argv[1]))
    if len(found) < 10:
        return f"only {len(found)} folders with dependencies: not the repository"
    try:
        order = list(graphlib.TopologicalSorter(found).static_order())
    except graphlib.CycleError as error:
        cycle = error.args[1][::-1]
        steps = [found[a][b] for a, b in zip(cycle, cycle[1:])]
        return "folders depend on each other:\n  " + "\n  ".join(steps)
    print("from the bottom up:", ", ".join(order))
    return 0


sys.exit(main())
