"""Whether a cache folder can be trusted.

Kernels are loaded as pickles and machine code: whoever can write to the folder can run code as the user who reads it.
"""

import os
import stat
from pathlib import Path

from tengen.errors import shortened

PRIVATE = 0o700
PUBLIC = 0o755
"""For the __pycache__ of the package, in which Python keeps its own files for all users."""


class Untrusted(OSError):
    """A folder from which compiled kernels must not be loaded; the text says why, as a predicate."""


def make_folder(folder: Path, mode: int = PRIVATE) -> None:
    """Make a folder and those above it that are missing, all with the same mode, whatever the umask grants others."""
    for place in [*reversed(folder.parents), folder]:
        if not place.exists():
            place.mkdir(mode, exist_ok=True)


def require_trusted(folder: Path, owners: frozenset[int] = frozenset(), parents: bool = True) -> None:
    """Raise `Untrusted` if another user could put a file into a folder, or another folder into its place.

    A folder must belong to this user, to root or to one of `owners`, and no other user may write to it. The same holds
    for all folders above it, except that one with the sticky bit, such as /tmp, may be writable by all. `folder` must
    be free of symbolic links (`os.path.realpath`). Systems without numeric user ids are not checked.
    """
    if not hasattr(os, "getuid"):
        return
    accepted = owners | {os.getuid(), 0}
    for place in [folder, *folder.parents] if parents else [folder]:
        found = place.stat()
        where = "" if place == folder else f"is inside of {shortened(place, 160)}, which "
        if found.st_uid not in accepted:
            raise Untrusted(f"{where}belongs to another user")
        if _others_can_write(found) and (place == folder or not found.st_mode & stat.S_ISVTX):
            raise Untrusted(f"{where}is writable by other users")


def _others_can_write(found: os.stat_result) -> bool:
    by_group = found.st_mode & stat.S_IWGRP and not _is_private_group(found.st_gid)
    return bool(found.st_mode & stat.S_IWOTH or by_group)


def _is_private_group(number: int) -> bool:
    """Whether a group is the one that many systems make for this user alone, with the user's name."""
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(os.getuid()), grp.getgrgid(number)
    except KeyError:  # numbers without a name, as in containers
        return False
    return user.pw_gid == number and group.gr_name == user.pw_name and set(group.gr_mem) <= {user.pw_name}
