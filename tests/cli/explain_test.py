#!/usr/bin/env python3
"""relayout explain: decisions, predictions and rejected plans of pairs that are slow, code beside the plan."""
import json
import os
import re
import tempfile
import unittest
import urllib.parse
import xml.etree.ElementTree as ElementTree

from tool import run, run_json

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
BOUNDS = ["load", "shuffle", "store", "memory"]


def slow_pairs():
    with open(os.path.join(TESTS, "data", "slow_pairs.jsonl"), encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def generates_code():
    return run_json("--version")["default_isa"] != "portable"


@unittest.skipUnless(generates_code(), "nothing is generated here")
class SlowPairs(unittest.TestCase):
    """What perf/check_predictions compares with measurements: there, in order, the same every time."""

    def test_candidates_are_listed_by_rising_prediction(self):
        for pair in slow_pairs():
            answer = run_json("explain", pair["src"], pair["dst"])
            rejected = [plan["predicted"]["cycles_per_element"] for plan in answer["rejected"]]
            self.assertGreaterEqual(len(rejected), 4, pair)
            self.assertEqual(rejected, sorted(rejected), pair)
            choices = [plan["choice"] for plan in answer["rejected"]]
            self.assertEqual(len(set(choices)), len(choices), pair)
            for choice in ("kernel=scalar", "kernel=copy"):
                self.assertIn(choice, choices, pair)
            ordered = answer["kernels"][0]["decisions"]["loops"]["choice"] != "one"
            others = [choice for choice in choices if choice.startswith("loops=")]
            self.assertEqual(bool(others), ordered, pair)

    def test_answers_do_not_change(self):
        for pair in slow_pairs():
            self.assertEqual(run_json("explain", pair["src"], pair["dst"]), run_json("explain", pair["src"], pair["dst"]))

    def test_predictions_count_what_is_moved(self):
        for pair in slow_pairs():
            answer = run_json("explain", pair["src"], pair["dst"])
            dims = [int(dim) for dim in re.search(r"\[([\d,]+)\]", pair["src"]).group(1).split(",")]
            moved = 2 * {"f32": 4, "u8": 1}[pair["src"].split("[")[0]]
            for dim in dims:
                moved *= dim
            self.assertEqual(answer["bound"], answer["predicted"]["bound"])
            for plan in [answer] + answer["rejected"]:
                predicted = plan["predicted"]
                self.assertIn(predicted["bound"], BOUNDS)
                self.assertEqual(predicted[predicted["bound"] + "_cycles"],
                                 max(predicted[bound + "_cycles"] for bound in BOUNDS))
                self.assertGreaterEqual(predicted["bytes"], moved)
                self.assertLess(predicted["bytes"], 1.6 * moved)
                self.assertGreaterEqual(predicted["lines"], moved // 64)
                self.assertGreater(predicted["instructions_per_element"], 0)

    def test_single_elements_are_predicted_to_be_slowest(self):
        for pair in slow_pairs():
            answer = run_json("explain", pair["src"], pair["dst"])
            kernels = [plan["choice"] for plan in answer["rejected"] if plan["choice"].startswith("kernel=")]
            self.assertEqual(set(kernels[-2:]), {"kernel=scalar", "kernel=copy"}, pair)


@unittest.skipUnless(generates_code(), "nothing is generated here")
class Explain(unittest.TestCase):
    def test_decisions_have_reasons(self):
        kernels = run_json("explain", "f32[64,64]", "[1, 0]")["kernels"]
        self.assertEqual([kernel["name"] for kernel in kernels], ["permute"])
        self.assertEqual(list(kernels[0]["decisions"]), ["kernel", "vectors", "loops", "stores", "prefetch", "masks"])
        for decision in kernels[0]["decisions"].values():
            self.assertTrue(decision["choice"] and decision["reason"])
        self.assertGreaterEqual(len(kernels[0]["steps"]), 2, "vectors may be loaded in halves")

    def test_measuring_puts_times_beside_predictions(self):
        answer = run_json("explain", "f32[64,64]", "[1, 0]", "--measure")
        for plan in [answer] + answer["rejected"]:
            self.assertGreater(plan["measured"]["us"], 0)
            self.assertGreater(plan["measured"]["cycles_per_element"], 0)
            self.assertLess(plan["measured"]["gigahertz"], 8, "no processor's clock: additions that take no time")
        self.assertNotIn("measured", run_json("explain", "f32[64,64]", "[1, 0]"))
        self.assertIn("measured", run("explain", "f32[64,64]", "[1, 0]", "--measure").stdout)

    def test_code_stands_beside_the_lines_of_the_plan(self):
        text = run("explain", "f32[64,64]", "[1, 0]").stdout
        code = text[text.index("6. Code"):]
        self.assertRegex(code, r"\n; +for 4: source \+\d+, destination \+\d+\n")
        self.assertRegex(code, r"\n; +vpunpckl/hdq on slot \d\n +[0-9a-f]+  vpunpck[lh]dq ")
        self.assertNotIn("(bad)", code)
        offsets = [int(offset, 16) for offset in re.findall(r"^ +([0-9a-f]+)  \w", code, re.MULTILINE)]
        self.assertEqual(offsets, sorted(offsets))
        self.assertTrue(text.rstrip().endswith("ret"))

    def test_a_choice_is_compiled(self):
        plain = run_json("explain", "f32[64,64]", "[1, 0]")
        for plan in plain["rejected"]:
            chosen = run_json("explain", "f32[64,64]", "[1, 0]", "--choice", plan["choice"])
            self.assertEqual(chosen["choice"], plan["choice"])
            self.assertEqual(chosen["predicted"], plan["predicted"])
            self.assertIn("\nchoice: " + plan["choice"] + "\n", chosen["explanation"])
            self.assertNotIn(plan["choice"], [other["choice"] for other in chosen["rejected"]])

    def test_strict_says_why_not(self):
        self.assertEqual(run("explain", "f32[64,64]", "[1, 0]", "--strict").returncode, 0)
        for command in ("explain", "verify", "compare"):
            for options in (["--kernel", "gather"], ["--isa", "portable"]):
                process = run(command, "f32[64,64]", "[1, 0]", "--strict", *options)
                self.assertEqual((process.returncode, process.stdout), (2, ""), process)
                self.assertIn("strict: ", process.stderr)

    def test_tuned_pairs_are_proved(self):
        self.assertIn("proved", run("verify", "f32[64,100]", "[1, 0]", "--tune").stdout)

    def page(self, *arguments):
        """The root of the page's tree, and its text. ElementTree refuses what is not well-formed."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            self.assertEqual(run("explain", *arguments, "--html", path).stdout, f"wrote {path}\n")
            with open(path, encoding="utf-8") as file:
                text = file.read()
        return ElementTree.fromstring(text), text

    def test_pages_are_whole_and_need_nothing_else(self):
        for arguments in (["f32[64,64]", "[1, 0]"], ["u8[3,64,64]", "[1, 2, 0]"], ["f32[60,100]", "[1, 0, 1 p(4)]"],
                          ["f32[8,8]", "[1, 0]", "--isa", "portable"], ["u8[256,256]", "[1, 0]", "--measure"]):
            root, text = self.page(*arguments)
            self.assertTrue(text.startswith("<!DOCTYPE html>\n"))
            self.assertEqual(list(root.iter(HTML + "script")), [])
            links = [element.get(name) for element in root.iter() for name in ("src", "href") if element.get(name)]
            self.assertGreaterEqual(len(links), 3)
            for link in links:
                self.assertTrue(link.startswith("data:"), link)
            self.assertNotIn("url(", text)
            self.assertNotIn("@import", text)

    def test_pages_draw_both_layouts(self):
        root, _ = self.page("f32[12,20]", "[1, 0]")
        pictures = [picture.get("src") for picture in root.iter(HTML + "img")]
        self.assertEqual(len(pictures), 2)
        for picture in pictures:
            svg = ElementTree.fromstring(urllib.parse.unquote(picture.split(",", 1)[1]))
            self.assertEqual(len([cell for cell in svg.iter(SVG + "rect") if cell.get("class") == "element"]), 240)

    def test_pages_draw_a_wire_for_every_element_and_step(self):
        root, _ = self.page("f32[16,16]", "[1, 0]", "--isa", "avx2")
        answer = run_json("explain", "f32[16,16]", "[1, 0]", "--isa", "avx2")
        wires = [wire.get("d") for wire in root.iter(SVG + "path") if wire.get("class") == "wire"]
        steps = len(answer["kernels"][0]["steps"])
        self.assertEqual(sum(wire.count("M") for wire in wires) % steps, 0)
        self.assertGreaterEqual(sum(wire.count("M") for wire in wires), 64 * steps)

    def test_pages_have_the_code_and_the_reasons(self):
        _, text = self.page("f32[64,64]", "[1, 0]")
        answer = run_json("explain", "f32[64,64]", "[1, 0]")
        self.assertIn("vzeroupper", text)
        for plan in answer["rejected"]:
            self.assertIn(plan["choice"], text)
            self.assertIn(plan["reason"], text)

    def test_pages_that_cannot_be_written_are_told(self):
        process = run("explain", "f32[2]", "[0]", "--html", "/nonexistent/page.html")
        self.assertEqual(process.returncode, 2)
        self.assertIn("/nonexistent/page.html: No such file", process.stderr)
        self.assertEqual(process.stdout, run("explain", "f32[2]", "[0]").stdout)

    def test_bad_choices_are_refused(self):
        process = run("explain", "f32[64,64]", "[1, 0]", "--choice", "loops=sideways")
        self.assertEqual((process.returncode, process.stdout), (2, ""))
        self.assertIn("loops=sideways", process.stderr)


if __name__ == "__main__":
    unittest.main()
