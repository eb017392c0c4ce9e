import { marginText, number, percentage, sideName, signed } from "../texts";
import type { Colour } from "../protocol";
import { SidesForm } from "./sides_form";
import type { BoardViewProps } from "../views/board_views";

/** Who plays, whose turn it is, and what hint and score say. */
export function StatusPanel(props: BoardViewProps & { hint: string | null }) {
  const { state, board, position, hint } = props;
  const { thinking, score } = state;
  const last = position.last_move;
  const played = last ? `${capitalOf(last.colour)} played ${last.move}. ` : "";
  const line = position.is_over
    ? (position.result ?? "The game is over.")
    : thinking?.active
      ? `${capitalOf(thinking.colour)} is thinking${thinking.panel ? `: ${number(thinking.panel.simulations)} simulations` : ""}.`
      : position.turn === "person"
        ? `${played}${capitalOf(position.to_play)} to play: your move.`
        : position.move_number < position.moves.length
          ? `${capitalOf(position.to_play)} to play.`
          : `${capitalOf(position.to_play)} is about to move.`;
  return (
    <section class="panel stack tight status" aria-label="Players" data-over={position.is_over} data-turn={position.turn ?? ""} data-moves={position.moves.length}>
      <h1 class="for-screen-readers">{board.title}</h1>
      {(["black", "white"] as const).map((colour) => (
        <SideRow key={colour} colour={colour} {...props} />
      ))}
      <p class="turn" role="status">
        {line}
      </p>
      {hint && (
        <p role="status" class="soft">
          Hint: <strong class="ink">{hint}</strong>
          {state.hint?.panel?.value !== undefined && `, win rate ${percentage(state.hint.panel.value)}`}
        </p>
      )}
      {score && score.move_number === position.move_number && (
        <p role="status" class="soft number">
          Score by {number(score.playouts)} playouts: {marginText(Math.round(10 * score.mean) / 10)} on average (Black {signed(score.mean)} ±{" "}
          {score.deviation.toFixed(1)}
          {score.margin !== undefined && `; ${marginText(score.margin)} as it stands`})
        </p>
      )}
      <SidesForm key={board.board} {...props} />
    </section>
  );
}

function SideRow({ colour, board, position }: BoardViewProps & { colour: Colour }) {
  const isToMove = !position.is_over && position.to_play === colour;
  const captured = position.captures[colour];
  const count = [...position.stones].filter((letter) => letter === (colour === "black" ? "b" : "w")).length;
  return (
    <div class={`side${isToMove ? " to-move" : ""}`}>
      <span class={`dot ${colour}`} aria-hidden="true" />
      <span class="side-name">
        <span class="for-screen-readers">{colour}: </span>
        {sideName(board[colour])}
      </span>
      <span class="soft number">
        {count} on the board
        {captured > 0 && ` · ${captured} captured`}
      </span>
      {position.winner === colour && <span class="tag">won</span>}
    </div>
  );
}

function capitalOf(colour: Colour): string {
  return colour === "black" ? "Black" : "White";
}
