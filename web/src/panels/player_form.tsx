import { useId } from "preact/hooks";
import type { Catalogue, OptionValue, Preset } from "../protocol";
import { levelOption, optionGroups, optionValue, presetsFor, withoutBudget, type Budget, type PlayerDraft } from "../schema";
import { OptionField } from "./option_field";

/** A player: a preset, its budget, and any of its options. */
export function PlayerForm(props: {
  catalogue: Catalogue;
  game: string;
  draft: PlayerDraft;
  onChange: (draft: PlayerDraft) => void;
  title: string;
  /** Which presets are offered. */
  wanted?: (preset: Preset) => boolean;
  /** Whether the player has a budget of its own. */
  hasBudget?: boolean;
}) {
  const { catalogue, game, draft, onChange, title, wanted, hasBudget = true } = props;
  const id = useId();
  const presets = presetsFor(catalogue, game, wanted);
  const preset = presets.find((known) => known.name === draft.preset);
  const level = preset && levelOption(catalogue, game, preset);
  const choose = (name: string) => onChange({ ...draft, preset: name, changed: {} });
  const set = (name: string, value: OptionValue) => onChange({ ...draft, changed: { ...draft.changed, [name]: value } });
  const groups = preset ? optionGroups(catalogue, game, preset, draft.changed) : [];
  const listed = groups
    .map((group) => ({ ...group, options: hasBudget && draft.budget.kind === "own" ? group.options : withoutBudget(group.options) }))
    .filter((group) => group.options.length);
  return (
    <fieldset class="stack tight player-form">
      <legend class="for-screen-readers">{title}</legend>
      <div class="field">
        <label for={`${id}-preset`}>{title}</label>
        <select id={`${id}-preset`} value={draft.preset} onChange={(event) => choose(event.currentTarget.value)}>
          {presets.map((known) => (
            <option key={known.name} value={known.name}>
              {known.name}
            </option>
          ))}
        </select>
        {preset && <p class="help">{preset.meaning}</p>}
      </div>
      {preset && level ? (
        <div class="field">
          <label for={`${id}-level`}>
            Strength: level <output class="number">{String(optionValue(preset, draft.changed, level))}</output> of {level.high}
          </label>
          <input
            id={`${id}-level`}
            type="range"
            min={level.low}
            max={level.high}
            value={Number(optionValue(preset, draft.changed, level))}
            onInput={(event) => set(level.name, Number(event.currentTarget.value))}
          />
        </div>
      ) : (
        hasBudget && <BudgetField hasOwn budget={draft.budget} onChange={(budget) => onChange({ ...draft, budget })} />
      )}
      {preset && !level && listed.length > 0 && (
        <details>
          <summary>
            All options
            {Object.keys(draft.changed).length ? ` (${Object.keys(draft.changed).length} changed)` : ""}
          </summary>
          <div class="stack option-groups">
            {listed.map((group) => (
              <section key={group.title}>
                {group.title && <h3>{group.title}</h3>}
                <div class="option-grid">
                  {group.options.map((option) => (
                    <OptionField
                      key={`${draft.preset}/${option.name}`}
                      option={option}
                      value={optionValue(preset, draft.changed, option)}
                      onChange={(value) => set(option.name, value)}
                    />
                  ))}
                </div>
              </section>
            ))}
          </div>
        </details>
      )}
    </fieldset>
  );
}

export function BudgetField(props: {
  budget: Budget;
  onChange: (budget: Budget) => void;
  label?: string;
  /** Whether the budget may be left to the player's own settings. */
  hasOwn?: boolean;
}) {
  const { budget, onChange, label = "Per move", hasOwn = false } = props;
  const id = useId();
  return (
    <div class="field">
      <label for={`${id}-amount`}>{label}</label>
      <div class="row nowrap">
        <input
          id={`${id}-amount`}
          type="number"
          min={budget.kind === "seconds" ? 0.1 : 1}
          step={budget.kind === "seconds" ? 0.1 : 1}
          value={budget.kind === "own" ? "" : budget.amount}
          disabled={budget.kind === "own"}
          onChange={(event) => {
            const amount = Number(event.currentTarget.value);
            if (Number.isFinite(amount) && amount > 0) onChange({ ...budget, amount: budget.kind === "seconds" ? amount : Math.round(amount) });
          }}
        />
        <select
          aria-label={`${label}: unit`}
          value={budget.kind}
          onChange={(event) => {
            const kind = event.currentTarget.value as Budget["kind"];
            onChange({ kind, amount: { seconds: 2, simulations: 2000, own: 0 }[kind] });
          }}
        >
          <option value="simulations">simulations</option>
          <option value="seconds">seconds</option>
          {hasOwn && <option value="own">as set in the options</option>}
        </select>
      </div>
    </div>
  );
}
