import { Goban } from "@sabaki/shudan";
import { memo } from "preact/compat";
import type { Geometry } from "./geometry";

/** The stones of a Go board, drawn by Shudan; the numbers and letters at the edge are the game's own names. */
export const GoBoard = memo(function GoBoard(props: {
  geometry: Geometry;
  stones: Readonly<Record<string, number>>;
  vertexSize: number;
}) {
  const { geometry, stones, vertexSize } = props;
  const signs = Array.from({ length: geometry.rows }, () => Array.from({ length: geometry.columns }, (): 0 | 1 | -1 => 0));
  for (const cell of geometry.cells) {
    const colour = stones[cell.name];
    if (colour !== undefined) (signs[cell.row] as (0 | 1 | -1)[])[cell.column] = colour === 0 ? 1 : -1;
  }
  const column = (x: number) => geometry.labels.find((label) => label.y === -1 && label.x === x)?.text ?? "";
  const row = (y: number) => geometry.labels.find((label) => label.x === -1 && label.y === y)?.text ?? "";
  return <Goban vertexSize={vertexSize} signMap={signs} showCoordinates coordX={column} coordY={row} />;
});
