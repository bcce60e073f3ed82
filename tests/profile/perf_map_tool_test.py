#!/usr/bin/env python3
"""perf report names generated kernels by /tmp/perf-PID.map."""
import unittest

from tools import InFolder, require_perf, transposed


class PerfMap(InFolder):
    def report_of(self, milliseconds, mode):
        self.record("perfmap", milliseconds, mode)
        return self.report()

    def test_a_kernel_is_reported_by_its_name(self):
        report = self.report_of(400, "plain")
        self.assertGreater(self.share_of(transposed("f32[256,256]"), report), 50, report)

    def test_threads_have_kernels_of_their_own(self):
        report = self.report_of(400, "threads")
        for source in ["u8", "u16", "u32", "u64"]:
            self.assertGreater(self.share_of(transposed(f"{source}[64,64]"), report), 3, report)

    def test_an_evicted_kernel_keeps_its_samples(self):
        report = self.report_of(400, "evict")
        for source in ["u16", "u64"]:
            self.assertGreater(self.share_of(transposed(f"{source}[128,128]"), report), 20, report)

    def test_parent_and_child_are_told_apart(self):
        report = self.report_of(400, "fork")
        for source in ["u16", "u32", "u64"]:
            self.assertGreater(self.share_of(transposed(f"{source}[128,128]"), report), 10, report)


if __name__ == "__main__":
    require_perf()
    unittest.main()
