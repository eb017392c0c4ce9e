import type { Ghost, Mark } from "../board/overlay";
import type { StepMessage } from "../protocol";

export type Phase = "selection" | "expansion" | "playout" | "backup";

export const PHASES: readonly { readonly phase: Phase; readonly name: string; readonly meaning: string }[] = [
  {
    phase: "selection",
    name: "Selection",
    meaning: "From the root, the tree policy selects the move with the highest value of its formula, node by node.",
  },
  { phase: "expansion", name: "Expansion", meaning: "A node for the last selected move is added to the tree." },
  { phase: "playout", name: "Playout", meaning: "The default policy plays the game to its end." },
  { phase: "backup", name: "Backup", meaning: "The result changes the statistics of every node on the path." },
];

/** What the board shows of a simulation. */
export interface SimulationPicture {
  readonly ghosts: readonly Ghost[];
  readonly trail: readonly string[];
  readonly marks: readonly Mark[];
  /** The stones in place of those of the position: the end of the playout. */
  readonly letters: string | null;
}

const colourIndex = (colour: string) => (colour === "black" ? 0 : 1);

/** The picture of a phase; of the playout, the first `shown` moves. */
export function pictureOf(step: StepMessage, phase: Phase, shown: number): SimulationPicture {
  const selected: Ghost[] = step.selection.map(({ colour, move }, index) => ({
    cell: move,
    colour: colourIndex(colour),
    text: String(index + 1),
  }));
  const trail = step.selection.map(({ move }) => move);
  const last = step.expanded?.[step.expanded.length - 1];
  const expanded: Mark[] = last === undefined ? [] : [{ cell: last, kind: "expanded" }];
  switch (phase) {
    case "selection":
      return { ghosts: selected, trail, marks: [], letters: null };
    case "expansion":
      return { ghosts: selected, trail, marks: expanded, letters: null };
    case "playout": {
      if (shown >= step.playout.length && step.final_stones) return { ghosts: [], trail: [], marks: expanded, letters: step.final_stones };
      const played = new Map<string, Ghost>(selected.map((ghost) => [ghost.cell, ghost]));
      step.playout.slice(0, shown).forEach(({ colour, move }, index) => {
        played.delete(move);
        played.set(move, { cell: move, colour: colourIndex(colour), text: String(trail.length + index + 1), faint: true });
      });
      return { ghosts: [...played.values()], trail: [], marks: expanded, letters: null };
    }
    case "backup": {
      const results = step.backup.map((update) => {
        const won = update.colour === "black" ? step.black_result : 1 - step.black_result;
        return { cell: update.move, colour: colourIndex(update.colour), text: won === 1 ? "+1" : won === 0 ? "0" : "½" };
      });
      return { ghosts: results, trail: [...trail].reverse(), marks: expanded, letters: null };
    }
  }
}

export function resultText(step: StepMessage): string {
  const winner = step.black_result === 1 ? "Black wins" : step.black_result === 0 ? "White wins" : "A draw";
  const margin = step.black_score;
  return margin ? `${winner} by ${Math.abs(margin).toFixed(1).replace(/\.0$/, "")}` : winner;
}
