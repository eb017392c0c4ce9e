import { describe, expect, it } from "vitest";
import { heatMap, ink, mix, short } from "../src/board/heat";

const MOVES = [
  { move: "A1", visits: 900, value: 0.6, rave_value: 0.5, rave_weight: 0.2 },
  { move: "B1", visits: 100, value: 0.4, rave_value: 0.7, rave_weight: 0.9 },
  { move: "C1", visits: 0, value: 0.5 },
];

describe("heat maps", () => {
  it("show visits relative to the most visited move, and no move without visits", () => {
    const map = heatMap("visits", MOVES, null);
    expect([...map.cells.keys()]).toEqual(["A1", "B1"]);
    expect(map.cells.get("A1")?.opacity).toBeCloseTo(0.95);
    expect(map.cells.get("B1")?.opacity).toBeCloseTo(0.55);
    expect(map.legend?.high).toBe("900");
  });

  it("show values in percent and name the lowest and the highest", () => {
    const map = heatMap("value", MOVES, null);
    expect([...map.cells].map(([move, heat]) => `${move} ${heat.text}`)).toEqual(["A1 60", "B1 40"]);
    expect([map.legend?.low, map.legend?.high]).toEqual(["40 %", "60 %"]);
  });

  it("leave out moves without the quantity", () => {
    expect([...heatMap("rave_weight", MOVES, null).cells.keys()]).toEqual(["A1", "B1"]);
    expect(heatMap("prior", MOVES, null).legend).toBeNull();
  });

  it("show the owner of each point", () => {
    const map = heatMap("ownership", MOVES, { A1: 1, B1: -0.5, C1: 0 });
    expect(map.cells.get("A1")?.colour).toBe("rgb(30 32 36)");
    expect(map.cells.get("B1")?.colour).toBe("rgb(252 251 247)");
    expect(map.cells.get("B1")?.opacity).toBeCloseTo(0.425);
  });
});

it("colours lie between the ends of a scale", () => {
  expect(mix([[0, 0, 0], [100, 200, 50]], 0.5)).toEqual([50, 100, 25]);
  expect(mix([[0, 0, 0], [100, 200, 50]], 7)).toEqual([100, 200, 50]);
});

it("text is white on dark colours and dark on light ones", () => {
  expect(ink([20, 30, 90])).toBe("#ffffff");
  expect(ink([240, 234, 220])).toBe("#16181b");
});

it("counts have at most four characters", () => {
  expect([0, 999, 1000, 9949, 34_000, 999_499, 1_200_000].map(short)).toEqual(["0", "999", "1.0k", "9.9k", "34k", "999k", "1.2M"]);
});
