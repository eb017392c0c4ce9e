"""Checks of the owner and permissions of a cache folder.

Kernels are loaded as pickles and machine code: whoever can write to the folder can run code as the user who reads it.
"""

import os
import stat
from pathlib import Path

from tengen.errors import shortened

PRIVATE = 0o700
PUBLIC = 0o755
"""Mode of the package's __pycache__, in which Python keeps files for all users."""


class Untrusted(OSError):
    """A folder from which compiled kernels must not be loaded. The message is a predicate ('is writable ...')."""


def make_folder(folder: Path, mode: int = PRIVATE) -> None:
    """Create a folder and its missing parents, all with the same mode."""
    for place in [*reversed(folder.parents), folder]:
        if not place.exists():
            place.mkdir(mode, exist_ok=True)


def require_trusted(folder: Path, owners: frozenset[int] = frozenset(), parents: bool = True) -> None:
    """Raise `Untrusted` if another user could write a file into a folder, or replace the folder.

    The folder must belong to this user, to root or to one of `owners`, and no other user may write to it. With
    `parents`, the same holds for all folders above it, except that those with the sticky bit, such as /tmp, may be
    writable by all. `folder` must be free of symbolic links (`os.path.realpath`). Systems without numeric user ids are
    not checked.
    """
    if not hasattr(os, "getuid"):
        return
    accepted = owners | {os.getuid(), 0}
    for place in [folder, *folder.parents] if parents else [folder]:
        found = place.stat()
        where = "" if place == folder else f"is inside {shortened(place, 160)}, which "
        if found.st_uid not in accepted:
            raise Untrusted(f"{where}belongs to another user")
        if _others_can_write(found) and (place == folder or not found.st_mode & stat.S_ISVTX):
            raise Untrusted(f"{where}is writable by other users")


def _others_can_write(found: os.stat_result) -> bool:
    by_group = found.st_mode & stat.S_IWGRP and not _is_private_group(found.st_gid)
    return bool(found.st_mode & stat.S_IWOTH or by_group)


def _is_private_group(number: int) -> bool:
    """Whether a group is this user's private group: the user's name, and no other members."""
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(os.getuid()), grp.getgrgid(number)
    except KeyError:  # ids without a name, as in containers
        return False
    return user.pw_gid == number and group.gr_name == user.pw_name and set(group.gr_mem) <= {user.pw_name}
