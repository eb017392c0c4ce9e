/** The options of players and games, as the server's catalogue describes them. Independent of the page. */

import type { Catalogue, GameEntry, Option, OptionValue, PlayerChoice, Preset } from "./protocol";

export type Values = Readonly<Record<string, OptionValue>>;

export interface OptionGroup {
  /** The part whose options these are, such as "tree policy: mc-rave"; empty for the player's own. */
  readonly title: string;
  readonly options: readonly Option[];
}

/** The part of a player choice that a form edits. */
export interface PlayerDraft {
  readonly preset: string;
  readonly changed: Values;
  readonly budget: Budget;
}

export interface Budget {
  readonly kind: "simulations" | "seconds" | "own";
  readonly amount: number;
}

export const OWN_BUDGET: Budget = { kind: "own", amount: 0 };

/** Options that the form's budget sets in place of the option list. */
const BUDGET_OPTIONS = ["simulations", "seconds"];

export function presetsFor(catalogue: Catalogue, game: string, wanted: (preset: Preset) => boolean = () => true): Preset[] {
  return catalogue.presets.filter((preset) => (!preset.game || preset.game === game) && wanted(preset));
}

/** The value of an option: the person's, the preset's, or the option's default. */
export function optionValue(preset: Preset, changed: Values, option: Option): OptionValue {
  return changed[option.name] ?? preset.settings[option.name] ?? preset.defaults[option.name] ?? option.default;
}

/** The options that have an effect for a preset with the person's changes: its own, then those of its parts. */
export function optionGroups(catalogue: Catalogue, game: string, preset: Preset, changed: Values): OptionGroup[] {
  const family = catalogue.families.find((known) => known.name === preset.family);
  if (!family) return [];
  const values: Record<string, OptionValue> = {};
  const groups: OptionGroup[] = [];
  const add = (title: string, options: readonly Option[]) => {
    const shown = options.filter((option) => !family.unused.includes(option.name) && !(option.name in values));
    for (const option of shown) values[option.name] = optionValue(preset, changed, option);
    groups.push({ title, options: shown });
    for (const option of shown) {
      const chosen = option.part && catalogue.parts[option.part]?.find((part) => part.name === values[option.name]);
      if (chosen && hasEffect(option, values)) add(`${option.part}: ${chosen.name}`, chosen.options);
    }
  };
  add("", family.options);
  return groups
    .map(({ title, options }) => ({ title, options: options.filter((option) => hasEffect(option, values)) }))
    .map(({ title, options }) => ({ title, options: options.map((option) => forGame(catalogue, game, option)) }))
    .filter(({ options }) => options.length);
}

/** The option without the names of parts that are made for other games. */
function forGame(catalogue: Catalogue, game: string, option: Option): Option {
  const parts = option.part ? catalogue.parts[option.part] : undefined;
  if (!parts || !option.choices) return option;
  const foreign = new Set(parts.filter((part) => part.game && part.game !== game).map((part) => part.name));
  return { ...option, choices: option.choices.filter((choice) => !foreign.has(choice)) };
}

export function hasEffect(option: Option, values: Values): boolean {
  return option.needs.every((need) => {
    const value = values[need.option];
    if (value === undefined) return true;
    if (need.values) return need.values.includes(value);
    return need.at_least === undefined || Number(value) >= need.at_least;
  });
}

/** The value of a text that a person wrote for an option, or an error about it. */
export function parseOption(option: Option, text: string): { value: OptionValue } | { error: string } {
  const written = text.trim();
  if (option.type === "text" || option.words?.includes(written)) return { value: written };
  if (typeof option.default === "string" && /^-?inf$/.test(written)) return { value: written };
  const value = Number(written);
  if (!written || !Number.isFinite(value)) return { error: `${option.name}: ${written || "nothing"} is not a number` };
  if (option.type === "integer" && !Number.isInteger(value)) return { error: `${option.name}: ${written} is not a whole number` };
  if (option.low !== undefined && value < option.low) return { error: `${option.name} must be at least ${option.low}` };
  if (option.high !== undefined && value > option.high) return { error: `${option.name} must be at most ${option.high}` };
  return { value };
}

/** The option of levels, the players whose strength is one number that determines the budget, too. */
export function levelOption(catalogue: Catalogue, game: string, preset: Preset): Option | undefined {
  if (preset.name !== "level") return undefined;
  return optionGroups(catalogue, game, preset, {})
    .flatMap((group) => group.options)
    .find((option) => option.name === "number");
}

/** What is sent for a draft: only options that differ from the preset and have an effect. */
export function choiceOf(catalogue: Catalogue, game: string, draft: PlayerDraft): PlayerChoice {
  const preset = catalogue.presets.find((known) => known.name === draft.preset);
  const options: Record<string, OptionValue> = {};
  if (preset) {
    for (const option of optionGroups(catalogue, game, preset, draft.changed).flatMap((group) => group.options)) {
      const value = draft.changed[option.name];
      if (value !== undefined && value !== (preset.settings[option.name] ?? preset.defaults[option.name] ?? option.default))
        options[option.name] = value;
    }
  }
  const { kind, amount } = preset && levelOption(catalogue, game, preset) ? OWN_BUDGET : draft.budget;
  return {
    player: draft.preset,
    ...(Object.keys(options).length ? { options } : {}),
    ...(kind === "simulations" ? { simulations: amount } : kind === "seconds" ? { seconds: amount } : {}),
  };
}

export function withoutBudget(options: readonly Option[]): Option[] {
  return options.filter((option) => !BUDGET_OPTIONS.includes(option.name));
}

export function sizeText(game: GameEntry, size: number): string {
  return game.size_texts[game.sizes.indexOf(size)] ?? String(size);
}

export function mostHandicap(game: GameEntry, size: number | undefined): number {
  const index = size === undefined ? 0 : game.sizes.indexOf(size);
  return game.handicaps[index] ?? 0;
}
