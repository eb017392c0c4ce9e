import { useMemo, useState } from "preact/hooks";
import type { Mark } from "../board/overlay";
import { BoardAsText, GameBoard } from "../panels/game_board";
import { Steps, WinRateGraph } from "../panels/graph";
import { BudgetField, PlayerForm } from "../panels/player_form";
import { analysingDraft } from "../panels/search_panel";
import { ghostsOf } from "../panels/variation";
import type { ReviewedMove } from "../protocol";
import { choiceOf, type Budget } from "../schema";
import { download, percentage, positionLabel } from "../texts";
import type { BoardViewProps } from "./board_views";

/** The review of a whole game: graph, blunders and better lines. */
export function ReviewView(props: BoardViewProps) {
  const { session, state, board, position, catalogue } = props;
  const [draft, setDraft] = useState(() =>
    analysingDraft(props, catalogue.games.find((game) => game.name === board.game.name)?.default_player),
  );
  const [budget, setBudget] = useState<Budget>({ kind: "seconds", amount: 0.5 });
  const [blunder, setBlunder] = useState(10);
  const [pointed, setPointed] = useState<ReviewedMove | null>(null);
  const { review } = state;
  const moves = review?.done === 1 ? review.moves : [];
  const isRunning = review !== null && review.done < 1 && review.player !== "" && !(review.done === 0 && review.moves.length > 0);
  const isOpen = state.connection === "open";
  const goTo = (move: number) => void session.send({ type: "goto", move });
  const current = moves[position.move_number - 1];
  const upcoming = moves[position.move_number];
  const blunders = moves.filter((move) => move.is_blunder);

  const rates = useMemo(
    () => (moves.length ? [moves[0]?.black_before ?? null, ...moves.map((move) => move.black_after)] : position.black_win_rates),
    [moves, position.black_win_rates],
  );
  const graphMarks = blunders.map((move) => ({ move: move.number, text: `${move.number}. ${move.colour} ${move.move}: −${percentage(move.loss)}` }));
  const better = pointed && pointed.number === position.move_number + 1 ? pointed : upcoming?.has_better ? upcoming : null;
  const ghosts = useMemo(() => (better ? ghostsOf(better.variation, better.colour) : []), [better]);
  const marks = useMemo(() => {
    const found: Mark[] = position.last_move ? [{ cell: position.last_move.move, kind: "last" }] : [];
    if (current?.is_blunder) found.push({ cell: current.move, kind: "blunder" });
    if (upcoming && !better) found.push({ cell: upcoming.move, kind: "better" });
    return found;
  }, [position.last_move, current, upcoming, better]);

  const start = () =>
    void session.send({
      type: "start_review",
      player: choiceOf(catalogue, board.game.name, draft),
      simulations: budget.kind === "simulations" ? budget.amount : 0,
      seconds: budget.kind === "seconds" ? budget.amount : 0,
      blunder: blunder / 100,
    });
  return (
    <div class="play">
      <section class="stack board-column" aria-label="Board">
        <GameBoard
          geometry={board.geometry}
          letters={position.stones}
          diagram={position.diagram}
          label={positionLabel(board, position)}
          ghosts={ghosts}
          marks={marks}
        />
        <Steps current={position.move_number} length={position.moves.length} onGo={goTo} />
        <p class="soft review-line" aria-live="polite">
          {current ? remark(current) : moves.length ? "The start of the game." : ""}
          {better && upcoming && ` Better than ${upcoming.move} was ${better.variation.join(" ")}.`}
        </p>
        <BoardAsText diagram={position.diagram} />
      </section>
      <div class="stack side-column">
        <section class="panel stack tight" aria-label="Review">
          <h1>Review</h1>
          <details open={!moves.length}>
            <summary>
              {draft.preset}, {budget.amount} {budget.kind} per position
            </summary>
            <div class="stack option-groups">
              <PlayerForm
                catalogue={catalogue}
                game={board.game.name}
                draft={draft}
                onChange={setDraft}
                title="Reviewing player"
                wanted={(preset) => preset.searches && preset.has_tree}
                hasBudget={false}
              />
              <BudgetField budget={budget} onChange={setBudget} label="Per position" />
              <label class="field">
                Blunder: loss of win rate from, %
                <input
                  type="number"
                  min={1}
                  max={100}
                  value={blunder}
                  onChange={(event) => setBlunder(Math.min(100, Math.max(0, Number(event.currentTarget.value) || 0)))}
                />
              </label>
            </div>
          </details>
          <div class="row">
            {isRunning ? (
              <button type="button" class="button" onClick={() => void session.send({ type: "stop_review" })}>
                Stop
              </button>
            ) : (
              <button type="button" class="button primary" disabled={!isOpen || !position.moves.length} onClick={start}>
                Review the game
              </button>
            )}
            {review?.annotated && (
              <button type="button" class="button" onClick={() => download(`reviewed${board.record_suffix ?? ".txt"}`, review.annotated ?? "")}>
                Save with comments
              </button>
            )}
          </div>
          {isRunning && review && (
            <label class="field">
              <span>
                {review.player} reviews the game: <span class="number">{Math.round(100 * review.done)} %</span>
              </span>
              <progress max={1} value={review.done} />
            </label>
          )}
        </section>
        <section class="panel stack tight" aria-label="Game">
          <h2>Win rate of Black, %</h2>
          <WinRateGraph rates={rates} current={position.move_number} length={position.moves.length} marks={graphMarks} onGo={goTo} />
        </section>
        {moves.length > 0 && (
          <section class="panel stack tight" aria-label="Blunders" data-reviewed={moves.length}>
            <h2>
              Blunders <span class="soft number">{blunders.length}</span>
            </h2>
            {!blunders.length && <p class="soft">No move lost {blunder} % or more.</p>}
            <Losses moves={blunders} onGo={goTo} onPoint={setPointed} current={position.move_number} />
            <details>
              <summary>All {moves.length} moves</summary>
              <Losses moves={moves} onGo={goTo} onPoint={setPointed} current={position.move_number} />
            </details>
          </section>
        )}
      </div>
    </div>
  );
}

function Losses(props: {
  moves: readonly ReviewedMove[];
  onGo: (move: number) => void;
  onPoint: (move: ReviewedMove | null) => void;
  current: number;
}) {
  const { moves, onGo, onPoint, current } = props;
  if (!moves.length) return null;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Moves with their losses">
      <table>
        <thead>
          <tr>
            <th scope="col">Move</th>
            <th scope="col">Black wins</th>
            <th scope="col">Loss</th>
            <th scope="col" class="text">
              Better line
            </th>
          </tr>
        </thead>
        <tbody onPointerLeave={() => onPoint(null)}>
          {moves.map((move) => (
            <tr key={move.number} class={current === move.number ? "highlighted" : ""} onPointerEnter={() => onPoint(move)}>
              <th scope="row">
                <button type="button" class="move-button" onClick={() => onGo(move.number - 1)} title="Show the position before the move">
                  <span class="number">{move.number}.</span> <span class={`dot ${move.colour}`} role="img" aria-label={move.colour} /> {move.move}
                </button>
              </th>
              <td class="number">{percentage(move.black_after)}</td>
              <td class={`number${move.is_blunder ? " loss" : ""}`}>{percentage(Math.max(0, move.loss))}</td>
              <td class="text">{move.has_better ? move.variation.slice(0, 6).join(" ") : ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function remark(move: ReviewedMove): string {
  const lost = move.is_blunder ? `, a blunder that costs ${percentage(move.loss)}` : "";
  return `${move.number}. ${move.colour} ${move.move}${lost}. Black wins ${percentage(move.black_after)}.`;
}
