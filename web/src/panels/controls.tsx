import { useEffect, useState } from "preact/hooks";
import { capital, download } from "../texts";
import type { BoardViewProps } from "../views/board_views";

/** The buttons of the game: pass and other moves without a cell, undo, hint, score, resign, record. */
export function Controls(props: BoardViewProps & { canPlay: boolean }) {
  const { session, state, board, position, canPlay } = props;
  const [isResigning, setResigning] = useState(false);
  const [isAsking, setAsking] = useState(false);
  useEffect(() => setResigning(false), [position]);
  const isOpen = state.connection === "open";
  const isThinking = state.thinking?.active ?? false;
  const ask = async (type: "hint" | "score") => {
    setAsking(true);
    await session.send({ type });
    setAsking(false);
  };
  const save = async () => {
    const reply = await session.send({ type: "save_record" });
    if (reply?.type === "record") download(reply.name, reply.text);
  };
  const moves = board.geometry.kind === "diagram" ? position.legal : board.geometry.named_moves;
  const hasPlayer = board.black.kind === "player" || board.white.kind === "player";
  return (
    <div class="controls row" role="group" aria-label="Game">
      {moves.map((move) => (
        <button
          key={move}
          type="button"
          class="button"
          disabled={!canPlay || !position.legal.includes(move)}
          onClick={() => void session.send({ type: "play", move })}
        >
          {capital(move)}
        </button>
      ))}
      <button type="button" class="button" disabled={!isOpen || !position.moves.length} onClick={() => void session.send({ type: "undo" })}>
        Undo
      </button>
      <button type="button" class="button" disabled={!isOpen || position.is_over || isAsking} onClick={() => void ask("hint")}>
        Hint
      </button>
      <button type="button" class="button" disabled={!isOpen || isAsking} onClick={() => void ask("score")}>
        Score
      </button>
      {!position.is_over && (
        <button
          type="button"
          class="button"
          disabled={!isOpen}
          onClick={() => void session.send({ type: "move_now" })}
          title="End the search and play the best move so far; on a person's turn, let a player move"
        >
          {isThinking || !hasPlayer ? "Move now" : "Play for me"}
        </button>
      )}
      {!position.is_over &&
        (isResigning ? (
          <span class="row nowrap">
            <button type="button" class="button danger" onClick={() => void session.send({ type: "resign" })}>
              Resign the game
            </button>
            <button type="button" class="button quiet" onClick={() => setResigning(false)}>
              Cancel
            </button>
          </span>
        ) : (
          <button type="button" class="button" disabled={!isOpen} onClick={() => setResigning(true)}>
            Resign
          </button>
        ))}
      {board.record_suffix && (
        <button type="button" class="button" disabled={!isOpen} onClick={() => void save()}>
          Save {board.record_suffix.replace(".", "").toUpperCase()}
        </button>
      )}
    </div>
  );
}
