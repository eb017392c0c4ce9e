import { useMemo, useState } from "preact/hooks";
import type { MoveReport } from "../protocol";
import { number, percentage, signed } from "../texts";

interface Column {
  readonly key: keyof MoveReport;
  readonly title: string;
  readonly meaning: string;
  readonly write: (value: number) => string;
}

const percent = (value: number) => percentage(value);
const COLUMNS: readonly Column[] = [
  { key: "visits", title: "Visits", meaning: "simulations that began with the move", write: number },
  { key: "value", title: "Value", meaning: "win rate for the side to move", write: percent },
  { key: "selection_value", title: "Selection", meaning: "value in the formula of the tree policy, which selects the highest", write: (value) => value.toFixed(3) },
  { key: "greedy_value", title: "Greedy", meaning: "value in the formula without exploration", write: percent },
  { key: "rave_value", title: "RAVE", meaning: "RAVE value", write: percent },
  { key: "rave_weight", title: "β", meaning: "weight of the RAVE value", write: percent },
  { key: "prior", title: "Prior", meaning: "value by prior knowledge", write: percent },
  { key: "score", title: "Score", meaning: "Black's mean margin", write: (value) => signed(value) },
];

interface Order {
  readonly key: keyof MoveReport;
  readonly isDescending: boolean;
}

/** The moves of a node: sortable, with the move of a row shown on the board while it is hovered or focused. */
export function MovesTable(props: {
  moves: readonly MoveReport[];
  caption: string;
  onPoint?: (move: string | null) => void;
  onPlay?: ((move: string) => void) | undefined;
  highlighted?: string | null;
  most?: number;
}) {
  const { moves, onPoint, onPlay, highlighted, most = 400 } = props;
  const [order, setOrder] = useState<Order | null>(null);
  const columns = useMemo(
    () => COLUMNS.filter(({ key }) => key === "visits" || key === "value" || moves.some((move) => move[key] !== undefined)),
    [moves],
  );
  const sorted = useMemo(() => {
    const shown = order ? [...moves].sort((a, b) => (order.isDescending ? -1 : 1) * compare(a[order.key], b[order.key])) : moves;
    return shown.slice(0, most);
  }, [moves, order, most]);
  const by = (key: keyof MoveReport) =>
    setOrder((old) => (old?.key === key ? { key, isDescending: !old.isDescending } : { key, isDescending: key !== "move" }));
  const heading = (key: keyof MoveReport, title: string, meaning: string) => (
    <th key={key} scope="col" aria-sort={order?.key === key ? (order.isDescending ? "descending" : "ascending") : "none"}>
      <button type="button" title={meaning} onClick={() => by(key)}>
        {title}
        <span aria-hidden="true">{order?.key === key ? (order.isDescending ? " ↓" : " ↑") : ""}</span>
      </button>
    </th>
  );
  const top = Math.max(1, ...moves.map((move) => move.visits));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={props.caption}>
      <table class="moves-table">
        <caption class="for-screen-readers">{props.caption}</caption>
        <thead>
          <tr>
            {heading("move", "Move", "the move")}
            {columns.map(({ key, title, meaning }) => heading(key, title, meaning))}
          </tr>
        </thead>
        <tbody onPointerLeave={() => onPoint?.(null)}>
          {sorted.map((move) => (
            <tr
              key={move.move}
              class={highlighted === move.move ? "highlighted" : ""}
              data-move={move.move}
              onPointerEnter={() => onPoint?.(move.move)}
            >
              <th scope="row">
                {onPlay ? (
                  <button
                    type="button"
                    class="move-button"
                    onFocus={() => onPoint?.(move.move)}
                    onBlur={() => onPoint?.(null)}
                    onClick={() => onPlay(move.move)}
                    title={`Play ${move.move}`}
                  >
                    {move.move}
                  </button>
                ) : (
                  move.move
                )}
                {move.proof && <span class={`proof ${move.proof}`}>proved {move.proof}</span>}
                {move.pruned && <span class="proof">pruned</span>}
              </th>
              {columns.map(({ key, write }) => {
                const value = move[key];
                return (
                  <td key={key} class="number">
                    {key === "visits" && <Bar share={move.visits / top} />}
                    <span class={key === "visits" ? "count" : undefined}>
                      {typeof value === "number" && Number.isFinite(value) ? write(value) : "–"}
                    </span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Bar({ share }: { share: number }) {
  return (
    <svg class="bar" viewBox="0 0 40 6" width="40" height="6" aria-hidden="true" preserveAspectRatio="none">
      <rect width="40" height="6" rx="3" class="bar-back" />
      <rect width={40 * Math.sqrt(share)} height="6" rx="3" class="bar-front" />
    </svg>
  );
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === "string" && typeof b === "string") return a.localeCompare(b, "en", { numeric: true });
  return (typeof a === "number" ? a : -Infinity) - (typeof b === "number" ? b : -Infinity);
}
