import { useEffect, useState } from "preact/hooks";
import type { Panel } from "../protocol";
import { choiceOf, OWN_BUDGET, presetsFor, type Budget, type PlayerDraft } from "../schema";
import type { BoardViewProps } from "../views/board_views";
import { MovesTable } from "./moves_table";
import { BudgetField, PlayerForm } from "./player_form";
import { SearchNumbers } from "./search_numbers";
import type { Phase } from "./simulation";
import { SimulationPanel } from "./simulation_panel";
import { TreeView } from "./tree_view";
import { Tabs } from "./tabs";

export type SearchTab = "moves" | "tree" | "simulation";

const TABS: readonly [SearchTab, string][] = [
  ["moves", "Moves"],
  ["tree", "Tree"],
  ["simulation", "One simulation"],
];

/** The analysing player offered first: one with RAVE values if there is one, so that every heat map has values. */
export function analysingDraft({ catalogue, board }: Pick<BoardViewProps, "catalogue" | "board">, wanted = "mc-rave"): PlayerDraft {
  const presets = presetsFor(catalogue, board.game.name, (preset) => preset.searches && preset.has_tree);
  const preset = presets.find((known) => known.name === wanted) ?? presets[0];
  return { preset: preset?.name ?? "", changed: {}, budget: OWN_BUDGET };
}

/** The analysis of the shown position: its player and budget, its numbers, moves and tree, and single simulations. */
export function SearchPanel(
  props: BoardViewProps & {
    panel: Panel | null;
    tab: SearchTab;
    onTab: (tab: SearchTab) => void;
    phase: Phase;
    onPhase: (phase: Phase) => void;
    playoutMoves: number;
    onPlayoutMoves: (moves: number) => void;
    onPoint: (line: readonly string[] | null) => void;
    onPlay?: ((move: string) => void) | undefined;
  },
) {
  const { session, state, board, position, catalogue, panel, tab, onTab, onPoint } = props;
  const [draft, setDraft] = useState(() => analysingDraft(props));
  const [budget, setBudget] = useState<Budget>({ kind: "simulations", amount: 20_000 });
  const { analysis } = state;
  const isHere = analysis !== null && analysis.move_number === position.move_number;
  const isRunning = analysis?.running ?? false;
  const isOpen = state.connection === "open";
  const players = [choiceOf(catalogue, board.game.name, draft)];
  const [isStarting, setStarting] = useState(false);
  const start = async () => {
    setStarting(true);
    await session.send({
      type: "start_analysis",
      players,
      simulations: budget.kind === "simulations" ? budget.amount : 0,
      seconds: budget.kind === "seconds" ? budget.amount : 0,
    });
    setStarting(false);
  };
  const step = async () => {
    if (!isHere && !(await session.send({ type: "start_analysis", players, simulations: 0 }))) return;
    await session.send({ type: "step", panel: 0 });
  };
  const chosen = JSON.stringify(players);
  useEffect(() => session.clearStep(), [chosen]);
  const point = (move: string | null) => {
    const found = move === null ? undefined : panel?.moves.find((known) => known.move === move);
    onPoint(found ? (found.variation?.length ? found.variation : [found.move]) : null);
  };
  return (
    <section class="panel stack tight" aria-label="Search">
      <div class="row spread">
        <h2>{panel && !isHere ? `Search of ${panel.player}` : "Search"}</h2>
        <div class="row nowrap">
          {isRunning ? (
            <button type="button" class="button" disabled={!isOpen} onClick={() => void session.send({ type: "stop_analysis" })}>
              Stop
            </button>
          ) : (
            <button type="button" class="button primary" disabled={!isOpen || position.is_over || isStarting} onClick={() => void start()}>
              Analyse
            </button>
          )}
        </div>
      </div>
      <SearchNumbers panel={panel} isRunning={isRunning} />
      <details>
        <summary>
          {draft.preset}, {budget.amount.toLocaleString("en")} {budget.kind}
        </summary>
        <div class="stack option-groups">
          <BudgetField budget={budget} onChange={setBudget} label="Budget per position" />
          <PlayerForm
            catalogue={catalogue}
            game={board.game.name}
            draft={draft}
            onChange={setDraft}
            title="Algorithm"
            wanted={(preset) => preset.searches}
            hasBudget={false}
          />
        </div>
      </details>
      <Tabs tabs={TABS} current={tab} onChange={onTab} label="Search">
        {tab === "moves" &&
          (panel ? (
            <MovesTable moves={panel.moves} caption="Moves of the search, the best first" onPoint={point} onPlay={props.onPlay} />
          ) : (
            <p class="soft">No search of this position yet. Analyse shows what the search finds; the heat map lies over the board.</p>
          ))}
        {tab === "tree" &&
          (isHere ? (
            <TreeView
              session={session}
              panel={0}
              position={`${position.move_number}/${position.stones}/${chosen}`}
              simulations={panel?.simulations ?? 0}
              isRunning={isRunning}
              onPoint={onPoint}
            />
          ) : (
            <p class="soft">No tree yet: start an analysis or run one simulation.</p>
          ))}
        {tab === "simulation" && (
          <SimulationPanel
            step={state.step}
            phase={props.phase}
            shown={props.playoutMoves}
            onPhase={props.onPhase}
            onShown={props.onPlayoutMoves}
            onStep={() => void step()}
            isReady={isOpen && !position.is_over}
          />
        )}
      </Tabs>
    </section>
  );
}
