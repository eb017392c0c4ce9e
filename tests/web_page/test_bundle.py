"""The built page: its size and its addresses, and the unit tests of its sources."""

import gzip
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"
LARGEST = 300_000
"""Bytes of the compressed bundle."""


def test_the_bundle_is_small_and_names_no_other_host(page_files: Path):
    files = [path for path in page_files.parent.rglob("*") if path.is_file()]
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) < LARGEST
    hosts = {host for path in files for host in re.findall(r"(?:https?:)?//([\w.-]+\.[a-z]{2,})", path.read_text())}
    assert hosts <= {"www.w3.org"}


def test_the_lock_file_has_no_address_of_a_registry():
    text = (WEB / "package-lock.json").read_text()
    assert '"resolved"' not in text
    assert "registry" not in text


@pytest.mark.skipif(
    not shutil.which("npm") or not (WEB / "node_modules").is_dir(),
    reason="Node or the packages of web/ are not installed",
)
def test_the_unit_tests_of_the_page_pass():
    done = subprocess.run(
        ["npm", "test", "--silent"],
        cwd=WEB,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
