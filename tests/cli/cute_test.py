#!/usr/bin/env python3
"""relayout cute: the calculator in text, as JSON and in batches."""
import json
import os
import unittest

from tool import run, run_batch, run_json

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "cute.jsonl")


class Text(unittest.TestCase):
    def test_a_layout_is_printed_as_cute_prints_it(self):
        process = run("cute", "composition((6,2):(8,2), (4,3):(3,1))")
        self.assertEqual((process.returncode, process.stdout), (0, "((2,2),3):((24,2),8)\n"))

    def test_calls_nest(self):
        process = run("cute", "size(complement(coalesce((2,2):(1,2)), 24))")
        self.assertEqual(process.stdout, "6\n")

    def test_tables_are_printed_byte_for_byte(self):
        process = run("cute", "print_layout((2,2):(2,1))")
        self.assertEqual(process.stdout, "(2,2):(2,1)\n      0   1 \n    +---+---+\n 0  | 0 | 1 |\n    +---+---+\n"
                                         " 1  | 2 | 3 |\n    +---+---+\n")
        self.assertEqual(run("cute", "print1D((2,(2,2)):(4,(2,1)))").stdout, "0 4 2 6 1 5 3 7\n")
        self.assertEqual(run("cute", "print2D((2,2):(2,1))").stdout, "  0   1 \n  2   3 \n")

    def test_an_error_is_one_line_and_exit_code_2(self):
        process = run("cute", "composition((4,3):(3,1), 6:1)")
        self.assertEqual((process.returncode, process.stdout), (2, ""))
        self.assertEqual(process.stderr, "relayout: composition: (4,3):(3,1) o 6:1 is no layout: the offsets of mode "
                                         "6:1 are evenly spaced in runs of 4, which do not divide the 6 of them\n")
        self.assertEqual(run("cute", "nonsense(4:1)").stderr, "relayout: there is no operation nonsense\n")
        self.assertEqual(run("cute", "coalesce(4:1").returncode, 2)
        self.assertEqual(run("cute").returncode, 2)


class AsJson(unittest.TestCase):
    def test_a_layout_has_offsets(self):
        self.assertEqual(run_json("cute", "complement(4:2, 24)"),
                         {"result": "(2,3):(1,8)", "offsets": [0, 1, 8, 9, 16, 17]})

    def test_integers_booleans_and_lists_are_json(self):
        self.assertEqual(run_json("cute", "size((4,3))"), {"result": 12, "offsets": None})
        self.assertEqual(run_json("cute", "compatible(24, (4,6))"), {"result": True, "offsets": None})
        self.assertEqual(run_json("cute", "idx2crd(16, (3,(2,3)))"), {"result": "(1,(1,2))", "offsets": None})
        self.assertEqual(run_json("cute", "print2D((2,2):(2,1))"),
                         {"result": [[0, 1], [2, 3]], "offsets": [0, 2, 1, 3]})
        self.assertEqual(run_json("cute", "swizzle(Sw<1,0,1>, 4)"), {"result": [0, 1, 3, 2], "offsets": None})

    def test_an_error_is_an_answer(self):
        process = run("cute", "parse((-1,3):(1,2))", "--json")
        self.assertEqual((process.returncode, process.stdout), (2, '{"error":"size -1 is not positive"}\n'))

    def test_more_than_4096_offsets_are_not_listed(self):
        self.assertEqual(len(run_json("cute", "layout(4096:1)")["offsets"]), 4096)
        self.assertEqual(run_json("cute", "layout(4097:1)"), {"result": "4097:1", "offsets": None})
        self.assertEqual(run_json("cute", "coalesce((1099511627776,1024):(1,1099511627776))"),
                         {"result": "1125899906842624:1", "offsets": None})


class Batch(unittest.TestCase):
    def test_arguments_are_texts_lists_and_empty(self):
        answers = run_batch("cute", [
            {"op": "composition", "args": ["(6,2):(8,2)", "(4,3):(3,1)"]},
            {"op": "zipped_divide", "args": ["(9,(4,8)):(59,(13,1))", ["3:3", "(2,4):(1,8)"]]},
            {"op": "swizzled_layout", "args": [[2, 0, 3], "(8,8):(8,1)"]},
            {"op": "take", "args": ["(2,3,5,7):(1,2,6,30)", "1,3"]},
            {"op": "complement", "args": ["(2,2):(4,1)", ""]},
            {"op": "get", "args": ["(3,(6,2),8)", 0]},
            {"expr": "rank((4,3))"}])
        self.assertEqual([answer["result"] for answer in answers],
                         ["((2,2),3):((24,2),8)", "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))",
                          "Sw<2,0,3> o 0 o (8,8):(8,1)", "(3,5):(2,6)", "2:2", 3, 2])

    def test_what_is_wrong_is_an_error_of_its_line(self):
        answers = run_batch("cute", [
            {"op": "composition", "args": ["(4,3):(3,1)", "6:1"]}, {"op": "composition", "args": ["4:1"]},
            {"op": "size", "args": [{"a": 1}]}, {"op": "size", "args": "4:1"}, {"op": 3, "args": []},
            {"op": "parse", "args": ["4:1)"]}, {"op": "size", "args": [[[[]]]]}, {}, "nonsense"])
        self.assertEqual([list(answer) for answer in answers], [["error"]] * 9)
        self.assertEqual(answers[5]["error"], "argument 1: expected ',' or the end at position 3, found ')'")

    def test_every_vector_is_answered(self):
        with open(VECTORS, encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        answers = run_batch("cute", [{"op": row["op"], "args": row["args"]} for row in rows])
        for row, answer in zip(rows, answers, strict=True):
            with self.subTest(row["name"]):
                if row.get("expect") == "error":
                    self.assertIn("error", answer)
                elif "expect" not in row and not row.get("dynamic"):
                    self.assertEqual(answer.get("result"), row["result"], answer)
                    if "offsets" in row and len(row["offsets"]) <= 4096:
                        self.assertEqual(answer["offsets"], row["offsets"])


if __name__ == "__main__":
    unittest.main()
