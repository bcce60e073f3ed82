#!/usr/bin/env python3
"""What every command answers and how it refuses: keys, exit codes, messages, batches."""
import json
import math
import os
import pty
import signal
import subprocess
import unittest

from tool import TOOL, run, run_batch, run_json

# Morello's book, the picture of the packed 6x8 matrix: [1, 0, 1 p(4)].
PACKED_6X8 = [24 * (column // 4) + 4 * row + column % 4 for row in range(6) for column in range(8)]

PACKED_GRID = """\
 0  1  2  3 24 25 26 27
 4  5  6  7 28 29 30 31
 8  9 10 11 32 33 34 35
12 13 14 15 36 37 38 39
16 17 18 19 40 41 42 43
20 21 22 23 44 45 46 47
"""

COMMANDS = ["offsets", "describe", "simplify", "explain", "verify", "compare", "convert", "hlo", "parse"]
# Those that answer a bad line by `error` alone; parse has `ok` beside it.
BATCH_COMMANDS = [command for command in COMMANDS if command not in ("explain", "hlo", "parse")]

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TRANSPOSER_CASES = os.path.join(TESTS, "data", "xla_transpose.jsonl")
TRANSPOSER_KEYS = ["elem_size_bytes", "dims", "permutation", "input_tiling", "output_tiling", "input_striding_bytes",
                   "dest_bits_per_element"]


class Tool(unittest.TestCase):
    def refused(self, *arguments, names=()):
        """Exit code 2, nothing on standard output, one line that names the bad part."""
        process = run(*arguments)
        self.assertEqual(process.returncode, 2, process)
        self.assertEqual(process.stdout, "", process)
        self.assertTrue(process.stderr.startswith("relayout: "), process.stderr)
        self.assertEqual(process.stderr.count("\n"), 1, process.stderr)
        for name in names:
            self.assertIn(name, process.stderr)

    def test_alone_it_prints_help(self):
        process = run()
        self.assertEqual(process.returncode, 2)
        for command in COMMANDS:
            self.assertIn(command, process.stdout)

    def test_every_command_has_help_with_examples(self):
        for command in COMMANDS:
            process = run(command, "--help")
            self.assertEqual(process.returncode, 0, command)
            self.assertIn("Examples:", process.stdout)
            self.assertIn("relayout " + command, process.stdout)
            self.assertIn("--json", process.stdout)

    def test_version(self):
        self.assertRegex(run("--version").stdout, r"^relayout \d+\.\d+\.\d+\n$")
        report = run_json("--version")
        self.assertEqual(report["isas"][0], "portable")
        for key in ["version", "default_isa", "processor", "cost_model", "level1_data_bytes", "level2_bytes",
                    "level3_bytes", "line_bytes", "page_bytes", "streaming_threshold_bytes"]:
            self.assertIn(key, report)

    def test_no_more_than_a_share_of_a_last_cache_is_counted_on_unless_somebody_knows_better(self):
        detected = run_json("--version")
        share = min(detected["level3_bytes"] // 4 * 3, 64 << 20)
        self.assertEqual(detected["streaming_threshold_bytes"], share)
        environment = {**os.environ, "RELAYOUT_CACHE_BYTES": "32768,1048576,1073741824"}
        told = json.loads(run("--version", "--json", env=environment).stdout)
        self.assertEqual(told["streaming_threshold_bytes"], 768 << 20)

    def test_bad_command_lines_are_refused(self):
        self.refused("nonsense", names=["nonsense"])
        self.refused("offsets", names=["SPEC"])
        self.refused("offsets", "f32[2]", "--wrong", names=["--wrong"])
        self.refused("offsets", "f32[2]", "extra", names=["extra"])
        self.refused("verify", "f32[2]", names=["DST"])
        self.refused("convert", "in", "out", "--from", "f32[2]", names=["--to"])

    def test_bad_layouts_are_refused(self):
        self.refused("offsets", "f33[2]", names=["f33"])
        self.refused("describe", "f32[2")
        self.refused("describe", "")
        self.refused("verify", "f32[6,8]", "[1, 0, 7 p(4)]", names=["destination"])
        self.refused("verify", "f32[6,", "[1, 0]", names=["source"])
        self.refused("explain", "f32[6,8]", "f32[8,6]")
        self.refused("verify", "f32[6,8]", "[1, 0]", "--isa", "sse9", names=["isa", "sse9"])
        self.refused("verify", "f32[6,8]", "[1, 0]", "--kernel", "magic", names=["kernel", "magic"])

    def test_errors_have_no_colour_without_a_terminal(self):
        self.assertNotIn("\x1b", run("offsets", "zz").stderr)

    def on_terminal(self, **environment):
        """What an error looks like where standard error is a terminal."""
        ours, theirs = pty.openpty()
        clean = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
        process = subprocess.run([TOOL, "offsets", "zz"], stderr=theirs, env={**clean, "TERM": "xterm", **environment})
        os.close(theirs)
        with open(ours, "rb") as terminal:
            text = terminal.read1(4096)
        self.assertEqual(process.returncode, 2)
        return text

    def test_errors_have_colour_on_a_terminal_unless_told_otherwise(self):
        self.assertIn(b"\x1b[", self.on_terminal())
        self.assertNotIn(b"\x1b[", self.on_terminal(NO_COLOR="1"))
        self.assertNotIn(b"\x1b[", self.on_terminal(TERM="dumb"))

    def test_a_closed_pipe_ends_it_quietly(self):
        process = subprocess.Popen([TOOL, "offsets", "u8[512,512]"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.close()
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()
        self.assertEqual(process.wait(timeout=60), -signal.SIGPIPE)


class Offsets(unittest.TestCase):
    def test_grid_is_morellos_picture(self):
        self.assertEqual(run("offsets", "f32[6,8][1, 0, 1 p(4)]").stdout, PACKED_GRID)

    def test_more_dimensions_are_grids_under_headings(self):
        self.assertEqual(run("offsets", "u8[2,1,2]").stdout, "[0, :, :]\n0 1\n\n[1, :, :]\n2 3\n")

    def test_fewer_dimensions_are_one_row(self):
        self.assertEqual(run("offsets", "u8[3]").stdout, "0 1 2\n")
        self.assertEqual(run("offsets", "u8[]").stdout, "0\n")

    def test_json(self):
        self.assertEqual(run_json("offsets", "f32[6,8][1, 0, 1 p(4)]"),
                         {"spec": "f32[6,8][1, 0, 1 p(4)]", "shape": [6, 8], "physical_elements": 48, "bytes": 192,
                          "offsets": PACKED_6X8})

    def test_json_keys_are_in_their_order(self):
        self.assertEqual(list(run_json("offsets", "f32[2]")),
                         ["spec", "shape", "physical_elements", "bytes", "offsets"])

    def test_no_element_has_no_offset(self):
        self.assertEqual(run_json("offsets", "f32[0,3]")["offsets"], [])

    def test_an_endless_list_is_refused(self):
        process = run("offsets", "u8[100000,100000]")
        self.assertEqual(process.returncode, 2)
        self.assertIn("10000000000 elements: at most 4194304 offsets", process.stderr)
        self.assertEqual(run("offsets", "u8[2049,2048]").returncode, 2)


class Describe(unittest.TestCase):
    def test_row_major(self):
        answer = run_json("describe", "f32[6,8]")
        self.assertEqual(list(answer), ["spec", "canonical", "shape", "physical_shape", "row_major", "column_major",
                                        "strides", "contiguous_elements", "cache_lines", "bytes", "raw_expression",
                                        "simplified_expression", "notations"])
        self.assertEqual(answer["shape"], [6, 8])
        self.assertEqual(answer["physical_shape"], [6, 8])
        self.assertEqual((answer["row_major"], answer["column_major"]), (True, False))
        self.assertEqual(answer["strides"], [8, 1])
        self.assertEqual(answer["cache_lines"], 3)
        self.assertEqual(answer["bytes"], 192)

    def test_packed(self):
        answer = run_json("describe", "f32[6,8][1, 0, 1 p(4)]")
        self.assertEqual(answer["physical_shape"], [2, 6, 4])
        self.assertIsNone(answer["strides"])
        for row in range(6):
            for column in range(8):
                offset = eval(answer["simplified_expression"], {"d0": row, "d1": column})
                self.assertEqual(offset, PACKED_6X8[8 * row + column])

    def test_canonical_text_describes_the_same_layout(self):
        canonical = run_json("describe", "f32[ 6, 8 ][1,0,1 p( 4 )]")["canonical"]
        self.assertEqual(run_json("offsets", canonical)["offsets"], PACKED_6X8)

    def test_a_layout_is_said_in_every_notation_that_can(self):
        answer = run_json("describe", "bf16 (64,(16,6)):(16,(1,1024))")
        self.assertEqual(answer["notations"], {"morello": "bf16[64,96][1, 0, 1 p(16)]",
                                               "xla": "bf16[64,96]{0,1:T(16,1)}",
                                               "cute": "(64,(16,6)):(16,(1,1024))"})
        answer = run_json("describe", "f32 (8,12):(16,1)")
        for notation in ["morello", "xla"]:
            self.assertIn("stride 16", answer["notations"][notation]["error"])
        text = run("describe", "f32[10,256]{1,0:T(8,128)}").stdout
        self.assertIn("in XLA's notation      f32[10,256]{1,0:T(8,128)}\n", text)
        self.assertRegex(text, "in CuTe's notation +none: .* padded to 16")

    def test_text_names_every_property(self):
        text = run("describe", "f32[6,8]").stdout
        for label in ["canonical", "physical shape", "strides", "cache lines", "simplified expression"]:
            self.assertIn(label, text)


class Simplify(unittest.TestCase):
    def test_digits_are_put_together(self):
        answer = run_json("simplify", "(x // 4) * 4 + x % 4", "--var", "x=0:63")
        self.assertEqual(list(answer), ["input", "output", "input_ops", "output_ops"])
        self.assertEqual(answer["output"], "x")
        self.assertEqual((answer["input_ops"], answer["output_ops"]), (2, 0))

    def test_bounds_may_be_open(self):
        self.assertEqual(run("simplify", "x % 8 + y // 8", "--var", "x=0:7", "--var", "y=:").returncode, 0)

    def test_an_expression_may_start_with_a_minus(self):
        answer = run_json("simplify", "-x + x % 8", "--var", "x=0:7")
        self.assertEqual(answer["output"], "0")

    def test_bad_input_names_the_part(self):
        for arguments, part in [(["x", "--var", "x"], "x"), (["x", "--var", "x=a:3"], '"a"'),
                                (["x", "--var", "x=5:3"], "lower bound 5"), (["x +"], ""), (["x / 2"], ""),
                                (["a", "b"], "b")]:
            process = run("simplify", *arguments)
            self.assertEqual(process.returncode, 2, arguments)
            self.assertIn(part, process.stderr)

    def test_batch_bounds_are_inclusive_and_null_for_none(self):
        answers = run_batch("simplify", [{"expr": "x % 8", "vars": {"x": [0, 7]}},
                                         {"expr": "y % 8", "vars": {"y": [None, 7]}},
                                         {"expr": "x % 8", "vars": {"x": [0]}},
                                         {"expr": "x % 8", "vars": {"x": [0, 1.5]}},
                                         {"expr": "x % 8", "vars": {"x": [0, 2**64 - 1]}}])
        self.assertEqual(answers[0]["output"], "x")
        self.assertEqual(answers[1]["output_ops"], 1)
        for answer in answers[2:]:
            self.assertEqual(list(answer), ["error"])


class Explain(unittest.TestCase):
    def test_json_holds_the_text(self):
        answer = run_json("explain", "f32[16,16]", "[1, 0]")
        self.assertEqual(list(answer), ["src", "dst", "isa", "kernel", "code_bytes", "offset_map", "boxes", "choice",
                                        "bound", "predicted", "kernels", "rejected", "explanation"])
        self.assertEqual(answer["boxes"], [{"src_base": 0, "dst_base": 0, "loops": [
            {"extent": 16, "src_stride": 16, "dst_stride": 1}, {"extent": 16, "src_stride": 1, "dst_stride": 16}]}])
        self.assertIsNone(run_json("explain", "s4[64,256]{1,0:E(4)}", "{0,1:E(4)}")["boxes"])
        self.assertEqual(answer["offset_map"],
                         {"layout": "(16,16):(16,1)", "contiguous_elements": 1, "contiguous_bytes": 4})
        self.assertEqual(answer["explanation"].rstrip("\n"), run("explain", "f32[16,16]", "[1, 0]").stdout.rstrip("\n"))


class Verify(unittest.TestCase):
    def test_all_levels_by_default(self):
        levels = run_json("--version")["isas"]
        answer = run_json("verify", "f32[6,8]", "[1, 0, 1 p(4)]")
        self.assertEqual(list(answer), ["ok", "isas", "kernel"])
        self.assertIs(answer["ok"], True)
        self.assertEqual(answer["isas"], levels)

    def test_one_level(self):
        self.assertEqual(run_json("verify", "u8[64,64]", "[1, 0]", "--isa", "portable")["isas"], ["portable"])

    def test_thorough(self):
        self.assertTrue(run_json("verify", "u8[5,7]", "[1, 0]", "--thorough")["ok"])

    def test_strict_leaves_out_the_level_that_only_interprets(self):
        levels = run_json("--version")["isas"]
        if len(levels) > 1:
            self.assertEqual(run_json("verify", "f32[64,64]", "[1, 0]", "--strict")["isas"], levels[1:])
        self.assertEqual(run("verify", "f32[64,64]", "[1, 0]", "--strict", "--isa", "portable").returncode, 2)

    def test_text(self):
        self.assertRegex(run("verify", "u8[5,7]", "[1, 0]").stdout, r"^proved for portable.*\n$")

    def test_batch_lines_have_their_own_level(self):
        pair = {"src": "u8[5,7]", "dst": "[1, 0]"}
        answers = run_batch("verify", [pair, {**pair, "isa": "portable"}, {**pair, "isa": "none"}], "--isa", "portable")
        self.assertEqual(answers[0]["isas"], ["portable"])
        self.assertEqual(answers[1]["isas"], ["portable"])
        self.assertIn("none", answers[2]["error"])

    def test_batch_lines_have_their_own_thoroughness(self):
        pair = {"src": "u8[5,7]", "dst": "[1, 0]"}
        answers = run_batch("verify", [{**pair, "thorough": True}, {**pair, "thorough": "yes"}])
        self.assertIs(answers[0]["ok"], True)
        self.assertIn("thorough", answers[1]["error"])

    def test_batch_takes_the_terms_of_xlas_transposer(self):
        with open(TRANSPOSER_CASES) as file:
            rows = [json.loads(line) for line in file]
        small = [row for row in rows if "dims" in row and row["elem_size_bytes"] * math.prod(row["dims"]) <= 4096]
        cases = [{key: row[key] for key in TRANSPOSER_KEYS if key in row} for row in small]
        self.assertGreater(len(cases), 50)
        self.assertGreater(sum("dest_bits_per_element" in case for case in cases), 5)
        self.assertGreater(sum(bool(case["input_striding_bytes"]) for case in cases), 5)
        levels = run_json("--version")["isas"]
        for row, answer in zip(small, run_batch("verify", cases), strict=True):
            self.assertEqual(list(answer), ["ok", "isas", "kernel"], row["id"])
            self.assertIs(answer["ok"], True, row["id"])
            self.assertEqual(answer["isas"], levels, row["id"])

    def test_a_transposers_lists_may_be_missing(self):
        answers = run_batch("verify", [{"elem_size_bytes": 16},
                                       {"elem_size_bytes": 4, "dims": [3, 5], "isa": "portable"},
                                       {"elem_size_bytes": 2, "dims": [3, 5], "permutation": None}])
        self.assertEqual([answer["ok"] for answer in answers], [True] * 3)
        self.assertEqual(answers[1]["isas"], ["portable"])

    def test_bad_terms_of_a_transposer_are_named(self):
        byte = {"elem_size_bytes": 1, "dims": [4, 6]}
        cases = [({"elem_size_bytes": 3}, "elem_size_bytes"), ({"elem_size_bytes": "4"}, "elem_size_bytes"),
                 ({**byte, "dims": 4}, "dims"), ({**byte, "dims": [4, 1.5]}, "1.5"),
                 ({**byte, "dims": [2**64 - 1]}, "dims"), ({**byte, "dims": [-4]}, "source"),
                 ({**byte, "permutation": [0, 0]}, "permutation"), ({**byte, "output_tiling": [0]}, "destination"),
                 ({**byte, "dest_bits_per_element": 3}, "dest_bits_per_element"),
                 ({"elem_size_bytes": 2, "dims": [4], "dest_bits_per_element": 4}, "dest_bits_per_element"),
                 ({**byte, "dest_bits_per_element": 4, "output_tiling": [2]}, "not supported"),
                 ({**byte, "isa": "sse9"}, "sse9")]
        for (_, part), answer in zip(cases, run_batch("verify", [case for case, _ in cases]), strict=True):
            self.assertEqual(list(answer), ["error"])
            self.assertIn(part, answer["error"])


class Cute(unittest.TestCase):
    """CuTe's layouts as specifications."""

    def test_offsets_are_morellos(self):
        self.assertEqual(run("offsets", "f32 (6,(4,2)):(4,(1,24))").stdout, PACKED_GRID)
        answer = run_json("offsets", "u8 (2,3):(-3,2)")
        self.assertEqual((answer["shape"], answer["bytes"]), ([2, 3], 8))
        self.assertEqual(answer["offsets"], [3, 5, 7, 0, 2, 4])

    def test_describe_and_parse_print_it_back(self):
        for command in ["describe", "parse"]:
            self.assertEqual(run_json(command, "f32  ( 6, 8 ):( 1,6 )")["canonical"], "f32 (6,8):(1,6)")

    def test_either_side_may_be_cutes(self):
        for source, destination in [("f32 (64,48):(48,1)", "(64,48):(1,64)"),
                                    ("f32[64,48]", "(64,(16,3)):(16,(1,1024))"),
                                    ("f32 (64,48):(0,1)", "f32[64,48][1, 0]"), ("f32 (64,48):(1,64)", "{1,0}")]:
            self.assertTrue(run_json("verify", source, destination)["ok"], (source, destination))
        self.assertIn("(64,48):(1,64)", run("explain", "f32[64,48]", "(64,48):(1,64)").stdout)

    def test_a_collision_shows_both_coordinates(self):
        process = run("verify", "f32[4,8]", "(4,8):(1,2)")
        self.assertEqual(process.returncode, 2, process)
        self.assertIn("(0,1) and (2,0)", process.stderr)

    def test_swizzled_layouts_are_taken_by_every_command(self):
        spec = "f32 Sw<2,0,3> o 0 o (8,8):(8,1)"
        offsets = [8 * row + (column ^ row % 4) for row in range(8) for column in range(8)]
        self.assertEqual(run_json("offsets", spec)["offsets"], offsets)
        described = run_json("describe", spec)
        self.assertEqual(described["canonical"], spec)
        self.assertEqual(described["notations"]["cute"], "Sw<2,0,3> o 0 o (8,8):(8,1)")
        for notation in ["morello", "xla"]:
            self.assertIn("it is swizzled", described["notations"][notation]["error"])
        self.assertEqual(run_json("parse", spec)["canonical"], spec)
        for source, destination in [(spec, "[1, 0]"), ("f32[8,8]", "Sw<2,0,3> o 0 o (8,8):(8,1)"),
                                    ("f32[8,8]", "Sw<2,0,3> o 7 o (8,8):(8,1)")]:
            self.assertTrue(run_json("verify", source, destination)["ok"], (source, destination))
            explained = run("explain", source, destination).stdout
            self.assertIn("Sw<2,0,3> o", explained)
            self.assertIn(" ^ ", explained)

    def test_a_collision_under_a_swizzle_shows_both_coordinates(self):
        process = run("verify", "f32[4,8]", "Sw<1,0,2> o 0 o (4,8):(1,2)")
        self.assertEqual(process.returncode, 2, process)
        self.assertIn("(0,1) and (2,0)", process.stderr)


class Batch(unittest.TestCase):
    BAD = ["", "nonsense", "[]", "3", '{"spec":', "{}", {"spec": 7}, {"spec": "f32[", "src": "f32[", "dst": 1},
           "\x00", '{"spec":"\\ud800"}']

    def test_every_bad_line_is_answered_by_an_error(self):
        for command in BATCH_COMMANDS:
            answers = run_batch(command, self.BAD)
            self.assertEqual([list(answer) for answer in answers], [["error"]] * len(self.BAD), command)

    def test_answers_keep_the_order_and_the_keys_of_json(self):
        specs = [f"u8[{n},3]" for n in range(1, 200)]
        answers = run_batch("offsets", [{"spec": spec, "name": "ignored"} for spec in specs])
        self.assertEqual([answer["spec"] for answer in answers], specs)
        self.assertEqual(answers[4], run_json("offsets", specs[4]))

    def test_lines_are_answered_as_they_come(self):
        process = subprocess.Popen([TOOL, "offsets", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        with process:
            for extent in range(1, 5):
                process.stdin.write(json.dumps({"spec": f"u8[{extent}]"}) + "\n")
                process.stdin.flush()
                self.assertEqual(json.loads(process.stdout.readline())["shape"], [extent])
            process.stdin.close()
            self.assertEqual(process.wait(timeout=60), 0)

    def test_standard_input_that_cannot_be_read_is_reported(self):
        folder = os.open("/", os.O_RDONLY)
        process = subprocess.run([TOOL, "parse", "--batch"], stdin=folder, capture_output=True, text=True, timeout=60)
        os.close(folder)
        self.assertEqual((process.returncode, process.stdout), (2, ""))
        self.assertIn("standard input", process.stderr)

    def test_no_line_is_no_answer(self):
        self.assertEqual(run_batch("describe", []), [])

    def test_the_last_line_needs_no_newline(self):
        process = run("offsets", "--batch", text='{"spec":"u8[2]"}')
        self.assertEqual(json.loads(process.stdout)["offsets"], [0, 1])

    @unittest.skipUnless(os.path.exists("/dev/full"), "this system has no /dev/full to write to")
    def test_a_full_disk_is_reported(self):
        with open("/dev/full", "wb") as full:
            process = subprocess.run([TOOL, "offsets", "u8[2]"], stdout=full, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(process.returncode, 2)
        self.assertIn(b"standard output", process.stderr)


if __name__ == "__main__":
    unittest.main()
