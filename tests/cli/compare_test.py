#!/usr/bin/env python3
"""What `relayout compare` answers; the figures themselves are only checked for sense."""
import json
import os
import tempfile
import time
import unittest
import xml.etree.ElementTree

from tool import TOOL, run, run_batch, run_json

KEYS = ["src", "dst", "isa", "kernel", "bytes", "jit_gbps", "memcpy_gbps", "streaming_gbps", "jit_over_memcpy",
        "interpreted_gbps", "vectorised_gbps", "interpreted_elements", "naive_gbps", "jit_over_naive", "compile_us",
        "hit_us", "call_ns", "code_bytes", "breakeven_calls", "page_kib", "threads", "first_call_us", "unstable",
        "statistics"]
ENVIRONMENT = ["version", "isas", "default_isa", "processor", "cost_model", "level1_data_bytes", "level2_bytes",
               "level3_bytes", "line_bytes", "page_bytes", "streaming_threshold_bytes", "commit", "compiler",
               "c_library", "system", "processors", "governor", "huge_pages", "seed"]
CONTENDERS = ["jit", "memcpy", "streaming", "naive", "vectorised", "interpreted"]
PEERS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(TOOL))), "peers", "test_peers.so")
ONEDNN = os.path.join(os.path.dirname(PEERS), "onednn.so")
SMALL = ("f32[64,64]", "[1, 0]")


class Compare(unittest.TestCase):
    def test_json(self):
        answer = run_json("compare", "f32[256,256]", "[1, 0]")
        self.assertEqual(list(answer), KEYS + ["environment"])
        self.assertEqual(answer["bytes"], 2 * 4 * 256 * 256)
        self.assertEqual(answer["interpreted_elements"], 256 * 256)
        self.assertEqual(answer["threads"], 1)
        self.assertIn(answer["page_kib"], [4, 2048])
        for key in ["jit_gbps", "memcpy_gbps", "streaming_gbps", "interpreted_gbps", "vectorised_gbps", "naive_gbps",
                    "jit_over_naive", "compile_us", "hit_us", "call_ns", "first_call_us"]:
            self.assertGreater(answer[key], 0, key)

    def test_rates_and_ratio_agree(self):
        answer = run_json("compare", "u8[512,512]", "[1, 0]")
        self.assertAlmostEqual(answer["jit_over_memcpy"], answer["jit_gbps"] / answer["memcpy_gbps"], delta=1e-3)
        self.assertAlmostEqual(answer["jit_gbps"], answer["bytes"] / answer["call_ns"], delta=1e-3 * answer["jit_gbps"])

    def test_statistics_of_every_contender_are_in_order(self):
        answer = run_json("compare", *SMALL)
        self.assertEqual(list(answer["statistics"]), CONTENDERS)
        for name, one in answer["statistics"].items():
            self.assertGreaterEqual(one["samples"], 1, name)
            order = [one[key] for key in ["minimum_us", "lower_quartile_us", "median_us", "upper_quartile_us"]]
            self.assertEqual(order, sorted(order), name)
        jit = answer["statistics"]["jit"]
        self.assertAlmostEqual(jit["median_us"], answer["call_ns"] / 1000, delta=1e-3 * jit["median_us"])
        spread = (jit["upper_quartile_us"] - jit["lower_quartile_us"]) / jit["median_us"]
        self.assertAlmostEqual(jit["spread"], spread, delta=1e-3)
        unstable = [answer["statistics"][name]["unstable"] for name in ["jit", "memcpy"]]
        self.assertEqual(answer["unstable"], any(unstable))

    def test_the_environment(self):
        environment = run_json("compare", *SMALL)["environment"]
        self.assertEqual(list(environment), ENVIRONMENT)
        self.assertRegex(environment["commit"], r"^([0-9a-f]{12}(-dirty)?|unknown)$")
        self.assertEqual(environment["processors"], os.cpu_count())
        self.assertEqual(environment["isas"], run_json("--version")["isas"])

    def test_interpreters_take_a_slice_of_a_large_pair(self):
        self.assertEqual(run_json("compare", "u8[2048,2048]", "[1, 0]")["interpreted_elements"], 2**20)

    def test_an_empty_array_has_no_rates(self):
        answer = run_json("compare", "f32[0,8]", "[1, 0]", "--levels", "--threads", "2", "--cold")
        for key in ["jit_gbps", "memcpy_gbps", "streaming_gbps", "jit_over_memcpy", "interpreted_gbps",
                    "vectorised_gbps", "naive_gbps", "jit_over_naive", "breakeven_calls"]:
            self.assertIsNone(answer[key], key)
        self.assertTrue(all(one is None for one in answer["statistics"].values()))

    def test_text_has_a_row_for_each_contender(self):
        text = run("compare", "f32[64,64]", "[1, 0]").stdout
        for row in ["JIT", "memcpy", "streaming copy", "naive loop", "vectorised interpreter", "scalar interpreter"]:
            self.assertIn(row, text)
        for cost in ["compile", "first call", "cache hit", "bytes of code", "pays after"]:
            self.assertIn(cost, text)

    def test_batch(self):
        answers = run_batch("compare", [{"src": "u8[8,8]", "dst": "[1, 0]"}, {"src": "u8[8,8]"},
                                        {"src": "u8[16,16]", "dst": "[1, 0]", "isa": "portable"},
                                        {"src": "u8[8,8]", "dst": "[1, 0]", "cold": True},
                                        {"src": "u8[8,8]", "dst": "[1, 0]", "threads": 0},
                                        {"src": "u8[8,8]", "dst": "[1, 0]", "levels": 1}])
        self.assertEqual(list(answers[0]), KEYS + ["environment"])
        self.assertEqual(list(answers[1]), ["error"])
        self.assertEqual(answers[2]["isa"], "portable")
        self.assertEqual(list(answers[3]), KEYS + ["cold", "environment"])
        self.assertIn("threads", answers[4]["error"])
        self.assertIn("levels", answers[5]["error"])

    def test_a_large_pair_takes_about_two_seconds_at_most(self):
        start = time.monotonic()
        run_json("compare", "f32[4096,4096]", "[1, 0]")
        # The limit is for an idle machine and an optimised build; the tests may share theirs.
        self.assertLess(time.monotonic() - start, 20)


class Tasks(unittest.TestCase):
    def test_every_level_side_by_side(self):
        levels = run_json("compare", *SMALL, "--levels")["levels"]
        self.assertEqual([level["isa"] for level in levels], run_json("--version")["isas"])
        for level in levels:
            self.assertGreater(level["gbps"], 0)
            self.assertGreater(level["compile_us"], 0)
            self.assertEqual(level["code_bytes"] == 0, level["isa"] == "portable")

    def test_a_kernel_that_a_level_lacks_leaves_the_level_out(self):
        levels = run_json("compare", *SMALL, "--levels", "--kernel", "gather")["levels"]
        self.assertTrue(all(level["kernel"] in ["gather", "portable"] for level in levels), levels)

    def test_threads_from_one_to_n(self):
        scaling = run_json("compare", "f32[512,512]", "[1, 0]", "--threads", "3")["thread_scaling"]
        self.assertEqual([one["threads"] for one in scaling], [1, 2, 3])
        self.assertEqual(scaling[0]["over_one"], 1)
        for one in scaling:
            self.assertAlmostEqual(one["over_one"], one["gbps"] / scaling[0]["gbps"], delta=1e-3 * one["over_one"])

    def test_past_eight_threads_powers_of_two_and_the_last(self):
        scaling = run_json("compare", *SMALL, "--threads", "20")["thread_scaling"]
        self.assertEqual([one["threads"] for one in scaling], [1, 2, 3, 4, 5, 6, 7, 8, 16, 20])

    def test_cold_caches_are_slower_than_warm_ones(self):
        answer = run_json("compare", "u8[128,128]", "[1, 0]", "--cold")
        self.assertGreater(answer["cold"]["call_ns"], answer["call_ns"])

    def test_packed_elements_and_padding_pass_the_checks(self):
        for pair in [("s4[64,256]{1,0:E(4)}", "{0,1:E(4)}"), ("s4[64,256]{1,0:E(4)}", "s4[64,256]{0,1}"),
                     ("f32[100,300]", "{1,0:T(8,128)}")]:
            answer = run_json("compare", *pair, "--levels", "--threads", "2", "--cold")
            self.assertGreater(answer["jit_gbps"], 0)


@unittest.skipUnless(os.path.exists(PEERS), "the tests' peers are not built")
class Peers(unittest.TestCase):
    def peers(self, *pair):
        answer = run_json("compare", *pair, "--peer", PEERS)
        self.assertEqual([peer["name"] for peer in answer["peers"]], ["right", "wrong", "idle", "unable"])
        return {peer["name"]: peer for peer in answer["peers"]}

    def test_only_what_is_right_is_timed(self):
        for pair in [SMALL, ("bf16[20,200]", "{1,0:T(8,128)(2,1)}"), ("c128[12,10]", "[1, 0]")]:
            peers = self.peers(*pair)
            self.assertNotIn("error", peers["right"])
            self.assertGreater(peers["right"]["gbps"], 0)
            self.assertGreater(peers["right"]["jit_over_peer"], 0)
            for name in ["wrong", "idle"]:
                self.assertEqual(peers[name]["error"], "wrong result")
                self.assertIsNone(peers[name]["gbps"])
            self.assertNotIn("error", peers["unable"])
            self.assertIsNone(peers["unable"]["gbps"])

    def test_packed_elements_are_not_for_peers(self):
        peers = self.peers("s4[64,256]{1,0:E(4)}", "{0,1:E(4)}")
        self.assertTrue(all(peer["gbps"] is None and "error" not in peer for peer in peers.values()))

    def test_the_table_names_them(self):
        text = run("compare", *SMALL, "--peer", PEERS).stdout
        self.assertIn("Peers, over memcpy", text)
        self.assertIn("wrong result", text)

    @unittest.skipUnless(os.path.exists(ONEDNN), "oneDNN's peer is not built")
    def test_onednn_is_right_or_says_that_it_cannot(self):
        for pair in [SMALL, ("u8[60,100]", "[1, 0]"), ("f64[30,20]", "[1, 0]"), ("c128[30,20]", "[1, 0]"),
                     ("f32[2,20,6,6]", "{3,2,1,0:T(16,1,1)}"), ("f32[100,300]", "{1,0:T(8,128)}")]:
            (peer,) = run_json("compare", *pair, "--peer", ONEDNN)["peers"]
            self.assertRegex(peer["name"], r"^oneDNN \d+\.\d+\.\d+$")
            self.assertNotIn("error", peer, pair)
            self.assertGreater(peer["gbps"], 0)

    def test_what_is_no_peer_is_refused(self):
        process = run("compare", *SMALL, "--peer", "/nonexistent.so")
        self.assertEqual(process.returncode, 2)
        self.assertIn("/nonexistent.so", process.stderr)


class Lists(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name, text=None):
        path = os.path.join(self.folder, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return path

    def list_of(self, *pairs):
        return self.path("list.jsonl", "".join(json.dumps(pair) + "\n" for pair in pairs))

    def test_several_pairs_on_the_command_line(self):
        answer = run_json("compare", *SMALL, "u8[30,50]", "[1, 0]", "u8[16]", "u8[16]{0:T(8)}")
        self.assertEqual(list(answer), ["environment", "pairs"])
        self.assertEqual([pair["src"] for pair in answer["pairs"]], ["f32[64,64]", "u8[30,50]", "u8[16]"])
        for pair in answer["pairs"]:
            self.assertEqual(list(pair), KEYS)

    def test_a_list_with_names(self):
        path = self.list_of({"name": "a_one", "src": "u8[8,8]", "dst": "[1, 0]", "best_peer": "xla"},
                            {"name": "b_two", "src": "u8[9,9]", "dst": "[1, 0]"})
        answer = run_json("compare", "--list", path)
        self.assertEqual([pair["name"] for pair in answer["pairs"]], ["a_one", "b_two"])
        answer = run_json("compare", "--list", path, "--only", "b_")
        self.assertEqual([pair["name"] for pair in answer["pairs"]], ["b_two"])
        self.assertEqual(list(answer["pairs"][0]), ["name"] + KEYS)

    def test_the_table_has_a_row_for_each_and_the_means(self):
        path = self.list_of({"name": "one", "src": "u8[8,8]", "dst": "[1, 0]"},
                            {"name": "two", "src": "u8[9,9]", "dst": "[1, 0]"})
        text = run("compare", "--list", path).stdout
        for row in ["pair ", "one ", "two ", "geometric mean of 2"]:
            self.assertTrue(any(line.startswith(row) for line in text.splitlines()), (row, text))

    def test_a_pair_that_fails_does_not_stop_the_others(self):
        path = self.list_of({"name": "bad", "src": "u8[8,8]", "dst": "[1, 0, 7]"},
                            {"name": "good", "src": "u8[9,9]", "dst": "[1, 0]"})
        process = run("compare", "--list", path, "--json")
        self.assertEqual(process.returncode, 1)
        bad, good = json.loads(process.stdout)["pairs"]
        self.assertEqual(list(bad), ["name", "src", "dst", "error"])
        self.assertEqual(list(good), ["name"] + KEYS)

    def test_refusals(self):
        for arguments, part in [(("--list", "/nonexistent"), "/nonexistent"),
                                (("--list", self.path("bad.jsonl", '{"src":"u8[8]","dst":"[0]"}\n\n[]\n')), "line 3"),
                                (("--list", self.path("half.jsonl", '{"src":"u8[8]"}\n')), "line 1"),
                                (("--list", self.path("empty.jsonl", "")), "no pair"),
                                (("u8[8]", "[0]", "u8[9]"), "without its destination"),
                                (("u8[8]", "[0]", "-o", "results.txt"), "results.txt")]:
            process = run("compare", *arguments)
            self.assertEqual((process.returncode, process.stdout), (2, ""), process)
            self.assertIn(part, process.stderr)

    def test_reports(self):
        paths = {ending: self.path("report." + ending) for ending in ["json", "md", "svg"]}
        outputs = [part for path in paths.values() for part in ("-o", path)]
        shown = run("compare", *SMALL, "u8[30,50]", "[1, 0]", "--cold", *outputs)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        with open(paths["json"], encoding="utf-8") as file:
            results = json.load(file)
        self.assertEqual(list(results), ["environment", "pairs"])
        with open(paths["md"], encoding="utf-8") as file:
            markdown = file.read()
        for part in ["| f32[64,64] -> [1, 0] |", "## Cold caches", "## Environment", "| commit |"]:
            self.assertIn(part, markdown)
        picture = xml.etree.ElementTree.parse(paths["svg"]).getroot()
        texts = [one.text for one in picture.iter("{http://www.w3.org/2000/svg}text")]
        for part in ["f32[64,64] -> [1, 0]", "u8[30,50] -> [1, 0]", "JIT", "scalar interpreter"]:
            self.assertIn(part, texts)
        marks = list(picture.iter("{http://www.w3.org/2000/svg}circle"))
        self.assertEqual(len(marks), 3 * 5, "five contenders in two rows and in the legend")
        width = float(picture.get("width"))
        self.assertTrue(all(0 < float(mark.get("cx")) < width for mark in marks))

    def test_a_report_that_cannot_be_written_takes_neither_the_answer_nor_other_reports_with_it(self):
        path = self.path("one.json")
        process = run("compare", *SMALL, "-o", "/nonexistent/one.md", "-o", path, "--json")
        self.assertEqual(process.returncode, 2)
        self.assertIn("/nonexistent/one.md: No such file", process.stderr)
        self.assertEqual(json.loads(process.stdout)["src"], SMALL[0])
        self.assertTrue(os.path.exists(path))

    def test_a_report_never_replaces_the_list(self):
        path = self.path("list.json", '{"src":"u8[8]","dst":"[0]"}\n')
        process = run("compare", "--list", path, "-o", path)
        self.assertEqual((process.returncode, process.stdout), (2, ""))
        self.assertIn("is the input file", process.stderr)

    def test_one_pair_is_reported_as_a_list_of_one(self):
        path = self.path("one.json")
        answer = run_json("compare", *SMALL, "-o", path)
        with open(path, encoding="utf-8") as file:
            results = json.load(file)
        environment = answer.pop("environment")
        self.assertEqual(results, {"environment": environment, "pairs": [answer]})


if __name__ == "__main__":
    unittest.main()
