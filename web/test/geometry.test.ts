import { describe, expect, it } from "vitest";
import { geometryOf, middle, outline, step, type BoardShape, type Cell } from "../src/board/geometry";

const HEIGHT = Math.sqrt(0.75);

function grid(rows: number, columns: number, style: "lines" | "squares" = "lines"): BoardShape {
  const cells: Cell[] = [];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      cells.push({ name: `${"ABCDEFGHJ"[column]}${rows - row}`, row, column, x: column, y: row });
  return { style, rows, columns, cells, stars: [] };
}

/** A hexagon of seven cells, whose lower rows begin further to the left in sheared columns. */
const FLOWER: BoardShape = {
  style: "hexagons",
  rows: 3,
  columns: 3,
  stars: [],
  cells: [
    { name: "a1", row: 0, column: 0, x: 0.5, y: 0 },
    { name: "b1", row: 0, column: 1, x: 1.5, y: 0 },
    { name: "a2", row: 1, column: 0, x: 0, y: HEIGHT },
    { name: "b2", row: 1, column: 1, x: 1, y: HEIGHT },
    { name: "c2", row: 1, column: 2, x: 2, y: HEIGHT },
    { name: "b3", row: 2, column: 1, x: 0.5, y: 2 * HEIGHT },
    { name: "c3", row: 2, column: 2, x: 1.5, y: 2 * HEIGHT },
  ],
};

describe("labels", () => {
  it("are the letters of columns and the numbers of rows on both sides of a grid", () => {
    const { labels } = geometryOf(grid(3, 2));
    const texts = labels.map(({ text, x, y }) => `${text} ${x} ${y}`);
    expect(texts).toEqual(["A 0 -1", "A 0 3", "B 1 -1", "B 1 3", "3 -1 0", "3 2 0", "2 -1 1", "2 2 1", "1 -1 2", "1 2 2"]);
  });

  it("stand before the first cell of each line of hexagons", () => {
    const { labels } = geometryOf(FLOWER);
    const places = Object.fromEntries(labels.map(({ text, x, y }) => [text, [x, Math.round(y / HEIGHT)]]));
    expect(places).toEqual({ a: [1, -1], b: [2, -1], c: [2.5, 0], "1": [-0.5, 0], "2": [-1, 1], "3": [-0.5, 2] });
  });
});

describe("arrow keys", () => {
  const board = geometryOf(grid(3, 3));
  const at = (name: string) => board.byName.get(name) as Cell;

  it("move by one cell and stop at the edge", () => {
    expect(step(board, at("A3"), "ArrowRight").name).toBe("B3");
    expect(step(board, at("A3"), "ArrowDown").name).toBe("A2");
    expect(step(board, at("A3"), "ArrowUp").name).toBe("A3");
    expect(step(board, at("A3"), "ArrowLeft").name).toBe("A3");
  });

  it("reach every cell of a hexagon from the middle", () => {
    const flower = geometryOf(FLOWER);
    const reached = new Set([middle(flower) as Cell]);
    for (const cell of reached)
      for (const arrow of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] as const) reached.add(step(flower, cell, arrow));
    expect(reached.size).toBe(7);
  });

  it("begin in the middle", () => {
    expect(middle(board)?.name).toBe("B2");
    expect(middle(geometryOf(FLOWER))?.name).toBe("b2");
  });
});

it("a picture of lines leaves one cell for the labels on each side", () => {
  expect(geometryOf(grid(9, 9)).box).toEqual([-1.5, -1.5, 11, 11]);
});

it("hexagons have six corners and squares four sides", () => {
  expect(outline("hexagons", { x: 0, y: 0 }).match(/[\d.]+ -?[\d.]+/g)).toHaveLength(6);
  expect(outline("squares", { x: 1, y: 2 })).toBe("M0.5 1.5h1v1h-1z");
});
