import { useEffect, useRef, useState } from "preact/hooks";
import { percentage } from "../texts";

export interface GraphMark {
  readonly move: number;
  readonly text: string;
}

const HEIGHT = 120;
const PAD = { left: 34, right: 10, top: 8, bottom: 20 };

/** Black's win rate over the game; a click or the arrow keys show a position. */
export function WinRateGraph(props: {
  rates: readonly (number | null)[];
  current: number;
  length: number;
  marks?: readonly GraphMark[];
  onGo: (move: number) => void;
}) {
  const { rates, current, marks = [], onGo } = props;
  const last = Math.max(props.length, 1);
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(400);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(160, element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const x = (move: number) => PAD.left + ((width - PAD.left - PAD.right) * move) / last;
  const y = (rate: number) => PAD.top + (HEIGHT - PAD.top - PAD.bottom) * (1 - rate);
  const known = rates.flatMap((rate, move) => (rate === null || rate === undefined || move > props.length ? [] : [{ move, rate }]));
  const line = known.map(({ move, rate }, index) => `${index ? "L" : "M"}${x(move).toFixed(1)} ${y(rate).toFixed(1)}`).join("");
  const first = known[0];
  const final = known[known.length - 1];
  const area = first && final ? `${line}L${x(final.move).toFixed(1)} ${y(0.5)}L${x(first.move).toFixed(1)} ${y(0.5)}z` : "";
  const go = (move: number) => onGo(Math.min(props.length, Math.max(0, move)));
  const onPointer = (event: PointerEvent) => {
    if (event.type === "pointermove" && !(event.buttons & 1)) return;
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const move = Math.round(((event.clientX - box.left - PAD.left) / (width - PAD.left - PAD.right)) * last);
    if (Math.min(props.length, Math.max(0, move)) !== current) go(move);
  };
  const onKey = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowLeft: current - 1,
      ArrowDown: current - 1,
      ArrowRight: current + 1,
      ArrowUp: current + 1,
      PageUp: current + 10,
      PageDown: current - 10,
      Home: 0,
      End: props.length,
    };
    const move = steps[event.key];
    if (move === undefined) return;
    event.preventDefault();
    go(move);
  };
  const shown = rates[current];
  return (
    <div
      ref={frame}
      class="graph"
      role="slider"
      tabIndex={0}
      aria-label="Black's win rate over the game"
      aria-valuemin={0}
      aria-valuemax={props.length}
      aria-valuenow={current}
      aria-valuetext={`move ${current}, Black's win rate ${shown === null || shown === undefined ? "unknown" : percentage(shown)}`}
      onPointerDown={onPointer}
      onPointerMove={onPointer}
      onKeyDown={onKey}
    >
      <svg width="100%" height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
        {[0, 0.5, 1].map((rate) => (
          <g key={rate}>
            <line class={rate === 0.5 ? "graph-even" : "graph-grid"} x1={PAD.left} x2={width - PAD.right} y1={y(rate)} y2={y(rate)} />
            <text class="graph-text" x={PAD.left - 6} y={y(rate)} dy=".35em" text-anchor="end">
              {100 * rate}
            </text>
          </g>
        ))}
        <text class="graph-text" x={PAD.left} y={HEIGHT - 4}>
          0
        </text>
        <text class="graph-text" x={width - PAD.right} y={HEIGHT - 4} text-anchor="end">
          {props.length}
        </text>
        <path class="graph-area" d={area} />
        <path class="graph-line" d={line} />
        {known.length === 1 && first && <circle class="graph-point" cx={x(first.move)} cy={y(first.rate)} r="3" />}
        <line class="graph-now" x1={x(current)} x2={x(current)} y1={PAD.top} y2={HEIGHT - PAD.bottom} />
        {marks.map((mark) => (
          <circle key={mark.move} class="graph-mark" cx={x(mark.move)} cy={y(rates[mark.move] ?? 0.5)} r="4.5">
            <title>{mark.text}</title>
          </circle>
        ))}
        {shown !== null && shown !== undefined && <circle class="graph-point" cx={x(current)} cy={y(shown)} r="4" />}
      </svg>
    </div>
  );
}

/** Buttons for the first, previous, next and last position. */
export function Steps({ current, length, onGo }: { current: number; length: number; onGo: (move: number) => void }) {
  const buttons: [string, string, number, boolean][] = [
    ["First position", "⏮", 0, current > 0],
    ["Previous move", "◀", current - 1, current > 0],
    ["Next move", "▶", current + 1, current < length],
    ["Last position", "⏭", length, current < length],
  ];
  return (
    <div class="row nowrap steps" role="group" aria-label="Show a position">
      {buttons.map(([name, sign, move, isEnabled]) => (
        <button key={name} type="button" class="button quiet small" aria-label={name} title={name} disabled={!isEnabled} onClick={() => onGo(move)}>
          <StepSign sign={sign} />
        </button>
      ))}
      <span class="soft number">
        {current} / {length}
      </span>
    </div>
  );
}

function StepSign({ sign }: { sign: string }) {
  const paths: Record<string, string> = {
    "⏮": "M4 3v10M13 3L6 8l7 5z",
    "◀": "M11 3L4 8l7 5z",
    "▶": "M5 3l7 5-7 5z",
    "⏭": "M12 3v10M3 3l7 5-7 5z",
  };
  return (
    <svg class="sign" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={paths[sign]} />
    </svg>
  );
}
