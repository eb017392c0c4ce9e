"""Boards in files: one file of JSON for each, written atomically and checked when it is read."""

import os
import re
import secrets
from pathlib import Path

from pydantic import ValidationError

from tengen.errors import TengenError, shortened
from tengen.files import Unwritable, read_text, write_whole
from tengen.interfaces.web.limits import LimitReached
from tengen.interfaces.web.played_game import PlayedGame, StoredBoard, title_of
from tengen.interfaces.web.resources import BoardEntry

LARGEST_FILE = 4_000_000
"""Bytes of the largest file that is read."""
SUFFIX = ".json"
LISTED = 200
"""Number of boards in a list."""
_ID = re.compile("[0-9a-f]{32}")


class UnknownBoard(TengenError):
    """A board that is not kept, or whose file is damaged."""


def usual_folder() -> Path:
    """Return the folder of boards: in the user's folder of states."""
    return Path(os.environ.get("XDG_STATE_HOME") or "~/.local/state").expanduser() / "tengen" / "boards"


class BoardFiles:
    """The folder of boards. Ids are chosen here; no other name is ever a part of a path."""

    def __init__(self, folder: Path, most: int):
        """Create the folder if it does not exist. `most` is the number of boards that are kept."""
        self.folder, self._most = folder, most
        self._listed: dict[str, tuple[float, BoardEntry | None]] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise Unwritable(f"{shortened(folder, 160)} cannot be created: {error.strerror or error}") from None

    def new_id(self) -> str:
        """Return the id of a new board. Raises LimitReached if too many are kept."""
        if len(self._paths()) >= self._most:
            raise LimitReached(f"{self._most:,} boards are kept, the maximum: delete one")
        return secrets.token_hex(16)

    def save(self, board: str, game: PlayedGame) -> None:
        """Write the file of a board. Raises Unwritable."""
        write_whole(self._path(board), game.stored().model_dump_json(exclude_none=True))

    def load(self, board: str) -> PlayedGame:
        """Return the game of a board. Raises UnknownBoard if there is none, or if its file is damaged."""
        path = self._path(board)
        if not path.exists():
            raise UnknownBoard(f"there is no board {shortened(board)}")
        try:
            return PlayedGame.of(StoredBoard.model_validate_json(read_text(path, LARGEST_FILE)))
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False)[0]
            reason = f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
        except TengenError as error:
            reason = str(error)
        raise UnknownBoard(f"the file of board {shortened(board)} is damaged: {shortened(reason, 200)[1:-1]}")

    def delete(self, board: str) -> None:
        self._path(board).unlink(missing_ok=True)

    def entries(self) -> list[BoardEntry]:
        """Return the boards that can be opened, the last changed first; damaged files are left out."""
        newest = sorted(((_changed(path), path.stem) for path in self._paths()), reverse=True)[:LISTED]
        self._listed = {board: (changed, self._entry(board, changed)) for changed, board in newest}
        return [entry for _, entry in self._listed.values() if entry is not None]

    def _entry(self, board: str, changed: float) -> BoardEntry | None:
        """Return a board as it is listed, read again only if its file has changed; None if it is damaged."""
        known = self._listed.get(board)
        if known is not None and known[0] == changed:
            return known[1]
        try:
            return _entry(board, changed, self.load(board))
        except TengenError:
            return None

    def _paths(self) -> list[Path]:
        try:
            return [path for path in self.folder.iterdir() if path.suffix == SUFFIX and _ID.fullmatch(path.stem)]
        except OSError as error:
            raise UnknownBoard(f"{shortened(self.folder, 160)} cannot be read: {error.strerror or error}") from None

    def _path(self, board: str) -> Path:
        if not _ID.fullmatch(board):
            raise UnknownBoard(f"{shortened(board)} is not the id of a board")
        return self.folder / f"{board}{SUFFIX}"


def _changed(path: Path) -> float:
    """Return the time of a file's last change; 0 if it is gone."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _entry(board: str, changed: float, game: PlayedGame) -> BoardEntry:
    black, white = (choice.player if choice else "person" for choice in game.players.values())
    return BoardEntry(
        board=board,
        title=title_of(game.game),
        moves=len(game.position.history),
        changed=changed,
        black=black,
        white=white,
        is_over=game.position.is_over or game.resigned is not None,
    )
