"""The cache of compiled kernels: which folders are trusted, and what happens to damaged and unwritable files.

Shown in processes of their own, with kernels in a user's file.
"""

import hashlib
import os
import pickle
import re
import shutil
import stat
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from tengen.jit import COMPILED
from tengen.jit.kernel_files import DIGEST_SIZE
from tengen.jit.trust import Untrusted, require_trusted
from tests.interfaces.gtp.test_serve import talk
from tests.test_jit import PACKAGE, run, write

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled, so nothing is kept")
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes and numeric owners of files")
AS_ROOT = pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give files away")
SOMEBODY = 12345
"""The id of a user other than root and the present one."""

NAMES = ["times_2", "times_3"]
USE = """
import products
from tengen.jit import compilations
names = [name for name in vars(products) if name.startswith("times_")]
print(all(getattr(products, name)(10) == 10 * int(name.removeprefix("times_")) for name in names))
print(sorted(made.kernel for made in compilations()))
"""
REMEDY = "set TENGEN_CACHE to a folder that only you can write to"


def write_kernels(folder: Path, names: list[str]) -> None:
    """Write a module of kernels, each of which multiplies by the number in its name."""
    kernels = (f"\n\n@kernel\ndef {name}(value):\n    return {name.removeprefix('times_')} * value\n" for name in names)
    write(folder, products="from tengen.jit import kernel\n" + "".join(kernels))


@pytest.fixture
def project(tmp_path):
    """A folder with a module of the kernels NAMES; its cache will be the folder `cache`."""
    write_kernels(tmp_path, NAMES)
    return tmp_path


def use(project: Path, **environment: str) -> tuple[list[str], str]:
    """Use all kernels in a new process; return the names of those that were compiled, and the standard error."""
    done = run(project, USE, quiet=False, **environment)
    is_right, compiled = done.stdout.splitlines()
    assert is_right == "True"
    return re.findall(r"times_\d", compiled), done.stderr


def kept(project: Path, pattern: str = "*.nb?") -> list[Path]:
    return sorted((project / "cache").rglob(pattern))


# --- Trust ------------------------------------------------------------------------------------------------------------


@POSIX
def test_cache_folders_are_private(project):
    """Whatever the umask allows."""
    code = f"import os\nos.umask(0)\n{USE}"
    run(project, code, TENGEN_CACHE=str(project / "deep" / "cache"))
    made = [path for path in (project / "deep").rglob("*") if path.is_dir()]
    assert len(made) == 3, "the cache, a folder for the stamp, and one for the folder of sources"
    for folder in [project / "deep", *made]:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert use(project, TENGEN_CACHE=str(project / "deep" / "cache")) == ([], "")


@POSIX
@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o702], ids=oct)
def test_a_folder_that_others_can_write_to_is_refused_and_its_code_not_run(project, mode):
    use(project)
    marker = project / "marker"
    for path in kept(project, "*.nbi"):
        plant(path, marker)
    (project / "cache").chmod(mode)
    compiled, said = use(project)
    assert compiled == NAMES
    assert said == (
        "tengen: compiled kernels cannot be cached and are compiled again at every start: the folder"
        f" {str(project / 'cache')!r} that TENGEN_CACHE names is writable by other users; {REMEDY}\n"
    )
    assert not marker.exists()


def plant(path: Path, marker: Path) -> None:
    """Make a cache file one that runs code when it is loaded."""

    class Planted:
        def __reduce__(self):
            return Path.touch, (marker,)

    content = pickle.dumps(Planted())
    path.write_bytes(hashlib.blake2b(content, digest_size=DIGEST_SIZE).digest() + content)


@POSIX
def test_planted_code_would_run_in_a_folder_that_is_trusted(project):
    """A control for the tests of refused folders."""
    use(project)
    marker = project / "marker"
    for path in kept(project, "*.nbi"):
        plant(path, marker)
    use(project)
    assert marker.exists()


@POSIX
@AS_ROOT
def test_a_folder_of_another_user_is_refused(project):
    (project / "cache").mkdir()
    os.chown(project / "cache", SOMEBODY, SOMEBODY)
    compiled, said = use(project)
    assert compiled == NAMES
    assert "that TENGEN_CACHE names belongs to another user; " in said
    assert kept(project) == []


@POSIX
@AS_ROOT
def test_the_folder_for_the_stamp_of_another_user_is_refused(project):
    """As in a cache folder in /tmp that another user has prepared."""
    use(project)
    [stamp] = (project / "cache").glob("kernels-*")
    os.chown(stamp, SOMEBODY, SOMEBODY)
    assert "belongs to another user" in use(project)[1]


@POSIX
def test_the_folder_in_xdg_cache_home_is_checked_too(project):
    (project / "home").mkdir()
    (project / "home" / "tengen").mkdir()
    (project / "home" / "tengen").chmod(0o777)
    compiled, said = use(project, TENGEN_CACHE="", XDG_CACHE_HOME=str(project / "home"))
    assert compiled == NAMES
    assert f"the folder {str(project / 'home' / 'tengen')!r} is writable by other users; {REMEDY}" in said


@POSIX
def test_a_folder_above_that_others_can_write_to_is_refused_without_a_sticky_bit(tmp_path):
    folder = tmp_path / "above" / "between" / "cache"
    folder.mkdir(parents=True)
    require_trusted(folder)
    (tmp_path / "above").chmod(0o777)
    with pytest.raises(Untrusted, match=rf"^is inside '{tmp_path}/above', which is writable by other users$"):
        require_trusted(folder)
    (tmp_path / "above").chmod(0o1777)
    require_trusted(folder)


@POSIX
@AS_ROOT
def test_a_folder_above_that_belongs_to_another_user_is_refused(tmp_path):
    folder = tmp_path / "above" / "cache"
    folder.mkdir(parents=True)
    os.chown(folder.parent, SOMEBODY, -1)
    with pytest.raises(Untrusted, match=r"above', which belongs to another user$"):
        require_trusted(folder)
    require_trusted(folder, owners=frozenset({SOMEBODY}))


@POSIX
def test_a_folder_that_root_or_a_named_owner_owns_is_trusted(tmp_path, monkeypatch):
    require_trusted(Path("/"))
    owner = tmp_path.stat().st_uid
    monkeypatch.setattr(os, "getuid", lambda: SOMEBODY)
    require_trusted(tmp_path, owners=frozenset({owner}), parents=False)


@POSIX
@pytest.mark.parametrize(
    ("name", "members", "expected"),
    [
        ("somebody", [], nullcontext()),
        ("somebody", ["somebody"], nullcontext()),
        ("somebody", ["other"], pytest.raises(Untrusted, match=r"^is writable by other users$")),
        ("staff", [], pytest.raises(Untrusted, match=r"^is writable by other users$")),
    ],
    ids=["own", "own, listed", "shared", "of another name"],
)
def test_a_group_may_write_only_if_it_is_the_users_own(tmp_path, monkeypatch, name, members, expected):
    import grp
    import pwd

    group = tmp_path.stat().st_gid
    user = pwd.struct_passwd(("somebody", "x", os.getuid(), group, "", "/", "/bin/sh"))
    monkeypatch.setattr(pwd, "getpwuid", lambda number: user)
    monkeypatch.setattr(grp, "getgrgid", lambda number: grp.struct_group((name, "x", number, members)))
    folder = tmp_path / "cache"
    folder.mkdir()
    folder.chmod(0o770)
    with expected:
        require_trusted(folder, parents=False)


def test_systems_without_numeric_owners_are_not_checked(tmp_path, monkeypatch):
    monkeypatch.delattr(os, "getuid", raising=False)
    tmp_path.chmod(0o777)
    require_trusted(tmp_path)


@POSIX
def test_a_link_is_followed_before_the_folder_is_checked(project):
    (project / "elsewhere").mkdir(0o700)
    (project / "cache").symlink_to(project / "elsewhere")
    assert use(project)[0] == NAMES
    assert use(project) == ([], "")
    (project / "elsewhere").chmod(0o777)
    assert "is writable by other users" in use(project)[1]


@POSIX
def test_a_package_folder_that_others_can_write_to_gives_way_to_the_users_folder(tmp_path):
    """Nothing is printed: the user did not choose this folder, and another one is used."""
    package = tmp_path / "tengen"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "__pycache__").mkdir()
    (package / "__pycache__").chmod(0o777)
    code = "import tengen.rng\nfrom tengen.jit.cache import kernel_folder\nprint(kernel_folder(tengen.rng.__file__))"
    home = tmp_path / "home"
    done = run(tmp_path, code, quiet=False, TENGEN_CACHE="", XDG_CACHE_HOME=str(home))
    assert Path(done.stdout.strip()).parent == home / "tengen"
    assert done.stderr == ""
    (package / "__pycache__").chmod(0o755)
    done = run(tmp_path, code, quiet=False, TENGEN_CACHE="", XDG_CACHE_HOME=str(home))
    assert Path(done.stdout.strip()).parent == package / "__pycache__"


@POSIX
def test_a_refused_cache_writes_nothing_to_standard_output_of_gtp(tmp_path):
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(0o777)
    folder = str(tmp_path / "cache")
    done = talk("genmove b\nquit\n", "random", "--game=othello", TENGEN_CACHE=folder, TENGEN_QUIET="")
    assert done.returncode == 0
    assert re.fullmatch(r"= [A-H][1-8]\n\n=\n\n", done.stdout)
    assert done.stderr.count("tengen: compiled kernels cannot be cached") == 1
    assert "is writable by other users" in done.stderr


# --- Damage -----------------------------------------------------------------------------------------------------------


def flip_a_bit(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


DAMAGE = {
    "empty": lambda content: b"",
    "cut short": lambda content: content[: len(content) // 2],
    "without its end": lambda content: content[:-1],
    "one bit": flip_a_bit,
    "garbage": lambda content: bytes(range(256)) * 40,
    "another pickle": lambda content: pickle.dumps({"not": "an index"}),
    "another pickle with a checksum": lambda content: (
        hashlib.blake2b(pickle.dumps(42), digest_size=DIGEST_SIZE).digest() + pickle.dumps(42)
    ),
}


@pytest.mark.parametrize("kind", ["nbi", "nbc"], ids=["index", "data"])
def test_damaged_files_are_replaced_and_their_kernels_compiled_again(project, kind):
    """The file of each kernel is damaged in a different way; the last one is missing."""
    names = [f"times_{number}" for number in range(2, 3 + len(DAMAGE))]
    write_kernels(project, names)
    use(project)
    paths = {path.name.split("-")[0].removeprefix("products."): path for path in kept(project, f"*.{kind}")}
    assert sorted(paths) == names
    for name, damage in zip(names[:-1], DAMAGE.values(), strict=True):
        paths[name].write_bytes(damage(paths[name].read_bytes()))
    paths[names[-1]].unlink()
    compiled, said = use(project)
    assert compiled == names
    assert said == "tengen: compiling kernels (only the first time) ...\n"
    assert use(project) == ([], "")


def test_an_intact_kernel_is_not_compiled_because_another_is_damaged(project):
    use(project)
    kept(project, "*.nbc")[0].write_bytes(b"")
    assert use(project)[0] == NAMES[:1]


# --- Nowhere to write -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["TENGEN_CACHE", "XDG_CACHE_HOME", "HOME"])
def test_a_place_that_cannot_be_written_is_named_once(project, place):
    (project / "file").write_text("no folder can be made in a file")
    changes = {"TENGEN_CACHE": "", "XDG_CACHE_HOME": "", "HOME": str(project)} | {place: str(project / "file")}
    compiled, said = use(project, **changes)
    assert compiled == NAMES
    assert re.fullmatch(
        r"tengen: compiled kernels cannot be cached and are compiled again at every start: the folder '[^']*/file[^']*'"
        rf"( that TENGEN_CACHE names)? cannot be written: Not a directory; {REMEDY}\n",
        said,
    )


def test_a_program_runs_on_a_full_disk_without_a_cache(project):
    full = """
import errno
from tengen.jit import kernel_files
def refuse(self, path, content):
    raise OSError(errno.ENOSPC, "No space left on device", path)
kernel_files.Files._write = refuse
"""
    done = run(project, full + USE, quiet=False)
    assert done.stdout.startswith("True\n")
    first, second = done.stderr.splitlines()
    assert first == "tengen: compiling kernels (only the first time) ..."
    assert "cannot be written: No space left on device; " + REMEDY in second


def test_a_cache_that_was_removed_meanwhile_is_created_again(project):
    """As `make clean` does while a program runs. The new folder is private again."""
    remove = f"import os, products, shutil\nos.umask(0)\nshutil.rmtree({str(project / 'cache')!r})\n"
    run(project, remove + USE)
    assert use(project) == ([], "")


def test_two_processes_that_add_to_one_index_never_load_each_others_code(project):
    """Both read the index before the other writes: the entry of one is lost, and its kernel compiled again."""
    code = """
import products
from tengen.jit.kernel_files import Files
Files._load_index = lambda self: {}
"""
    run(project, code + "assert products.times_2(10) == 20")
    run(project, code + "assert products.times_2(0.5) == 1.0")
    done = run(project, "import products\nprint(products.times_2(10), products.times_2(0.5))")
    assert done.stdout == "20 1.0\n"
