#!/usr/bin/env python3
"""relayout parse: acceptance, canonical text and details of every notation; bit offsets of packed types."""
import unittest

from tool import run, run_batch, run_json


class Parse(unittest.TestCase):
    def test_an_array_is_told_in_full(self):
        self.assertEqual(
            run_json("parse", "bf16[64, <=300]{1,0 : T(8,128)(2,1)}"),
            {"ok": True, "canonical": "bf16[64,<=300]{1,0:T(8,128)(2,1)}", "dtype": "bf16", "dims": [64, 300],
             "minor_to_major": [1, 0], "tiles": [[8, 128], [2, 1]], "bytes": 49152})

    def test_what_a_form_lacks_is_null(self):
        nothing = {"dims": None, "minor_to_major": None, "tiles": None}
        self.assertEqual(run_json("parse", "(f32[2], token[])"),
                         {"ok": True, "canonical": "(f32[2]{0}, token[])", "dtype": None, **nothing, "bytes": None})
        self.assertEqual(run_json("parse", "token[]"),
                         {"ok": True, "canonical": "token[]", "dtype": "token", **nothing, "bytes": 0})
        self.assertEqual(run_json("parse", "f32[?,3]{0,1:T(2,*,2)}"),
                         {"ok": True, "canonical": "f32[?,3]{0,1:T(2,*,2)}", "dtype": "f32", "dims": [None, 3],
                          "minor_to_major": [0, 1], "tiles": [[2, "*", 2]], "bytes": None})

    def test_morellos_form_has_neither_order_nor_tiles(self):
        self.assertEqual(run_json("parse", "f32[6,8][1,0,1 p(4)]"),
                         {"ok": True, "canonical": "f32[6,8][1, 0, 1 p(4)]", "dtype": "f32", "dims": [6, 8],
                          "minor_to_major": None, "tiles": None, "bytes": 192})

    def test_a_refusal_is_an_answer_in_json_and_an_error_in_text(self):
        process = run("parse", "f32[2,3]{1,1}", "--json")
        self.assertEqual(process.returncode, 2)
        self.assertIn('"ok":false', process.stdout)
        process = run("parse", "f32[2,3")
        self.assertEqual((process.returncode, process.stdout), (2, ""))
        self.assertEqual(process.stderr, "relayout: expected ',' or ']' at position 7, found the end\n")

    def test_strict_refuses_oversights(self):
        answers = run_batch("parse", [{"spec": "f32[2]{0:S(256)}"}, {"spec": "f32[2]{0:S(256)}", "strict": True},
                                      {"spec": 7}, {}])
        self.assertEqual([answer["ok"] for answer in answers], [True, False, False, False])
        self.assertFalse(run_batch("parse", [{"spec": "f32[2]{0:E(4}"}], "--strict")[0]["ok"])

    def test_strict_that_is_no_truth_value_is_refused_by_name(self):
        self.assertEqual(run_batch("parse", [{"spec": "f32[2]", "strict": "yes"}]),
                         [{"ok": False, "error": '"strict" is neither true nor false'}])


class BitOffsets(unittest.TestCase):
    def test_packed_types_have_them(self):
        answer = run_json("offsets", "s4[2,3]{0,1:E(4)}")
        self.assertEqual(answer["offsets"], [0, 2, 4, 1, 3, 5])
        self.assertEqual(answer["bit_offsets"], [0, 8, 16, 4, 12, 20])
        self.assertEqual(answer["bytes"], 3)

    def test_types_of_whole_bytes_do_not(self):
        self.assertNotIn("bit_offsets", run_json("offsets", "s4[2,3]{0,1}"))


if __name__ == "__main__":
    unittest.main()
