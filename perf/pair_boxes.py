"""A conversion as boxes of plain loops, from `relayout explain --json`: what other implementations can be told."""
import json
import re
import subprocess


class Box:
    """Extents and strides in elements, innermost first (by rising destination stride)."""

    def __init__(self, answer):
        self.source_base, self.destination_base = answer["src_base"], answer["dst_base"]
        self.loops = [(loop["extent"], loop["src_stride"], loop["dst_stride"]) for loop in answer["loops"]]


def explained(tool, pair):
    process = subprocess.run([tool, "explain", pair["src"], pair["dst"], "--json"], check=True, capture_output=True,
                             text=True)
    return json.loads(process.stdout)


def boxes_of(tool, pair):
    """The boxes, or None where the pair is no such thing."""
    answer = explained(tool, pair)["boxes"]
    return None if answer is None else [Box(box) for box in answer]


def layout_bytes(tool, spec):
    process = subprocess.run([tool, "describe", spec, "--json"], check=True, capture_output=True, text=True)
    return json.loads(process.stdout)["bytes"]


def destination_spec(pair):
    """The destination with the type and extents that its text may leave out."""
    return pair["dst"] if pair["dst"][0] not in "[{(" else pair["src"].split("]")[0] + "]" + pair["dst"]


ELEMENT_BYTES = {"": 1, "1": 1, "2": 1, "4": 1, "8": 1, "16": 2, "32": 4, "64": 8, "128": 16}  # `pred` has no number


def element_bytes(pair):
    """Of types such as f32, bf16, s8 and c128; those narrower than a byte take one, unless packed."""
    return ELEMENT_BYTES[re.match("[a-z]*([0-9]*)", pair["src"]).group(1)]
