#!/usr/bin/env python3
"""A 64 MiB array from row-major to `[1, 0, 1 p(16)]` and back, compared bit for bit with NumPy's own reordering.

Usage: round_trip.py RELAYOUT      (the command-line tool)
"""
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

ROWS, COLUMNS, BLOCK = 4096, 4096, 16
ROW_MAJOR = f"f32[{ROWS},{COLUMNS}]"
BLOCKED = f"{ROW_MAJOR}[1, 0, 1 p({BLOCK})]"


def convert(tool, source, destination, source_spec, destination_spec):
    command = [tool, "convert", str(source), str(destination), "--from", source_spec, "--to", destination_spec,
               "--repeat", "9"]
    print("$", " ".join(f"'{word}'" if "[" in word else word for word in command), flush=True)
    subprocess.run(command, check=True)


def expect_same_bits(path, expected):
    found = np.load(path)
    same = found.dtype == expected.dtype and found.shape == expected.shape and found.tobytes() == expected.tobytes()
    print(f"{path.name}: {found.dtype} {list(found.shape)},", "equal to NumPy's, bit for bit" if same else "DIFFERENT",
          flush=True)
    return same


def main(tool):
    bits = np.random.default_rng(1).integers(0, 2**32, size=(ROWS, COLUMNS), dtype=np.uint32)
    array = bits.view(np.float32)
    blocked = np.ones((COLUMNS // BLOCK, ROWS, BLOCK), np.float32)
    start = time.perf_counter()
    np.copyto(blocked, array.reshape(ROWS, COLUMNS // BLOCK, BLOCK).transpose(1, 0, 2))
    seconds = time.perf_counter() - start
    print(f"NumPy, reshape and transpose: {2 * array.nbytes / seconds / 1e9:.2f} GB/s", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        np.save(folder / "in.npy", array)
        convert(tool, folder / "in.npy", folder / "blocked.npy", ROW_MAJOR, BLOCKED)
        convert(tool, folder / "blocked.npy", folder / "out.npy", BLOCKED, ROW_MAJOR)
        there = expect_same_bits(folder / "blocked.npy", blocked)
        back = expect_same_bits(folder / "out.npy", array)
    return 0 if there and back else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
