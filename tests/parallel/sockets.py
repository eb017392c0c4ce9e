"""The sockets on which the processes of a tree listen, from /proc."""

import ipaddress
import os
from pathlib import Path

LISTENING = "0A"
"""The state of a socket in /proc/net/tcp."""


def process_tree(root: int) -> list[int]:
    """A process and all its descendants."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(stat.parent.name))
    found, waiting = [], [root]
    while waiting:
        found.append(waiting.pop())
        waiting += children.get(found[-1], [])
    return found


def listening(processes: list[int]) -> dict[int, set[ipaddress.IPv4Address | ipaddress.IPv6Address]]:
    """By port: the addresses on which the processes listen."""
    sockets = {inode for process in processes for inode in _sockets(process)}
    found: dict[int, set[ipaddress.IPv4Address | ipaddress.IPv6Address]] = {}
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            _, local, _, state, *_, inode = line.split()[:10]
            if state == LISTENING and inode in sockets:
                address, _, port = local.partition(":")
                found.setdefault(int(port, 16), set()).add(_address(address))
    return found


def _sockets(process: int) -> list[str]:
    """The numbers of a process's sockets."""
    try:
        links = [os.readlink(entry) for entry in Path(f"/proc/{process}/fd").iterdir()]
    except OSError:
        return []
    return [link.removeprefix("socket:[").removesuffix("]") for link in links if link.startswith("socket:[")]


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """Decode an address of /proc: little-endian words of four bytes. IPv4 within IPv6 is returned as IPv4."""
    data = b"".join(bytes.fromhex(text[start : start + 8])[::-1] for start in range(0, len(text), 8))
    address = ipaddress.ip_address(data)
    return getattr(address, "ipv4_mapped", None) or address
