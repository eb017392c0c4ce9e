import type { Ghost } from "../board/overlay";
import type { Colour } from "../protocol";

/** The moves of a line as numbered stones, the first by `colour`; moves without a cell take a number, too. */
export function ghostsOf(line: readonly string[], colour: Colour): Ghost[] {
  const first = colour === "black" ? 0 : 1;
  const seen = new Set<string>();
  return line.flatMap((move, index) => {
    if (seen.has(move)) return [];
    seen.add(move);
    return { cell: move, colour: (first + index) % 2, text: String(index + 1) };
  });
}
