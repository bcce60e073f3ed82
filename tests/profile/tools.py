"""Runs profilers and debuggers on the workload, named by the environment variable RELAYOUT_WORKLOAD."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

WORKLOAD = os.environ["RELAYOUT_WORKLOAD"]
SKIPPED = 77


def kernel(source, destination):
    """A pattern of the name of a kernel that is not a gather: f32[6,8][0,1]->f32[6,8][1,0]:avx2:permute:0."""
    return re.escape(f"relayout:{source}->{destination}:") + r"avx\w+:(permute|copy):\d"


def transposed(text):
    """The pattern for `u8[4,4]` turned from row-major to column-major."""
    return kernel(f"{text}[0,1]", f"{text}[1,0]")


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def require(program):
    if shutil.which(program) is None:
        skip(f"{program} is not installed")


def require_kernels():
    """Generated code is what is looked for."""
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as cpuinfo:
        if not re.search(r"^flags.*\bavx2\b", cpuinfo.read(), re.MULTILINE):
            skip("this processor has no AVX2, so that no code is generated")


def require_perf():
    """perf, and the kernel's leave to use it."""
    require("perf")
    require_kernels()
    with tempfile.TemporaryDirectory() as folder:
        probe = subprocess.run(["perf", "record", "-e", "cpu-clock", "-o", f"{folder}/data", "true"],
                               capture_output=True, text=True)
    if probe.returncode != 0:
        skip(f"perf may not record here: {probe.stderr.strip()}")


class InFolder(unittest.TestCase):
    """Each test has a folder, where all files go but the perf maps, which are removed."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.maps = set(self.perf_maps())

    def tearDown(self):
        shutil.rmtree(self.folder)
        for name in set(self.perf_maps()) - self.maps:
            if not os.path.exists(f"/proc/{name[5:-4]}"):  # other tests may be running
                os.remove(f"/tmp/{name}")

    @staticmethod
    def perf_maps():
        return [name for name in os.listdir("/tmp")
                if re.fullmatch(r"perf-\d+\.map", name) and os.stat(f"/tmp/{name}").st_uid == os.geteuid()]

    def run_tool(self, *command, profile=""):
        environment = dict(os.environ, RELAYOUT_PROFILE=profile, JITDUMPDIR=self.folder, HOME=self.folder)
        process = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=240,
                                 stdin=subprocess.DEVNULL)
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        return process.stdout

    def record(self, profile, milliseconds, mode):
        """Samples by the software clock, which needs no hardware counters."""
        self.run_tool("perf", "record", "-k", "mono", "-e", "cpu-clock", "-F", "2000", "-o", "perf.data", WORKLOAD,
                      str(milliseconds), mode, profile=profile)

    def report(self, data="perf.data"):
        """Percentages by symbol."""
        text = self.run_tool("perf", "report", "-i", data, "--stdio", "-F", "overhead,sym")
        found = re.findall(r"^ +([\d.]+)% +\[\S\] (\S+) *$", text, re.MULTILINE)
        return {symbol: float(percent) for percent, symbol in found}

    def share_of(self, pattern, report):
        return sum(percent for symbol, percent in report.items() if re.fullmatch(pattern, symbol))
