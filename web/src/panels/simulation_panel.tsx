import { useId } from "preact/hooks";
import type { StepMessage } from "../protocol";
import { number, percentage } from "../texts";
import { MovesTable } from "./moves_table";
import { PHASES, resultText, type Phase } from "./simulation";

/** One simulation in words and numbers: a tab for each of its four phases. */
export function SimulationPanel(props: {
  step: StepMessage | null;
  phase: Phase;
  shown: number;
  onPhase: (phase: Phase) => void;
  onShown: (shown: number) => void;
  onStep: () => void;
  isReady: boolean;
}) {
  const { step, phase, shown, onPhase, onShown, onStep, isReady } = props;
  const index = PHASES.findIndex((known) => known.phase === phase);
  const next = PHASES[index + 1];
  return (
    <div class="stack tight" data-phase={step ? phase : ""}>
      <div class="row">
        <button type="button" class="button primary" disabled={!isReady} onClick={onStep}>
          Run one simulation
        </button>
        {step && next && (
          <button type="button" class="button" onClick={() => onPhase(next.phase)}>
            Next: {next.name.toLowerCase()}
          </button>
        )}
      </div>
      {!step && (
        <p class="soft">
          Runs a single simulation of the search and shows its four phases on the board: the path that selection takes, the
          new node, the playout, and the statistics that the backup changes.
        </p>
      )}
      {step && (
        <>
          <div class="phases" role="group" aria-label={`Phases of simulation ${step.simulation}`}>
            {PHASES.map((known, order) => (
              <button key={known.phase} type="button" class="phase" aria-pressed={known.phase === phase} onClick={() => onPhase(known.phase)}>
                <span class="phase-number" aria-hidden="true">
                  {order + 1}
                </span>
                {known.name}
              </button>
            ))}
          </div>
          <p aria-live="polite">
            <strong class="number">Simulation {number(step.simulation)}.</strong> {PHASES[index]?.meaning}
          </p>
          {phase === "selection" && <Selection step={step} />}
          {phase === "expansion" && <Expansion step={step} />}
          {phase === "playout" && <Playout step={step} shown={shown} onShown={onShown} />}
          {phase === "backup" && <Backup step={step} />}
        </>
      )}
    </div>
  );
}

function Selection({ step }: { step: StepMessage }) {
  if (!step.selection.length) return <p class="soft">The game is over at the root.</p>;
  return (
    <ol class="plies">
      {step.selection.map((selected, index) => (
        <li key={index}>
          <details open={index === 0}>
            <summary>
              {selected.colour} selects <strong>{selected.move}</strong>
              {selected.is_new && <span class="soft"> · not in the tree yet</span>}
            </summary>
            <MovesTable
              moves={selected.moves.filter(({ move, selection_value }) => move === selected.move || selection_value !== undefined).map(({ move, visits, value, selection_value, rave_weight }) => ({
                move,
                visits,
                ...(value === undefined ? {} : { value }),
                ...(selection_value === undefined ? {} : { selection_value }),
                ...(rave_weight === undefined ? {} : { rave_weight }),
              }))}
              caption={`Moves at ply ${index + 1} before the simulation`}
              highlighted={selected.move}
              most={6}
            />
          </details>
        </li>
      ))}
    </ol>
  );
}

function Expansion({ step }: { step: StepMessage }) {
  if (!step.expanded) return <p>No node was added: the game ended in the tree, the move is too rarely visited, or the memory is full.</p>;
  return (
    <p>
      New node after <strong>{step.expanded.join(" ")}</strong>, at depth {step.expanded.length}.
    </p>
  );
}

function Playout({ step, shown, onShown }: { step: StepMessage; shown: number; onShown: (shown: number) => void }) {
  const length = step.playout.length;
  const id = useId();
  return (
    <div class="stack tight">
      <div class="field">
        <label for={id}>
          Moves of the playout: <span class="number">{Math.min(shown, length)}</span> of {length}
        </label>
        <input id={id} type="range" min={0} max={length} value={Math.min(shown, length)} onInput={(event) => onShown(Number(event.currentTarget.value))} />
      </div>
      <p>
        {resultText(step)}.{" "}
        <span class="soft">{shown >= length && step.final_stones ? "The board shows the end of the playout." : "Captured and turned stones change at the end only."}</span>
      </p>
    </div>
  );
}

function Backup({ step }: { step: StepMessage }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Statistics changed by the backup">
      <table>
        <caption class="for-screen-readers">Statistics changed by the backup, the last node first</caption>
        <thead>
          <tr>
            <th scope="col">Move</th>
            <th scope="col">Depth</th>
            <th scope="col">Visits</th>
            <th scope="col">Value</th>
            <th scope="col">RAVE updates</th>
          </tr>
        </thead>
        <tbody>
          {step.backup.map((update) => (
            <tr key={update.path.join(" ")}>
              <th scope="row">
                <span class={`dot ${update.colour}`} aria-label={update.colour} role="img" /> {update.move}
              </th>
              <td class="number">{update.path.length + 1}</td>
              <td class="number">
                {number(update.before.visits)} → {number(update.after.visits)}
              </td>
              <td class="number">
                {percentage(update.before.value)} → {percentage(update.after.value)}
              </td>
              <td class="number">{update.rave.length || "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
