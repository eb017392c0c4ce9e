import { describe, expect, it } from "vitest";
import type { Catalogue, Option, Preset } from "../src/protocol";
import { choiceOf, hasEffect, optionGroups, parseOption, type PlayerDraft } from "../src/schema";

function option(name: string, rest: Partial<Option> = {}): Option {
  return { name, type: "number", default: 1, meaning: "", needs: [], ...rest };
}

const PRESET: Preset = {
  name: "uct",
  meaning: "",
  family: "search",
  searches: true,
  has_tree: true,
  settings: { simulations: 1000, tree_policy: "ucb1", exploration: 0.5 },
  defaults: { bias: 0.2 },
};
const CATALOGUE: Catalogue = {
  games: [],
  presets: [PRESET],
  families: [
    {
      name: "search",
      unused: ["hidden"],
      options: [
        option("simulations", { type: "integer", default: 0 }),
        option("tree_policy", { type: "text", default: "ucb1", choices: ["ucb1", "mc-rave", "go-only"], part: "tree policy" }),
        option("expand", { type: "text", default: "first", choices: ["first", "threshold"] }),
        option("expand_visits", { type: "integer", default: 8, needs: [{ option: "expand", values: ["threshold"] }] }),
        option("hidden"),
      ],
    },
  ],
  parts: {
    "tree policy": [
      { name: "ucb1", meaning: "", options: [option("exploration")] },
      { name: "mc-rave", meaning: "", options: [option("bias", { default: 0.1 })] },
      { name: "go-only", meaning: "", game: "go", options: [] },
    ],
  },
  default_game: "go",
  arena: false,
  reports: false,
};
const DRAFT: PlayerDraft = { preset: "uct", changed: {}, budget: { kind: "own", amount: 0 } };
const names = (changed: PlayerDraft["changed"]) =>
  optionGroups(CATALOGUE, "othello", PRESET, changed).map((group) => [group.title, ...group.options.map((known) => known.name)]);

describe("the options of a player", () => {
  it("are its own, then those of the chosen part; without effect they are left out", () => {
    expect(names({})).toEqual([
      ["", "simulations", "tree_policy", "expand"],
      ["tree policy: ucb1", "exploration"],
    ]);
    expect(names({ tree_policy: "mc-rave", expand: "threshold" })).toEqual([
      ["", "simulations", "tree_policy", "expand", "expand_visits"],
      ["tree policy: mc-rave", "bias"],
    ]);
  });

  it("do not offer parts of other games", () => {
    const [own] = optionGroups(CATALOGUE, "othello", PRESET, {});
    expect(own?.options[1]?.choices).toEqual(["ucb1", "mc-rave"]);
  });
});

describe("a choice of a player", () => {
  it("has only options that differ from the preset and have an effect", () => {
    const changed = { exploration: 0.5, bias: 0.3, expand_visits: 4 };
    expect(choiceOf(CATALOGUE, "go", { ...DRAFT, changed })).toEqual({ player: "uct" });
    expect(choiceOf(CATALOGUE, "go", { ...DRAFT, changed: { ...changed, tree_policy: "mc-rave" } })).toEqual({
      player: "uct",
      options: { bias: 0.3, tree_policy: "mc-rave" },
    });
  });

  it("compares with the preset's values for options of other parts", () => {
    expect(choiceOf(CATALOGUE, "go", { ...DRAFT, changed: { tree_policy: "mc-rave", bias: 0.2 } }).options).toEqual({
      tree_policy: "mc-rave",
    });
  });

  it("has the budget of the form", () => {
    expect(choiceOf(CATALOGUE, "go", { ...DRAFT, budget: { kind: "seconds", amount: 2 } })).toEqual({ player: "uct", seconds: 2 });
  });
});

it("an option has an effect if the options that it needs have the values", () => {
  const needy = option("x", { needs: [{ option: "threads", at_least: 2 }] });
  expect(hasEffect(needy, { threads: 1 })).toBe(false);
  expect(hasEffect(needy, { threads: 2 })).toBe(true);
});

describe("a value that a person writes", () => {
  it("is a number within the limits, or a word", () => {
    const bounded = option("decay", { low: 0, high: 1, words: ["auto"] });
    expect(parseOption(bounded, " 0.5 ")).toEqual({ value: 0.5 });
    expect(parseOption(bounded, "auto")).toEqual({ value: "auto" });
    expect(parseOption(bounded, "2")).toEqual({ error: "decay must be at most 1" });
    expect(parseOption(bounded, "x")).toEqual({ error: "decay: x is not a number" });
  });

  it("is whole for integers", () => {
    expect(parseOption(option("threads", { type: "integer" }), "1.5")).toEqual({ error: "threads: 1.5 is not a whole number" });
  });
});
