import { expect, it } from "vitest";
import { pictureOf, resultText } from "../src/panels/simulation";
import { ghostsOf } from "../src/panels/variation";
import type { StepMessage } from "../src/protocol";

const STEP: StepMessage = {
  type: "step",
  panel: 0,
  simulation: 7,
  selection: [
    { colour: "black", move: "A1", is_new: false, moves: [] },
    { colour: "white", move: "B1", is_new: true, moves: [] },
  ],
  expanded: ["A1", "B1"],
  playout: [
    { colour: "black", move: "C1" },
    { colour: "white", move: "pass" },
    { colour: "black", move: "A1" },
  ],
  black_result: 1,
  black_score: 3.5,
  final_stones: "bb.",
  backup: [
    { path: ["A1"], colour: "white", move: "B1", before: { move: "B1", visits: 0 }, after: { move: "B1", visits: 1 }, rave: [] },
    { path: [], colour: "black", move: "A1", before: { move: "A1", visits: 6 }, after: { move: "A1", visits: 7 }, rave: ["C1"] },
  ],
};
const texts = (phase: Parameters<typeof pictureOf>[1], shown = 0) =>
  pictureOf(STEP, phase, shown).ghosts.map((ghost) => `${ghost.cell}${ghost.colour}:${ghost.text}`);

it("selection is a numbered path", () => {
  expect(texts("selection")).toEqual(["A10:1", "B11:2"]);
  expect(pictureOf(STEP, "selection", 0).trail).toEqual(["A1", "B1"]);
});

it("expansion marks the new node", () => {
  expect(pictureOf(STEP, "expansion", 0).marks).toEqual([{ cell: "B1", kind: "expanded" }]);
});

it("a playout grows move by move, and ends with the final board", () => {
  expect(texts("playout", 1)).toEqual(["A10:1", "B11:2", "C10:3"]);
  expect(texts("playout", 2).slice(-1)).toEqual(["pass1:4"]);
  expect(pictureOf(STEP, "playout", 3)).toMatchObject({ ghosts: [], letters: "bb." });
});

it("without a final board, a later stone replaces an earlier one at the same cell", () => {
  const { final_stones: _, ...step } = STEP;
  expect(pictureOf(step, "playout", 3).ghosts.map((ghost) => ghost.text)).toEqual(["2", "3", "4", "5"]);
});

it("backup shows each mover's result", () => {
  expect(texts("backup")).toEqual(["B11:0", "A10:+1"]);
});

it("the result is a sentence", () => {
  expect(resultText(STEP)).toBe("Black wins by 3.5");
});

it("a variation alternates colours and keeps the first stone of a cell", () => {
  expect(ghostsOf(["A1", "B1", "A1", "C1"], "white")).toEqual([
    { cell: "A1", colour: 1, text: "1" },
    { cell: "B1", colour: 0, text: "2" },
    { cell: "C1", colour: 0, text: "4" },
  ]);
});
