#!/usr/bin/env python3
"""gdb knows generated kernels by name: break, backtrace, disassemble, and none of it after eviction."""
import re
import subprocess
import unittest

from tools import WORKLOAD, InFolder, require, require_kernels, skip, transposed


class Gdb(InFolder):
    def gdb(self, mode, *commands, profile="gdb"):
        arguments = ["gdb", "-nx", "-batch"]
        for command in ["set breakpoint pending on", "set disable-randomization off", "set width 0", *commands]:
            arguments += ["-ex", command]
        return self.run_tool(*arguments, "--args", WORKLOAD, "1", mode, profile=profile)

    def name_in(self, mode, pattern):
        """The name of a kernel that matches."""
        text = self.gdb(mode, "break at_rest", "run", "info functions ^relayout:")
        names = re.findall(r"^0x[0-9a-f]+ +(relayout:\S+)$", text, re.MULTILINE)
        found = [name for name in names if re.fullmatch(pattern, name)]
        self.assertEqual(len(found), 1, text)
        return found[0]

    def test_a_breakpoint_by_name_stops_in_the_kernel_and_finds_its_callers(self):
        name = self.name_in("plain", transposed("f32[256,256]"))
        text = self.gdb("plain", f"break -function '{name}'", "run", "backtrace", "stepi 60", "backtrace")
        frames = re.findall(r"^#(\d+) .* in (.*?)(?: \(.*| at .*)?$", text, re.MULTILINE)
        innermost = [function for number, function in frames if number == "0"]
        self.assertEqual(innermost, [name, name], text)
        self.assertEqual(len(re.findall(r"^#\d+ +.*\bmain \(", text, re.MULTILINE)), 2, text)
        self.assertRegex(text, r"#1 .* in relayout::runtime::CompiledRelayout::")

    def test_names_with_every_sign_of_a_notation_work(self):
        name = self.name_in("tiled", r"relayout:bf16\[64,300\]\[0,1\]->bf16\[64,300\]\{1,0:T\(8,128\)\(2,1\)\}:.*:0")
        text = self.gdb("tiled", f"break -function '{name}'", "run", "backtrace 1", f"disassemble '{name}'")
        self.assertIn(f"in {name} ()", text)
        self.assertIn(f"Dump of assembler code for function {name}:", text)
        self.assertRegex(text, r"(?m)^=> .*push +%rbx$")
        self.assertRegex(text, r"(?m)^ .*vzeroupper\s*$")

    def test_evicted_kernels_are_forgotten(self):
        text = self.gdb("evict", "break at_rest", "run", "info functions ^relayout:")
        self.assertRegex(text, transposed("u64[128,128]"))
        self.assertNotRegex(text, transposed("u16[128,128]"))

    def test_a_child_can_be_followed(self):
        text = self.gdb("fork", "set follow-fork-mode child", "break at_rest", "run", "info functions ^relayout:")
        self.assertRegex(text, transposed("u16[128,128]"))
        self.assertRegex(text, transposed("u64[128,128]"))

    def test_without_it_there_are_no_names(self):
        text = self.gdb("plain", "break at_rest", "run", "info functions ^relayout:f32", profile="")
        self.assertNotRegex(text, r"relayout:f32\[")


def require_gdb():
    """gdb, and the kernel's leave to trace."""
    require("gdb")
    require_kernels()
    probe = subprocess.run(["gdb", "-nx", "-batch", "-ex", "run", "--args", "true"], capture_output=True, text=True)
    if "exited normally" not in probe.stdout:
        skip(f"gdb may not run programs here: {probe.stderr.strip()}")


if __name__ == "__main__":
    require_gdb()
    unittest.main()
