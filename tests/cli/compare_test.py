#!/usr/bin/env python3
"""What `relayout compare` answers; the figures themselves are only checked for sense."""
import time
import unittest

from tool import run, run_batch, run_json

KEYS = ["src", "dst", "isa", "kernel", "bytes", "jit_gbps", "memcpy_gbps", "streaming_gbps", "jit_over_memcpy",
        "interpreted_gbps", "vectorised_gbps", "interpreted_elements", "naive_gbps", "compile_us", "hit_us", "call_ns",
        "code_bytes", "breakeven_calls", "page_kib", "threads"]


class Compare(unittest.TestCase):
    def test_json(self):
        answer = run_json("compare", "f32[256,256]", "[1, 0]")
        self.assertEqual(list(answer), KEYS)
        self.assertEqual(answer["bytes"], 2 * 4 * 256 * 256)
        self.assertEqual(answer["interpreted_elements"], 256 * 256)
        self.assertEqual(answer["threads"], 1)
        self.assertIn(answer["page_kib"], [4, 2048])
        for key in ["jit_gbps", "memcpy_gbps", "streaming_gbps", "interpreted_gbps", "vectorised_gbps", "naive_gbps",
                    "compile_us", "hit_us", "call_ns"]:
            self.assertGreater(answer[key], 0, key)

    def test_rates_and_ratio_agree(self):
        answer = run_json("compare", "u8[512,512]", "[1, 0]")
        self.assertAlmostEqual(answer["jit_over_memcpy"], answer["jit_gbps"] / answer["memcpy_gbps"], delta=1e-3)
        self.assertAlmostEqual(answer["jit_gbps"], answer["bytes"] / answer["call_ns"], delta=1e-3 * answer["jit_gbps"])

    def test_interpreters_take_a_slice_of_a_large_pair(self):
        self.assertEqual(run_json("compare", "u8[2048,2048]", "[1, 0]")["interpreted_elements"], 2**20)

    def test_an_empty_array_has_no_rates(self):
        answer = run_json("compare", "f32[0,8]", "[1, 0]")
        for key in ["jit_gbps", "memcpy_gbps", "streaming_gbps", "jit_over_memcpy", "interpreted_gbps",
                    "vectorised_gbps", "naive_gbps", "breakeven_calls"]:
            self.assertIsNone(answer[key], key)

    def test_text_has_a_row_for_each_contender(self):
        text = run("compare", "f32[64,64]", "[1, 0]").stdout
        for row in ["JIT", "memcpy", "streaming copy", "naive loop", "vectorised interpreter", "scalar interpreter"]:
            self.assertIn(row, text)

    def test_batch(self):
        answers = run_batch("compare", [{"src": "u8[8,8]", "dst": "[1, 0]"}, {"src": "u8[8,8]"},
                                        {"src": "u8[16,16]", "dst": "[1, 0]", "isa": "portable"}])
        self.assertEqual(list(answers[0]), KEYS)
        self.assertEqual(list(answers[1]), ["error"])
        self.assertEqual(answers[2]["isa"], "portable")

    def test_a_large_pair_takes_about_two_seconds_at_most(self):
        start = time.monotonic()
        run_json("compare", "f32[4096,4096]", "[1, 0]")
        # The limit is for an idle machine and an optimised build; the tests may share theirs.
        self.assertLess(time.monotonic() - start, 20)


if __name__ == "__main__":
    unittest.main()
