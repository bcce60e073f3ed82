#!/usr/bin/env python3
"""perf inject accepts the dump, perf report names its kernels, perf annotate shows the plan beside the code."""
import re
import unittest

from tools import InFolder, require, require_perf, transposed


class Jitdump(InFolder):
    def inject(self, milliseconds, mode):
        self.record("jitdump", milliseconds, mode)
        self.run_tool("perf", "inject", "--jit", "-i", "perf.data", "-o", "jit.data")

    def test_a_kernel_is_annotated_with_its_plan(self):
        self.inject(400, "plain")
        report = self.report("jit.data")
        self.assertGreater(self.share_of(transposed("f32[256,256]"), report), 50, report)
        symbol = max(report, key=report.get)
        text = self.run_tool("perf", "annotate", "-i", "jit.data", "--stdio", "-s", symbol)
        plan = re.search(r"^ +: *\d+ +nest 0 from source 0, destination 0", text, re.MULTILINE)
        code = re.search(r"^ +[\d.]+ +: +[0-9a-f]+: +push +%rbx", text, re.MULTILINE)
        self.assertTrue(plan and code and plan.start() < code.start(), text)
        for line in [r"for \d+: source \+\d+", r"permute \d+ vectors", r"source: pieces of", r" on slot \d"]:
            self.assertRegex(text, r"(?m)^ +: *\d+ +" + ".*" + line)
        self.assertRegex(text, r"(?m)^ +[1-9][\d.]+ +: +[0-9a-f]+: +v\w+ ", "samples at vector instructions")

    def test_an_evicted_kernel_keeps_its_samples(self):
        self.inject(400, "evict")
        report = self.report("jit.data")
        for source in ["u16", "u64"]:
            self.assertGreater(self.share_of(transposed(f"{source}[128,128]"), report), 20, report)

    def test_parent_and_child_are_told_apart(self):
        self.inject(400, "fork")
        report = self.report("jit.data")
        for source in ["u16", "u32", "u64"]:
            self.assertGreater(self.share_of(transposed(f"{source}[128,128]"), report), 10, report)


if __name__ == "__main__":
    require_perf()
    require("objdump")
    unittest.main()
