#!/usr/bin/env python3
"""relayout draw: the picture is XML, its cells say what the layout's own rule says."""
import os
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from tool import run, run_json

SVG = "{http://www.w3.org/2000/svg}"


def labels(root, style):
    """The text beside every rectangle of a class."""
    found = []
    for group in root.iter(SVG + "g"):
        children = list(group)
        for cell, label in zip(children, children[1:]):
            if cell.tag == SVG + "rect" and cell.get("class") == style:
                found.append(label.text)
    return found


class Draw(unittest.TestCase):
    def test_offsets_and_padding_are_those_of_xlas_tiles(self):
        root = ElementTree.fromstring(run("draw", "f32[10,12]{1,0:T(4,8)}").stdout)
        expected = [str((row // 4 * 2 + column // 8) * 32 + row % 4 * 8 + column % 8)
                    for row in range(10) for column in range(12)]
        self.assertEqual(labels(root, "element"), expected)
        padding = [cell for cell in root.iter(SVG + "rect") if cell.get("class") == "padding"]
        self.assertEqual(len(padding), 12 * 16 - 120)
        self.assertEqual(root.find(SVG + "title").text, "f32[10,12]{1,0:T(4,8)}")

    def test_cute_layouts_need_no_type(self):
        root = ElementTree.fromstring(run("draw", "((2,2),(2,4)):((1,4),(2,16))").stdout)
        expected = [str(row % 2 + row // 2 * 4 + column % 2 * 2 + column // 2 * 16)
                    for row in range(4) for column in range(8)]
        self.assertEqual(labels(root, "element"), expected)

    def test_a_file_holds_what_standard_output_would(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "layout.svg")
            answer = run_json("draw", "f32[6,8]", "-o", path)
            with open(path, encoding="utf-8") as file:
                text = file.read()
        self.assertEqual(answer, {"spec": "f32[6,8]", "file": path, "bytes": len(text)})
        self.assertEqual(text, run("draw", "f32[6,8]").stdout)
        self.assertEqual(text, run_json("draw", "f32[6,8]")["svg"])

    def test_faults_are_told(self):
        for spec in ("f32[6", "(2,3):(1", "f32[2][0, 0]"):
            process = run("draw", spec)
            self.assertEqual((process.returncode, process.stdout), (2, ""))
        process = run("draw", "f32[2]", "-o", "/nonexistent/layout.svg")
        self.assertEqual(process.returncode, 2)
        self.assertIn("/nonexistent/layout.svg: No such file", process.stderr)


if __name__ == "__main__":
    unittest.main()
