import { useCallback, useMemo, useState } from "preact/hooks";
import { heatMap, type Quantity } from "../board/heat";
import type { Mark } from "../board/overlay";
import { BoardAsText, GameBoard } from "../panels/game_board";
import { Steps } from "../panels/graph";
import { HeatChoice, type Shown } from "../panels/heat_choice";
import { MovesTable } from "../panels/moves_table";
import { BudgetField, PlayerForm } from "../panels/player_form";
import { SearchNumbers } from "../panels/search_numbers";
import { analysingDraft } from "../panels/search_panel";
import { ghostsOf } from "../panels/variation";
import type { Panel } from "../protocol";
import { choiceOf, type Budget, type PlayerDraft } from "../schema";
import { percentage, positionLabel } from "../texts";
import type { BoardViewProps } from "./board_views";

/** Two algorithms search one position with the same budget; each board shows the heat map of its own search. */
export function CompareView(props: BoardViewProps) {
  const { session, state, board, position, catalogue } = props;
  const [drafts, setDrafts] = useState<readonly [PlayerDraft, PlayerDraft]>(() => [
    analysingDraft(props, "uct"),
    analysingDraft(props, "mc-rave"),
  ]);
  const [budget, setBudget] = useState<Budget>({ kind: "simulations", amount: 10_000 });
  const [shown, setShown] = useState<Shown>("visits");
  const { analysis } = state;
  const isHere = analysis !== null && analysis.move_number === position.move_number && analysis.panels.length === 2;
  const isRunning = isHere && analysis.running;
  const isOpen = state.connection === "open";
  const start = () =>
    void session.send({
      type: "start_analysis",
      players: drafts.map((draft) => choiceOf(catalogue, board.game.name, draft)),
      simulations: budget.kind === "simulations" ? budget.amount : 0,
      seconds: budget.kind === "seconds" ? budget.amount : 0,
      share: budget.kind === "seconds" ? "seconds" : "simulations",
      playouts: shown === "ownership" ? 500 : 0,
    });
  const set = (index: 0 | 1, draft: PlayerDraft) => setDrafts(([a, b]) => (index === 0 ? [draft, b] : [a, draft]));
  const goTo = (move: number) => void session.send({ type: "goto", move });
  return (
    <div class="compare stack">
      <section class="panel stack tight" aria-label="Budget">
        <div class="row spread">
          <h1>Side by side</h1>
          <Steps current={position.move_number} length={position.moves.length} onGo={goTo} />
        </div>
        <div class="row spread compare-controls">
          <div class="row">
            <BudgetField budget={budget} onChange={setBudget} label="Budget of each search" />
            {isRunning ? (
              <button type="button" class="button" onClick={() => void session.send({ type: "stop_analysis" })}>
                Stop
              </button>
            ) : (
              <button type="button" class="button primary" disabled={!isOpen || position.is_over} onClick={start}>
                Search
              </button>
            )}
            <button type="button" class="button" disabled={!isOpen || !position.moves.length} onClick={() => void session.send({ type: "undo", count: 1 })}>
              Undo
            </button>
          </div>
          <HeatChoice
            name="compare-heat"
            shown={shown}
            onChange={setShown}
            map={shown === "none" || !isHere ? null : heatMap(shown as Quantity, analysis.panels[1]?.moves ?? [], state.score?.ownership)}
            hasOwnership={false}
            missing={isHere ? `${drafts[1].preset} has no such values.` : "Search shows the values."}
          />
        </div>
      </section>
      <div class="two">
        {([0, 1] as const).map((index) => (
          <Column
            key={index}
            {...props}
            index={index}
            panel={isHere ? (analysis.panels[index] ?? null) : null}
            isRunning={isRunning}
            draft={drafts[index]}
            onDraft={(draft) => set(index, draft)}
            shown={shown}
          />
        ))}
      </div>
      <BoardAsText diagram={position.diagram} />
    </div>
  );
}

function Column(
  props: BoardViewProps & {
    index: 0 | 1;
    panel: Panel | null;
    isRunning: boolean;
    draft: PlayerDraft;
    onDraft: (draft: PlayerDraft) => void;
    shown: Shown;
  },
) {
  const { session, state, board, position, catalogue, index, panel, isRunning, draft, onDraft, shown } = props;
  const [pointed, setPointed] = useState<readonly string[] | null>(null);
  const map = useMemo(
    () => (shown === "none" ? null : heatMap(shown as Quantity, panel?.moves ?? [], state.score?.ownership)),
    [shown, panel, state.score],
  );
  const marks = useMemo(() => {
    const found: Mark[] = position.last_move ? [{ cell: position.last_move.move, kind: "last" }] : [];
    if (panel?.best && panel.simulations) found.push({ cell: panel.best, kind: "best" });
    return found;
  }, [position.last_move, panel?.best, panel?.simulations]);
  const ghosts = useMemo(() => (pointed ? ghostsOf(pointed, position.to_play) : []), [pointed, position.to_play]);
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
  const name = index === 0 ? "Left" : "Right";
  return (
    <section class="panel stack tight" aria-label={`${name}: ${draft.preset}`} data-panel={index}>
      <PlayerForm
        catalogue={catalogue}
        game={board.game.name}
        draft={draft}
        onChange={onDraft}
        title={`${name} algorithm`}
        wanted={(preset) => preset.searches}
        hasBudget={false}
      />
      <GameBoard
        geometry={board.geometry}
        letters={position.stones}
        diagram={position.diagram}
        label={`${positionLabel(board, position)}; search of ${draft.preset}${panel?.best ? `, best ${panel.best}, value ${percentage(panel.value)}` : ""}`}
        heat={map}
        ghosts={ghosts}
        marks={marks}
        legal={legal}
        onPlay={canPlay ? play : undefined}
        onPoint={point}
        tallest={62}
      />
      <SearchNumbers panel={panel} isRunning={isRunning} />
      {panel && <MovesTable moves={panel.moves} caption={`Best moves of ${panel.player}`} onPoint={point} most={8} />}
    </section>
  );
}
