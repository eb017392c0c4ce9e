import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { heatMap, type Quantity } from "../board/heat";
import type { Mark } from "../board/overlay";
import { Controls } from "../panels/controls";
import { BoardAsText, GameBoard } from "../panels/game_board";
import { HeatChoice, type Shown } from "../panels/heat_choice";
import { SearchPanel, type SearchTab } from "../panels/search_panel";
import { pictureOf, type Phase } from "../panels/simulation";
import { StatusPanel } from "../panels/status";
import { Steps, WinRateGraph } from "../panels/graph";
import { ghostsOf } from "../panels/variation";
import type { Panel } from "../protocol";
import { percentage, number, positionLabel } from "../texts";
import type { BoardViewProps } from "./board_views";

/** The search that the board shows: an analysis of the position, the player's own search, or that of a hint. */
function shownPanel({ state, position }: BoardViewProps): Panel | null {
  const { analysis, thinking, hint } = state;
  if (analysis && analysis.move_number === position.move_number) return analysis.panels[0] ?? null;
  if (thinking?.active && thinking.panel) return thinking.panel;
  if (hint && hint.move_number === position.move_number) return hint.panel ?? null;
  return null;
}

export function PlayView(props: BoardViewProps) {
  const { session, state, board, position } = props;
  const [shown, setShown] = useState<Shown>("visits");
  const [pointed, setPointed] = useState<readonly string[] | null>(null);
  const [tab, setTab] = useState<SearchTab>("moves");
  const [phase, setPhase] = useState<Phase>("selection");
  const [playoutMoves, setPlayoutMoves] = useState(0);
  const panel = shownPanel(props);
  const { step } = state;

  useEffect(() => {
    setPhase("selection");
    setPlayoutMoves(step?.playout.length ?? 0);
  }, [step]);
  const at = `${position.move_number}/${position.stones}`;
  useEffect(() => setPointed(null), [at]);
  const needsOwnership = shown === "ownership" && board.has_ownership && !state.score && state.connection === "open";
  useEffect(() => {
    if (needsOwnership) void session.ask({ type: "score", playouts: 500 });
  }, [needsOwnership, at]);

  const map = useMemo(
    () => (shown === "none" ? null : heatMap(shown as Quantity, panel?.moves ?? [], state.score?.ownership)),
    [shown, panel, state.score],
  );
  const picture = step && tab === "simulation" ? pictureOf(step, phase, playoutMoves) : null;
  const ghosts = useMemo(
    () => picture?.ghosts ?? (pointed ? ghostsOf(pointed, position.to_play) : []),
    [picture?.ghosts, pointed, position.to_play],
  );
  const hint = state.hint?.move_number === position.move_number ? state.hint.move : null;
  const marks = useMemo(() => {
    const found: Mark[] = [...(picture?.marks ?? [])];
    if (position.last_move && !picture?.letters) found.push({ cell: position.last_move.move, kind: "last" });
    if (hint) found.push({ cell: hint, kind: "hint" });
    return found;
  }, [picture?.marks, picture?.letters, position.last_move, hint]);

  const analysed = state.analysis && panel === state.analysis.panels[0] ? panel?.black_win_rate : undefined;
  const rates = useMemo(
    () => position.black_win_rates.map((rate, move) => (move === position.move_number ? (analysed ?? rate) : rate)),
    [position.black_win_rates, position.move_number, analysed],
  );
  const canPlay = position.turn === "person" && state.connection === "open";
  const legal = useMemo(() => new Set(canPlay ? position.legal : []), [canPlay, position.legal]);
  const play = useCallback((move: string) => void session.send({ type: "play", move }), [session]);
  const point = useCallback(
    (cell: string | null) => {
      const line = cell === null ? undefined : panel?.moves.find((move) => move.move === cell)?.variation;
      setPointed(line?.length ? line : null);
    },
    [panel],
  );
  const describe = (cell: string) => {
    const stone = position.stones[board.geometry.cells.findIndex((known) => known.name === cell)];
    const move = panel?.moves.find((known) => known.move === cell);
    const words = stone === "b" ? "black" : stone === "w" ? "white" : "empty";
    return move && move.visits > 0 ? `${words}, ${number(move.visits)} visits, value ${percentage(move.value)}` : words;
  };
  const goTo = useCallback((move: number) => void session.send({ type: "goto", move }), [session]);

  return (
    <div class="play">
      <section class="stack board-column" aria-label="Board">
        <GameBoard
          geometry={board.geometry}
          letters={picture?.letters ?? position.stones}
          diagram={position.diagram}
          label={positionLabel(board, position)}
          heat={picture ? null : map}
          ghosts={ghosts}
          trail={picture?.trail ?? []}
          marks={marks}
          legal={legal}
          onPlay={canPlay ? play : undefined}
          onPoint={point}
          describe={describe}
        />
        <Controls {...props} canPlay={canPlay} />
        <HeatChoice
          name="heat"
          shown={shown}
          onChange={setShown}
          map={map}
          hasOwnership={board.has_ownership}
          missing={missing(shown, panel)}
        />
        <BoardAsText diagram={position.diagram} />
      </section>
      <div class="stack side-column">
        <StatusPanel {...props} hint={hint} />
        <section class="panel stack tight" aria-label="Game">
          <div class="row spread">
            <h2>Win rate of Black, %</h2>
            <Steps current={position.move_number} length={position.moves.length} onGo={goTo} />
          </div>
          <WinRateGraph rates={rates} current={position.move_number} length={position.moves.length} onGo={goTo} />
        </section>
        <SearchPanel
          {...props}
          panel={panel}
          tab={tab}
          onTab={setTab}
          phase={phase}
          onPhase={setPhase}
          playoutMoves={playoutMoves}
          onPlayoutMoves={setPlayoutMoves}
          onPoint={setPointed}
          onPlay={canPlay ? play : undefined}
        />
      </div>
    </div>
  );
}

function missing(shown: Shown, panel: Panel | null): string | undefined {
  if (shown === "ownership") return "Playouts are running.";
  if (!panel) return "No search of this position yet: start an analysis.";
  if (panel.moves.every((move) => !move.visits)) return undefined;
  return `${panel.player} has no such values.`;
}
