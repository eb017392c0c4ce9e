import { useMemo } from "preact/hooks";
import { Board, type BoardProps } from "../board/board";
import type { ServerGeometry } from "../protocol";

/** The stones by the names of cells, from one letter for each cell. */
export function stonesOf(geometry: ServerGeometry, letters: string): Record<string, number> {
  const stones: Record<string, number> = {};
  geometry.cells.forEach((cell, index) => {
    const letter = letters[index];
    if (letter === "b") stones[cell.name] = 0;
    else if (letter === "w") stones[cell.name] = 1;
  });
  return stones;
}

type Rest = Omit<BoardProps, "shape" | "stones">;

/** The board of a game of the server, with the position as text beside the picture. */
export function GameBoard(props: Rest & { geometry: ServerGeometry; letters: string; diagram?: string | undefined }) {
  const { geometry, letters, diagram, ...rest } = props;
  const stones = useMemo(() => stonesOf(geometry, letters), [geometry, letters]);
  if (geometry.kind === "diagram") {
    return (
      <pre class="diagram" aria-label={rest.label}>
        {diagram}
      </pre>
    );
  }
  return <Board shape={geometry} stones={stones} {...rest} />;
}

/** The diagram of a position, folded away. */
export function BoardAsText({ diagram }: { diagram: string }) {
  return (
    <details class="as-text">
      <summary>Board as text</summary>
      <pre class="diagram">{diagram}</pre>
    </details>
  );
}
