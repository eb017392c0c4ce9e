/** Places of cells, in units of one cell: independent of the game and of the size on the screen. */

export type BoardStyle = "lines" | "squares" | "hexagons";

/** A board as the server describes it; `column` runs along the sheared axis on hexagons. */
export interface BoardShape {
  readonly style: BoardStyle;
  readonly rows: number;
  readonly columns: number;
  readonly cells: readonly Cell[];
  readonly stars: readonly string[];
}

export interface Cell {
  readonly name: string;
  readonly row: number;
  readonly column: number;
  readonly x: number;
  readonly y: number;
}

export interface Label {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

export interface Geometry {
  readonly style: BoardStyle;
  readonly cells: readonly Cell[];
  readonly byName: ReadonlyMap<string, Cell>;
  readonly labels: readonly Label[];
  readonly stars: readonly Cell[];
  readonly rows: number;
  readonly columns: number;
  /** Left, top, width and height of the picture. */
  readonly box: readonly [number, number, number, number];
}

/** From the centre of a hexagon to its corners, when centres of neighbours are one unit apart. */
export const HEX_RADIUS = 1 / Math.sqrt(3);

export function geometryOf(shape: BoardShape): Geometry {
  const { style, cells, rows, columns } = shape;
  const byName = new Map(cells.map((cell) => [cell.name, cell]));
  const labels = labelled(cells, style);
  const stars = shape.stars.flatMap((name) => byName.get(name) ?? []);
  return { style, cells, byName, labels, stars, rows, columns, box: box(shape, labels) };
}

function box({ style, cells, rows, columns }: BoardShape, labels: readonly Label[]): [number, number, number, number] {
  if (style === "lines") return [-1.5, -1.5, columns + 2, rows + 2];
  const [margin, space] = style === "hexagons" ? [0.75, 0.45] : [0.65, 0.4];
  const ends = [
    ...cells.map(({ x, y }) => [x - margin, y - margin, x + margin, y + margin] as const),
    ...labels.map(({ x, y }) => [x - space, y - space, x + space, y + space] as const),
  ];
  const left = Math.min(...ends.map((end) => end[0]));
  const top = Math.min(...ends.map((end) => end[1]));
  const right = Math.max(...ends.map((end) => end[2]));
  const bottom = Math.max(...ends.map((end) => end[3]));
  return [left, top, right - left, bottom - top];
}

/** How far the cells of one column move from each row to the next. */
function rowStep(cells: readonly Cell[]): { x: number; y: number } {
  const first = cells[0];
  const other = first && cells.find((cell) => cell.row !== first.row);
  if (!other) return { x: 0, y: 1 };
  const rows = other.row - first.row;
  return { x: (other.x - other.column - (first.x - first.column)) / rows, y: (other.y - first.y) / rows };
}

/**
 * Labels next to the board. A column's label is the letters that the names of all its cells begin with, a row's label
 * the digits that they end in.
 */
function labelled(cells: readonly Cell[], style: BoardStyle): Label[] {
  const found: Label[] = [];
  const down = rowStep(cells);
  const parts = new Map(cells.map((cell) => [cell, /^(\D+)(\d+)$/.exec(cell.name)]));
  for (const axis of ["column", "row"] as const) {
    const lines = new Map<number, Cell[]>();
    for (const cell of cells) lines.set(cell[axis], [...(lines.get(cell[axis]) ?? []), cell]);
    for (const line of lines.values()) {
      const texts = new Set(line.map((cell) => parts.get(cell)?.[axis === "column" ? 1 : 2] ?? ""));
      const [text] = texts;
      if (texts.size !== 1 || !text) continue;
      const move = axis === "column" ? down : { x: 1, y: 0 };
      const first = line[0] as Cell;
      const last = line[line.length - 1] as Cell;
      found.push({ text, x: first.x - move.x, y: first.y - move.y });
      if (style !== "hexagons") found.push({ text, x: last.x + move.x, y: last.y + move.y });
    }
  }
  return found;
}

/** The outline of a cell as an SVG path; `scale` below 1 leaves a gap to its neighbours. */
export function outline(style: BoardStyle, { x, y }: { x: number; y: number }, scale = 1): string {
  if (style !== "hexagons") {
    const half = scale / 2;
    return `M${round(x - half)} ${round(y - half)}h${scale}v${scale}h${-scale}z`;
  }
  const corners = [0, 1, 2, 3, 4, 5].map((corner) => {
    const angle = (Math.PI / 3) * corner + Math.PI / 6;
    return `${round(x + scale * HEX_RADIUS * Math.cos(angle))} ${round(y + scale * HEX_RADIUS * Math.sin(angle))}`;
  });
  return `M${corners.join("L")}z`;
}

function round(value: number): number {
  return Math.round(1000 * value) / 1000;
}

export type Arrow = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";

/** The nearest cell in the direction of an arrow key, or the same cell at the edge of the board. */
export function step(geometry: Geometry, from: Cell, arrow: Arrow): Cell {
  const sideways = arrow === "ArrowLeft" || arrow === "ArrowRight";
  const sign = arrow === "ArrowLeft" || arrow === "ArrowUp" ? -1 : 1;
  let best = from;
  let least = Infinity;
  for (const cell of geometry.cells) {
    const along = sign * (sideways ? cell.x - from.x : cell.y - from.y);
    const across = Math.abs(sideways ? cell.y - from.y : cell.x - from.x);
    if (along < 0.1 || (sideways && cell.row !== from.row)) continue;
    const distance = along + 3 * across;
    if (distance < least) [best, least] = [cell, distance];
  }
  return best;
}

/** The cell nearest to the middle, where the keyboard's cursor begins. */
export function middle(geometry: Geometry): Cell | undefined {
  const count = geometry.cells.length || 1;
  const x = geometry.cells.reduce((sum, cell) => sum + cell.x, 0) / count;
  const y = geometry.cells.reduce((sum, cell) => sum + cell.y, 0) / count;
  const distance = (cell: Cell) => (cell.x - x) ** 2 + (cell.y - y) ** 2;
  return geometry.cells.reduce<Cell | undefined>(
    (best, cell) => (best && distance(best) <= distance(cell) ? best : cell),
    undefined,
  );
}
