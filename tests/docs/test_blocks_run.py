"""The blocks of code of the pages that say `run`: they run in order, one folder per page, and print what is shown."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.command_lines import OPERATORS, tengen_arguments
from tests.docs.pages import PAGES, ROOT, Block, blocks_of, commands_in
from tests.interfaces import in_process
from tests.test_plugins import registered  # noqa: F401 - a fixture: parts of plugins are forgotten after a page

pytestmark = pytest.mark.long

RUN = {page: [block for block in blocks_of(page) if block.kind in ("run", "file", "output")] for page in PAGES}
ENVIRONMENT = {
    **os.environ,
    **in_process.ENVIRONMENT,
    "PYTHONPATH": str(ROOT),
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
}


def run_program(*words: str, folder: Path) -> str:
    """Run a program in a folder and return what it writes, errors and progress first. It must succeed."""
    done = subprocess.run(
        words,
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, f"{words[-1]}\n{done.stdout}{done.stderr}"
    return done.stderr + done.stdout


def run_command(line: str, folder: Path) -> str:
    """Run a line of a shell: `tengen` without pipes and files in this process, everything else by bash."""
    arguments = tengen_arguments(line)
    if arguments is None or not line.startswith("tengen ") or OPERATORS & set(line.split()):
        return run_program("bash", "-e", "-c", line, folder=folder)
    done = in_process.tengen(*arguments, folder=folder)
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    return done.stderr + done.stdout


def run_block(block: Block, folder: Path) -> str:
    text = block.shortened()
    if block.language == "python":
        (folder / "block.py").write_text(text)
        return run_program(sys.executable, "block.py", folder=folder)
    return "".join(run_command(line, folder) for line in commands_in(text))


def missing_from(shown: str, output: str) -> list[str]:
    """Return the lines of a page that are not in an output, in their order; '...' stands for any text."""
    missing, begin = [], 0
    for line in filter(None, (line.strip() for line in shown.splitlines())):
        pattern = ".*".join(re.escape(part) for part in line.split("..."))
        if found := re.compile(rf"^\s*{pattern}\s*$", re.MULTILINE).search(output, begin):
            begin = found.end()
        elif line != "...":
            missing.append(line)
    return missing


def said_in_comments(block: Block) -> str:
    """Return what the comments behind calls of `print` say that they print."""
    return "\n".join(f"...{said}..." for said in re.findall(r"^print\(.*\)  # (.*)$", block.text, re.MULTILINE))


@pytest.mark.parametrize("page", [page for page, blocks in RUN.items() if blocks], ids=lambda page: page.stem)
def test_the_code_of_a_page_runs_and_prints_what_is_shown(page, tmp_path):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    output = ""
    for block in RUN[page]:
        if block.kind == "file":
            (tmp_path / block.details).write_text(block.text)
        elif block.kind == "output":
            assert missing_from(block.text, output) == [], f"{block}: not in\n{output}"
        else:
            output = run_block(block, tmp_path)
            assert missing_from(said_in_comments(block), output) == [], f"{block}: not in\n{output}"


def test_missing_lines_are_found():
    assert missing_from("a 1\n...\nb ... c\n", "x\na 1\nmore\nb 2 c\n") == []
    assert missing_from("b ... c\na 1\n", "x\na 1\nb 2 c\n") == ["a 1"]
    assert missing_from("a 2\n", "a 1\n") == ["a 2"]
    assert said_in_comments(Block(ROOT, 1, "python", "print(1)  # 1\nx = 2  # two\n")) == "...1..."
