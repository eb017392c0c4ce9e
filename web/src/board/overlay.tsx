import { memo } from "preact/compat";
import type { JSX } from "preact";
import { STONE_RADIUS } from "./cells";
import { outline, type Cell, type Geometry } from "./geometry";
import type { HeatMap } from "./heat";

/** A stone of a variation, not on the board yet. */
export interface Ghost {
  readonly cell: string;
  readonly colour: number;
  readonly text: string;
  readonly faint?: boolean;
}

export type MarkKind = "last" | "best" | "hint" | "cursor" | "expanded" | "blunder" | "better";

export interface Mark {
  readonly cell: string;
  readonly kind: MarkKind;
}

/** Colours of the cells of a heat map; where stones stand, small squares. */
export const HeatLayer = memo(function HeatLayer(props: {
  geometry: Geometry;
  heat: HeatMap;
  stones: Readonly<Record<string, number>>;
  /** Size of the numbers in units of a cell; 0 for none. */
  textSize: number;
  isFaint: boolean;
}) {
  const { geometry, heat, stones, textSize, isFaint } = props;
  const radius = STONE_RADIUS[geometry.style];
  return (
    <g class={`heat${isFaint ? " faint" : ""}`} data-quantity={heat.quantity}>
      {geometry.cells.map((cell) => {
        const found = heat.cells.get(cell.name);
        if (!found) return null;
        const isOwned = heat.quantity === "ownership";
        const size = isOwned ? 0.42 : stones[cell.name] === undefined ? 0 : 0.34;
        const colours = { fill: found.colour, fillOpacity: found.opacity };
        return (
          <g key={cell.name} data-heat={cell.name} data-text={found.text}>
            {size ? (
              <rect x={cell.x - size / 2} y={cell.y - size / 2} width={size} height={size} rx=".05" {...colours} />
            ) : geometry.style === "lines" ? (
              <circle cx={cell.x} cy={cell.y} r={radius} {...colours} />
            ) : (
              <path d={outline(geometry.style, cell, 0.94)} {...colours} />
            )}
            {textSize > 0 && !size && found.text && (
              <text class="heat-text" x={cell.x} y={cell.y} dy=".35em" fill={found.ink} font-size={textSize}>
                {found.text}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
});

export const GhostLayer = memo(function GhostLayer(props: { geometry: Geometry; ghosts: readonly Ghost[] }) {
  const radius = STONE_RADIUS[props.geometry.style] * 0.94;
  return (
    <g class="ghosts">
      {props.ghosts.map((ghost) => {
        const cell = props.geometry.byName.get(ghost.cell);
        if (!cell) return null;
        const name = ghost.colour === 0 ? "black" : "white";
        return (
          <g key={`${ghost.cell}/${ghost.text}`} class={`ghost ${name}${ghost.faint ? " faint" : ""}`} data-ghost={ghost.cell}>
            <circle cx={cell.x} cy={cell.y} r={radius} />
            <text x={cell.x} y={cell.y} dy=".35em">
              {ghost.text}
            </text>
          </g>
        );
      })}
    </g>
  );
});

export const MarkLayer = memo(function MarkLayer(props: {
  geometry: Geometry;
  stones: Readonly<Record<string, number>>;
  marks: readonly Mark[];
}) {
  const { geometry, stones, marks } = props;
  const radius = STONE_RADIUS[geometry.style];
  const shapes: Record<MarkKind, (cell: Cell) => JSX.Element> = {
    last: (cell) => <circle cx={cell.x} cy={cell.y} r=".16" />,
    best: (cell) => <circle cx={cell.x} cy={cell.y} r={radius + 0.02} />,
    hint: (cell) => <circle cx={cell.x} cy={cell.y} r={radius} />,
    expanded: (cell) => <path d={`M${cell.x} ${cell.y - 0.52}l.52 .52l-.52 .52l-.52 -.52z`} />,
    blunder: (cell) => <path d={`M${cell.x - 0.2} ${cell.y - 0.2}l.4 .4m0 -.4l-.4 .4`} />,
    better: (cell) => <circle cx={cell.x} cy={cell.y} r={radius} />,
    cursor: (cell) => <path d={outline(geometry.style, cell, 1.02)} />,
  };
  return (
    <g class="marks">
      {marks.map((mark) => {
        const cell = geometry.byName.get(mark.cell);
        if (!cell) return null;
        const under = { 0: "black", 1: "white" }[stones[mark.cell] ?? 2] ?? "empty";
        return (
          <g key={`${mark.kind}/${mark.cell}`} class={`mark ${mark.kind} on-${under}`} data-mark={mark.kind} data-on={mark.cell}>
            {shapes[mark.kind](cell)}
          </g>
        );
      })}
    </g>
  );
});

/** A line of arrows through cells, such as the path of a simulation. */
export const TrailLayer = memo(function TrailLayer(props: { geometry: Geometry; trail: readonly string[] }) {
  const cells = props.trail.flatMap((name) => props.geometry.byName.get(name) ?? []);
  return (
    <g class="trail">
      {cells.slice(1).map((cell, index) => {
        const from = cells[index] as Cell;
        const length = Math.hypot(cell.x - from.x, cell.y - from.y) || 1;
        const [dx, dy] = [(cell.x - from.x) / length, (cell.y - from.y) / length];
        return (
          <line
            key={index}
            x1={from.x + 0.3 * dx}
            y1={from.y + 0.3 * dy}
            x2={cell.x - 0.34 * dx}
            y2={cell.y - 0.34 * dy}
            marker-end="url(#trail-end)"
          />
        );
      })}
    </g>
  );
});

/** Dots on the legal moves of games in which only few cells are legal. */
export const LegalLayer = memo(function LegalLayer(props: {
  geometry: Geometry;
  legal: ReadonlySet<string>;
  stones: Readonly<Record<string, number>>;
}) {
  const { geometry, legal, stones } = props;
  const empty = geometry.cells.filter((cell) => stones[cell.name] === undefined);
  const shown = empty.filter((cell) => legal.has(cell.name));
  if (2 * shown.length >= empty.length) return null;
  return (
    <g class="legal-moves">
      {shown.map((cell) => (
        <circle key={cell.name} cx={cell.x} cy={cell.y} r=".09" />
      ))}
    </g>
  );
});

/** Browsers and testing tools round the boxes of elements to whole units, so a cell has many. */
const HIT_UNIT = 100;

/** Invisible cells that take the pointer. */
export const HitLayer = memo(function HitLayer(props: {
  geometry: Geometry;
  legal: ReadonlySet<string>;
  onPlay: (cell: string) => void;
  onPoint: (cell: string | null) => void;
}) {
  const { geometry, legal, onPlay, onPoint } = props;
  return (
    <g class="hits" transform={`scale(${1 / HIT_UNIT})`} onPointerLeave={() => onPoint(null)}>
      {geometry.cells.map((cell) => (
        <path
          key={cell.name}
          class={legal.has(cell.name) ? "hit legal" : "hit"}
          data-cell={cell.name}
          d={outline(geometry.style, { x: HIT_UNIT * cell.x, y: HIT_UNIT * cell.y }, HIT_UNIT)}
          onClick={() => onPlay(cell.name)}
          onPointerEnter={(event) => event.pointerType === "mouse" && onPoint(cell.name)}
        />
      ))}
    </g>
  );
});
