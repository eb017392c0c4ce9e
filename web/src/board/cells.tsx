import { memo } from "preact/compat";
import { outline, type Geometry } from "./geometry";

export const STONE_RADIUS = { lines: 0.46, squares: 0.4, hexagons: 0.39 } as const;

/** The empty board of games on squares or hexagons. */
export const Cells = memo(function Cells({ geometry, labelSize }: { geometry: Geometry; labelSize: number }) {
  const { style, cells } = geometry;
  const shade = (row: number, column: number) =>
    style === "hexagons" ? (((column - row) % 3) + 3) % 3 : (row + column) % 2;
  return (
    <g class="cells">
      {cells.map((cell) => (
        <path key={cell.name} class={`cell shade-${shade(cell.row, cell.column)}`} d={outline(style, cell)} />
      ))}
      {geometry.stars.map((star) => (
        <circle key={star.name} class="star" cx={star.x} cy={star.y} r="0.08" />
      ))}
      {geometry.labels.map(({ text, x, y }) => (
        <text key={`${text}/${x}/${y}`} class="edge-label" x={x} y={y} dy=".35em" font-size={labelSize}>
          {text}
        </text>
      ))}
    </g>
  );
});

/** Stones of games on squares or hexagons. */
export const Stones = memo(function Stones(props: { geometry: Geometry; stones: Readonly<Record<string, number>> }) {
  const { geometry, stones } = props;
  const radius = STONE_RADIUS[geometry.style];
  return (
    <g class="stones">
      {geometry.cells.map((cell) => {
        const colour = stones[cell.name];
        if (colour === undefined) return null;
        const name = colour === 0 ? "black" : "white";
        return (
          <g key={cell.name}>
            <circle class="stone-shadow" cx={cell.x + 0.02} cy={cell.y + 0.045} r={radius} />
            <circle class={`stone ${name}`} cx={cell.x} cy={cell.y} r={radius} fill={`url(#${name}-stone)`} />
          </g>
        );
      })}
    </g>
  );
});

/** The shading of stones, once in the page. */
export function StoneGradients() {
  return (
    <svg width="0" height="0" class="definitions" aria-hidden="true">
      <defs>
        <radialGradient id="black-stone" cx=".36" cy=".3" r=".75">
          <stop offset="0" class="black-light" />
          <stop offset="1" class="black-dark" />
        </radialGradient>
        <radialGradient id="white-stone" cx=".36" cy=".3" r=".8">
          <stop offset=".2" class="white-light" />
          <stop offset="1" class="white-dark" />
        </radialGradient>
        <marker id="trail-end" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="4" markerHeight="4" orient="auto">
          <path class="trail-end" d="M0 0L10 5L0 10z" />
        </marker>
      </defs>
    </svg>
  );
}
