#!/usr/bin/env python3
"""The scripts in perf/ run, find what they should and refuse what is wrong; the figures are only checked for sense."""
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL = os.environ["RELAYOUT_TOOL"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
PERF = ROOT / "perf"
PAIRS = [{"name": "a_square", "src": "f32[64,64]", "dst": "[1, 0]"},
         {"name": "b_ragged", "src": "bf16[20,200]{1,0}", "dst": "{1,0:T(8,128)(2,1)}"},
         {"name": "c_wide", "src": "c128[12,10]", "dst": "[1, 0]"},
         {"name": "d_packed", "src": "s4[64,256]{1,0:E(4)}", "dst": "{0,1:E(4)}"}]
PEER = {"best_peer": "none", "best_peer_over_memcpy": 0.5, "best_library_over_memcpy": None}
VARIANTS = ["naive_w", "naive_r", "blocked16", "blocked32"]


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.list = self.folder / "list.jsonl"
        self.list.write_text("".join(json.dumps({**pair, **PEER}) + "\n" for pair in PAIRS), encoding="utf-8")

    def run_script(self, name, *arguments, code=0):
        process = subprocess.run([sys.executable, PERF / name, TOOL, *arguments], capture_output=True, text=True,
                                 timeout=240, check=False)
        self.assertEqual(process.returncode, code, process.stderr)
        return process.stdout

    def test_run_suite(self):
        answers = [json.loads(line) for line in self.run_script("run_suite", self.list, "--json").splitlines()]
        self.assertEqual([answer["name"] for answer in answers], [pair["name"] for pair in PAIRS])
        self.assertTrue(all(answer["jit_gbps"] > 0 for answer in answers))
        table = self.run_script("run_suite", self.list, "--only", "a_").splitlines()
        self.assertEqual([line.split()[0] for line in table if line],
                         ["name", "a_square", "Geometric", "group", "all"])

    def test_run_random(self):
        options = ["--pairs", "2", "--seed", "7", "--runs", "2", "--below", "1000"]
        last = self.run_script("run_random", *options).splitlines()[-1]
        self.assertRegex(last, r"^2 pairs: lowest \d+\.\d+, median .*\(seed 7\), the slow ones timed 2 times$")

    def test_innermost_runs(self):
        sys.path.insert(0, str(PERF))
        self.addCleanup(sys.path.remove, str(PERF))
        path = str(PERF / "run_random")
        loader = importlib.machinery.SourceFileLoader("run_random", path)
        run_random = importlib.util.module_from_spec(importlib.util.spec_from_loader("run_random", loader))
        loader.exec_module(run_random)
        for extents, tile, run in [([23, 3, 5], "", 23), ([23, 3, 5], "T(8,128)", 23), ([200, 3], "T(8,128)", 128),
                                   ([200, 30], "T(8,128)(2,1)", 2), ([200, 3], "T(4,1)", 3), ([200, 3], "T(8)", 200)]:
            self.assertEqual(run_random.innermost_run(extents, tile), run, (extents, tile))

    @unittest.skipUnless(shutil.which("gcc"), "no gcc")
    def test_compiled_loops_are_right(self):
        peers = self.folder / "loops.so"
        beside = self.folder / "loops.c"
        beside.write_text("somebody's own", encoding="utf-8")
        self.run_script("compiled_loops", self.list, "-o", peers)
        self.assertEqual(beside.read_text(encoding="utf-8"), "somebody's own")
        output = subprocess.run([TOOL, "compare", "--list", self.list, "--peer", peers, "--json"], check=True,
                                capture_output=True, text=True).stdout
        able = {"a_square": VARIANTS, "b_ragged": VARIANTS, "c_wide": VARIANTS, "d_packed": []}
        for pair in json.loads(output)["pairs"]:
            self.assertEqual([peer["name"] for peer in pair["peers"]], ["gcc_" + name for name in VARIANTS])
            self.assertFalse([peer for peer in pair["peers"] if "error" in peer], pair["name"])
            timed = [peer["name"][len("gcc_"):] for peer in pair["peers"] if peer["gbps"]]
            self.assertEqual(timed, able[pair["name"]], pair["name"])
        table = self.run_script("run_suite", self.list, "--peer", peers, "--only", "c_")
        self.assertIn("gcc_", table)

    def test_python_peers_are_right(self):
        answers = [json.loads(line) for line in self.run_script("python_peers", self.list, "--json").splitlines()]
        for answer in answers:
            if answer["name"] == "d_packed":
                self.assertIsNone(answer["numpy"])
            else:
                self.assertGreater(answer["numpy"], 0)
            for library in ["torch", "jax"]:
                self.assertTrue(answer[library] is None or answer[library] > 0, answer)

    def test_check_agreement_tells_apart_what_differs_by_more_than_it_may(self):
        arguments = ["check_agreement", self.list, "--only", "a_", "--rounds", "1", "--within"]
        self.assertIn("0 apart", self.run_script(*arguments, "1000"))
        self.assertIn("  apart\n1 apart", self.run_script(*arguments, "-1", code=1))


if __name__ == "__main__":
    unittest.main()
