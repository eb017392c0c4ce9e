import type { Catalogue, GameEntry } from "../protocol";
import { levelOption, presetsFor, type PlayerDraft } from "../schema";

/** The player offered first: a level of medium strength if there are levels, else the game's default player. */
export function firstDraft(catalogue: Catalogue, game: GameEntry): PlayerDraft {
  const presets = presetsFor(catalogue, game.name);
  const budget = { kind: "simulations", amount: 2000 } as const;
  for (const preset of game.levels ? presets : []) {
    const option = levelOption(catalogue, game.name, preset);
    if (option) return { preset: preset.name, changed: { [option.name]: Math.ceil(game.levels / 2) }, budget };
  }
  const name = presets.find((preset) => preset.name === game.default_player)?.name ?? presets[0]?.name ?? "";
  return { preset: name, changed: {}, budget };
}
