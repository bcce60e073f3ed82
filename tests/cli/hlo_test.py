#!/usr/bin/env python3
"""What `relayout hlo` finds in the modules that ship with the project, and how it refuses."""
import json
import os
import pathlib
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from tool import run, run_json

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TWO_MODULES = os.path.join(ROOT, "tests", "data", "hlo", "two_modules.hlo")
ATTENTION = os.path.join(ROOT, "examples", "attention.hlo")
HTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
KEYS = ["module", "computation", "name", "opcode", "src", "dst", "bytes", "free", "kernel", "verified"]


def refusal(text):
    """Standard error for a file of this text."""
    with tempfile.NamedTemporaryFile("w", suffix=".hlo") as file:
        file.write(text)
        file.flush()
        process = run("hlo", file.name)
    assert process.returncode == 2 and process.stdout == "", process
    return process.stderr


class Hlo(unittest.TestCase):
    def test_keys_and_modules(self):
        answer = run_json("hlo", TWO_MODULES)
        self.assertEqual(list(answer), ["module", "instructions"])
        self.assertEqual(answer["module"], "first")
        for instruction in answer["instructions"]:
            self.assertEqual(list(instruction), KEYS)
            self.assertIsNone(instruction["verified"])
        found = [(one["module"], one["computation"], one["name"], one["opcode"]) for one in answer["instructions"]]
        self.assertEqual(found, [
            (None, "widen", "narrow", "parameter"), (None, "widen", "wide", "copy"), (None, "widen", "wide", "result"),
            ("first", "main", "p", "parameter"), ("first", "main", "t", "transpose"), ("first", "main", "t", "result"),
            ("second", "main", "p", "parameter"), ("second", "main", "b", "bitcast"), ("second", "main", "b", "result"),
        ])

    def test_bytes_and_what_is_free(self):
        found = run_json("hlo", TWO_MODULES)["instructions"]
        dense, tiled, turned = 40 * 200, 40 * 256, 200 * 128
        self.assertEqual([one["bytes"] for one in found],
                         [192, 192, 192, dense + tiled, tiled + turned, turned + dense, 4096, 4096, 4096])
        self.assertEqual([one["free"] for one in found],
                         [True, False, False, False, False, False, True, True, True])
        for one in found:
            self.assertEqual(one["kernel"] is None, one["free"], one)

    def test_pages_have_every_instruction_and_its_share(self):
        for options in ([], ["--bench", "--verify"]):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "page.html")
                answer = run_json("hlo", ATTENTION, "--html", path, *options)
                with open(path, encoding="utf-8") as file:
                    text = file.read()
            self.assertEqual(answer["html"], path)
            root = ElementTree.fromstring(text)
            rows = list(root.iter(HTML + "tr"))
            self.assertEqual(len(rows), 1 + len(answer["instructions"]))
            bars = [bar for bar in root.iter(SVG + "rect") if bar.get("class") == "bar"]
            self.assertEqual(len(bars), sum(not one["free"] for one in answer["instructions"]))
            shares = [float(share.text[:-2]) for share in root.iter(SVG + "text") if share.text.endswith(" %")]
            self.assertAlmostEqual(sum(shares), 100, delta=1)
            self.assertEqual(shares, sorted(shares, reverse=True))

    def test_a_page_that_cannot_be_written_does_not_take_the_answer_with_it(self):
        process = run("hlo", TWO_MODULES, "--html", "/nonexistent/page.html", "--json")
        self.assertEqual(process.returncode, 2)
        self.assertIn("/nonexistent/page.html: No such file", process.stderr)
        self.assertEqual(json.loads(process.stdout), run_json("hlo", TWO_MODULES))

    def test_a_page_never_replaces_the_module(self):
        with tempfile.NamedTemporaryFile("w+", suffix=".hlo") as file:
            file.write("f { ROOT p = f32[2] parameter(0) }")
            file.flush()
            process = run("hlo", file.name, "--html", file.name)
            self.assertEqual((process.returncode, process.stdout), (2, ""))
            self.assertIn("is the input file", process.stderr)
            self.assertEqual(pathlib.Path(file.name).read_text(), "f { ROOT p = f32[2] parameter(0) }")

    def test_verify_proves_each(self):
        found = run_json("hlo", TWO_MODULES, "--verify")["instructions"]
        self.assertTrue(all(one["verified"] is True for one in found), found)

    def test_bench_times_what_moves_and_sums_it_up(self):
        answer = run_json("hlo", TWO_MODULES, "--bench")
        for one in answer["instructions"]:
            self.assertEqual("gbps" in one, not one["free"])
        self.assertEqual([one["module"] for one in answer["sums"]], [None, "first", "second"])
        moved = [one["bytes"] for one in answer["instructions"] if one["module"] == "first"]
        self.assertEqual(answer["sums"][1]["bytes"], sum(moved))
        self.assertIsNone(answer["sums"][2]["gbps"])

    def test_bench_gives_each_its_share_of_its_module(self):
        answer = run_json("hlo", TWO_MODULES, "--bench")
        sums = {one["module"]: one["us"] for one in answer["sums"]}
        shares = {}
        for one in answer["instructions"]:
            self.assertEqual("share" in one, not one["free"])
            if not one["free"]:
                self.assertAlmostEqual(one["share"], one["us"] / sums[one["module"]], delta=1e-3)
                shares[one["module"]] = shares.get(one["module"], 0) + one["share"]
        self.assertEqual(list(shares), [None, "first"])
        for total in shares.values():
            self.assertAlmostEqual(total, 1, delta=1e-3)
        heading = run("hlo", TWO_MODULES, "--bench").stdout.splitlines()[0].split()
        self.assertEqual(heading[-5:], ["GB/s", "us", "memcpy", "us", "share"])

    def test_the_example(self):
        found = {one["name"] + "/" + one["opcode"]: one for one in run_json("hlo", ATTENTION)["instructions"]}
        self.assertFalse(any("note" in one for one in found.values()), found)
        self.assertFalse(found["prefetch/copy-start"]["free"])
        self.assertTrue(found["weights_transposed/transpose"]["free"])
        self.assertTrue(found["mixed_positions/transpose"]["free"])
        self.assertTrue(found["peak/bitcast"]["free"])
        scores = found["scores_softmax/copy"]
        self.assertEqual(scores["src"], "f32[2,16,512,512]{3,2,1,0:T(8,128)}")
        self.assertEqual(scores["dst"], "f32[2,16,512,512]{2,3,1,0:T(8,128)}")
        self.assertEqual(scores["bytes"], 2 * 2 * 16 * 512 * 512 * 4)
        self.assertFalse(scores["free"])

    def test_the_table_names_every_instruction(self):
        process = run("hlo", TWO_MODULES)
        self.assertEqual(process.returncode, 0, process.stderr)
        lines = process.stdout.splitlines()
        self.assertEqual(lines[0].split(),
                         ["computation", "instruction", "opcode", "source", "destination", "bytes", "free", "kernel"])
        self.assertIn("s8[200,40]{1,0:T(8,128)(4,1)}", lines[5])
        self.assertIn("9 instructions, 4 of them free", lines[-1])

    def test_what_moves_no_array_is_listed_with_a_note(self):
        with tempfile.NamedTemporaryFile("w", suffix=".hlo") as file:
            file.write("f { t = token[] parameter(0)\n ROOT c = token[] copy(t) }")
            file.flush()
            found = run_json("hlo", file.name, "--verify")["instructions"]
        self.assertEqual(len(found), 3)
        for one in found:
            self.assertIsNone(one["kernel"])
            self.assertIsNone(one["verified"])
            self.assertIn("not an array", one["note"])

    def test_refusals_name_file_and_line(self):
        self.assertIn("line 3: expected", refusal("f {\n a = f32[2] add(\n}"))
        self.assertIn("line 1: expected a name", refusal("\x7fELF"))
        process = run("hlo", "/nonexistent/file")
        self.assertEqual(process.returncode, 2)
        self.assertIn("/nonexistent/file", process.stderr)
        process = run("hlo", ROOT)
        self.assertEqual(process.returncode, 2)
        self.assertIn(ROOT + ": cannot read: Is a directory", process.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
