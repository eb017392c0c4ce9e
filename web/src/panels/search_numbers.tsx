import type { Panel } from "../protocol";
import { number, percentage } from "../texts";

/** Live numbers of one search. */
export function SearchNumbers({ panel, isRunning }: { panel: Panel | null; isRunning: boolean }) {
  const rows: [string, string][] = panel
    ? [
        ["Simulations", number(panel.simulations)],
        ["Per second", panel.simulations_per_second ? number(panel.simulations_per_second) : "–"],
        ["Mean depth", panel.mean_depth === undefined ? "–" : panel.mean_depth.toFixed(1)],
        ["Deepest", panel.deepest === undefined ? "–" : String(panel.deepest)],
        ["Nodes", panel.nodes === undefined ? "–" : number(panel.nodes)],
        ["Win rate", percentage(panel.value)],
      ]
    : ["Simulations", "Per second", "Mean depth", "Deepest", "Nodes", "Win rate"].map((name) => [name, "–"]);
  return (
    <dl class="numbers" data-running={isRunning} data-simulations={panel?.simulations ?? 0}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="number">{value}</dd>
        </div>
      ))}
      {panel?.proof && (
        <div>
          <dt>Proved</dt>
          <dd>{panel.proof}</dd>
        </div>
      )}
    </dl>
  );
}
