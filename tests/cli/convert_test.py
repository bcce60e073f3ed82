#!/usr/bin/env python3
"""`relayout convert` against NumPy: files of every kind, and every way to refuse one."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from tool import TOOL, run, run_batch, run_json

try:
    import numpy as np
except ImportError:
    print("skipped: NumPy is not installed for " + sys.executable)
    sys.exit(77)  # ctest's SKIP_RETURN_CODE


class Convert(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.source = str(pathlib.Path(self.folder.name) / "in.npy")
        self.destination = str(pathlib.Path(self.folder.name) / "out.npy")
        self.array = np.random.default_rng(7).integers(0, 2**32, size=(64, 48), dtype=np.uint32).view(np.float32)
        np.save(self.source, self.array)

    def convert(self, source_spec, destination_spec, *arguments):
        process = run("convert", self.source, self.destination, "--from", source_spec, "--to", destination_spec,
                      *arguments)
        self.assertEqual(process.returncode, 0, process.stderr)
        return process

    def refused(self, *arguments, names=()):
        process = run("convert", *arguments)
        self.assertEqual(process.returncode, 2, process)
        self.assertEqual(process.stderr.count("\n"), 1, process.stderr)
        for name in names:
            self.assertIn(name, process.stderr)
        self.assertFalse(os.path.exists(self.destination))

    def expect(self, expected):
        result = np.load(self.destination)
        self.assertEqual(result.dtype, expected.dtype)
        self.assertEqual(result.shape, expected.shape)
        self.assertEqual(result.tobytes(), expected.tobytes())

    def packed(self, block):
        return self.array.reshape(64, 48 // block, block).transpose(1, 0, 2)

    def test_output_has_the_physical_shape(self):
        self.convert("f32[64,48]", "[1, 0, 1 p(16)]")
        self.expect(np.ascontiguousarray(self.packed(16)))

    def test_cutes_layouts_are_specifications(self):
        self.convert("f32 (64,48):(48,1)", "(64,(16,3)):(16,(1,1024))")
        self.expect(np.ascontiguousarray(self.packed(16)))

    def test_there_and_back(self):
        self.convert("f32[64,48]", "[1, 0, 1 p(16)]")
        os.replace(self.destination, self.source)
        self.convert("f32[64,48][1, 0, 1 p(16)]", "[0, 1]")
        self.expect(self.array)

    def test_a_bare_buffer_may_be_one_dimensional(self):
        np.save(self.source, self.packed(16).reshape(-1))
        self.convert("f32[64,48][1, 0, 1 p(16)]", "f32[64,48]")
        self.expect(self.array)

    def test_a_fortran_order_file_is_a_column_major_array(self):
        np.save(self.source, np.asfortranarray(self.array))
        self.convert("f32[64,48][1, 0]", "[0, 1]")
        self.expect(self.array)

    def test_a_fortran_order_file_is_never_taken_for_row_major(self):
        for extent in (48, 64):
            square = np.asfortranarray(np.arange(64 * extent, dtype=np.float32).reshape(64, extent))
            np.save(self.source, square)
            self.refused(self.source, self.destination, "--from", f"f32[64,{extent}]", "--to", "[1, 0]",
                         names=["Fortran", "--from"])

    def test_any_numpy_type_of_the_right_size_keeps_its_type(self):
        for kind, spec in [("<i4", "f32"), (">u4", "s32"), ("|S1", "u8"), ("|b1", "pred"), ("<c16", "c128"),
                           ("<M8[ns]", "s64"), ("<f2", "bf16")]:
            values = np.frombuffer(np.random.default_rng(3).bytes(6 * 8 * np.dtype(kind).itemsize), np.uint8)
            np.save(self.source, (values % 2 if kind == "|b1" else values).view(kind).reshape(6, 8))
            self.convert(f"{spec}[6,8]", "[1, 0]")
            self.expect(np.ascontiguousarray(np.load(self.source).T))

    def test_scalars_and_empty_arrays(self):
        np.save(self.source, np.float32(3.5))
        self.convert("f32[]", "f32[]")
        self.expect(np.array(3.5, np.float32))
        np.save(self.source, np.zeros((0, 4), np.float32))
        self.convert("f32[0,4]", "[1, 0]")
        self.assertEqual(np.load(self.destination).size, 0)

    def test_version_2_and_3_files_are_read(self):
        for version in [(2, 0), (3, 0)]:
            with open(self.source, "wb") as file:
                np.lib.format.write_array(file, self.array, version=version)
            self.convert("f32[64,48]", "[1, 0]")
            self.expect(np.ascontiguousarray(self.array.T))

    def test_raw_buffers(self):
        self.array.tofile(self.source)
        self.convert("f32[64,48]", "[1, 0]", "--raw")
        self.assertEqual(np.fromfile(self.destination, np.float32).tobytes(),
                         np.ascontiguousarray(self.array.T).tobytes())

    def test_threads_repetitions_levels_and_kernels_change_nothing(self):
        for arguments in [["--threads", "2"], ["--repeat", "3"], ["--repeat", "2", "--threads", "3"],
                          ["--isa", "portable"], ["--kernel", "automatic"]]:
            self.convert("f32[64,48]", "[1, 0]", *arguments)
            self.expect(np.ascontiguousarray(self.array.T))

    def test_json_is_ok(self):
        self.assertEqual(run_json("convert", self.source, self.destination, "--from", "f32[64,48]", "--to", "[1, 0]"),
                         {"ok": True})

    def test_batch(self):
        other = self.destination + "2"
        pair = {"src": "f32[64,48]", "dst": "[1, 0]", "in": self.source}
        answers = run_batch("convert", [{**pair, "out": self.destination}, pair, {**pair, "out": other, "in": "none"},
                                        {**pair, "out": other}])
        self.assertEqual([list(answer) for answer in answers], [["ok"], ["error"], ["error"], ["ok"]])
        self.expect(np.ascontiguousarray(self.array.T))

    def test_lines_of_a_batch_have_their_own_options(self):
        self.array.tofile(self.source)
        pair = {"src": "f32[64,48]", "dst": "{1,0:T(1,64)}", "in": self.source, "out": self.destination}
        answers = run_batch("convert", [{**pair, "raw": True, "fill": "0.5", "threads": 2, "repeat": 3, "name": "a"}])
        self.assertEqual(answers, [{"ok": True}])
        padded = np.fromfile(self.destination, np.float32).reshape(64, 64)
        self.assertEqual(padded[:, :48].tobytes(), self.array.tobytes())
        self.assertTrue((padded[:, 48:] == 0.5).all())
        answers = run_batch("convert", [{**pair, "raw": False}, pair], "--raw")
        self.assertIn("not a .npy file", answers[0]["error"])
        self.assertEqual(answers[1], {"ok": True})

    def test_bad_options_of_a_line_are_named(self):
        pair = {"src": "f32[64,48]", "dst": "[1, 0]", "in": self.source, "out": self.destination}
        cases = [("threads", 0), ("repeat", "3"), ("raw", 1), ("fill", 7), ("fill", ""), ("thread", 2),
                 ("in", "in\0.npy"), ("out", "out\0.npy")]
        for (key, _), answer in zip(cases, run_batch("convert", [{**pair, key: value} for key, value in cases])):
            self.assertIn(key, answer["error"])
        self.assertEqual(os.listdir(self.folder.name), ["in.npy"])

    def test_an_interrupted_conversion_leaves_no_file(self):
        try:
            os.close(os.open(self.folder.name, os.O_TMPFILE | os.O_RDWR))
        except OSError:
            self.skipTest("every file has a name on this file system")
        for number in [signal.SIGTERM, signal.SIGKILL]:
            process = subprocess.Popen([TOOL, "convert", self.source, self.destination, "--from", "f32[64,48]", "--to",
                                        "[1, 0]", "--repeat", "1000000000"], stderr=subprocess.DEVNULL)
            time.sleep(0.5)
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=60), -number)
            self.assertEqual(os.listdir(self.folder.name), ["in.npy"])

    def test_bad_input_is_refused_and_leaves_no_file(self):
        spec = ["--from", "f32[64,48]", "--to", "[1, 0]"]
        self.refused("none.npy", self.destination, *spec, names=["none.npy"])
        self.refused(__file__, self.destination, *spec, names=["not a .npy file"])
        self.refused(self.source, self.destination, *spec, "--raw", names=["12288"])
        self.refused(self.source, self.destination, "--from", "f64[64,48]", "--to", "[1, 0]", names=["f64"])
        self.refused(self.source, self.destination, "--from", "f32[48,64]", "--to", "[1, 0]", names=["(64, 48)"])
        self.refused(self.source, self.destination, *spec, "--fill", "seven", names=["seven"])
        for option in ["--fill", "--isa", "--kernel", "--choice"]:
            self.refused(self.source, self.destination, *spec, option, "", names=[option, "empty"])
        self.refused(self.source, self.destination, *spec, "--threads", "0", names=["threads"])
        self.refused(self.source, self.destination, *spec, "--repeat", "-1", names=["repeat"])
        self.assertEqual(os.listdir(self.folder.name), ["in.npy"])

    def test_input_and_output_must_differ(self):
        link = self.destination + ".link"
        os.link(self.source, link)
        for out in [self.source, link]:
            process = run("convert", self.source, out, "--from", "f32[64,48]", "--to", "[1, 0]")
            self.assertEqual(process.returncode, 2)
            self.assertIn("is the input file", process.stderr)
        self.assertEqual(np.load(self.source).tobytes(), self.array.tobytes())


if __name__ == "__main__":
    unittest.main()
