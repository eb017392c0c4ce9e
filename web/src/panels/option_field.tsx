import { useId, useState } from "preact/hooks";
import type { Option, OptionValue } from "../protocol";
import { parseOption } from "../schema";
import { capital } from "../texts";

/** One option of a game or player as a form field, with its meaning as help. */
export function OptionField(props: { option: Option; value: OptionValue; onChange: (value: OptionValue) => void }) {
  const { option, value, onChange } = props;
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const title = capital(option.name.replaceAll("_", " "));
  const help = (
    <p class="help" id={`${id}-help`}>
      {option.meaning}
      {limits(option)}
    </p>
  );
  if (option.type === "boolean") {
    return (
      <div class="field">
        <label class="check">
          <input
            type="checkbox"
            checked={value === true}
            aria-describedby={`${id}-help`}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
          {title}
        </label>
        {help}
      </div>
    );
  }
  const choices = option.type === "text" ? option.choices : undefined;
  const write = (text: string) => {
    const parsed = parseOption(option, text);
    setProblem("error" in parsed ? parsed.error : null);
    if ("value" in parsed) onChange(parsed.value);
  };
  return (
    <div class="field">
      <label for={id}>{title}</label>
      {choices ? (
        <select id={id} value={String(value)} aria-describedby={`${id}-help`} onChange={(event) => onChange(event.currentTarget.value)}>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          type="text"
          inputMode={option.type === "text" ? "text" : "decimal"}
          value={String(value)}
          aria-describedby={`${id}-help`}
          aria-invalid={problem !== null}
          onChange={(event) => write(event.currentTarget.value)}
        />
      )}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {help}
    </div>
  );
}

function limits(option: Option): string {
  if (option.type === "text" || option.type === "boolean") return "";
  const words = option.words?.length ? ` or ${option.words.join(", ")}` : "";
  const isWide = (limit: number | undefined) => limit === undefined || Math.abs(limit) >= 1e9;
  if (isWide(option.low) && isWide(option.high)) return words && ` (a number${words})`;
  if (isWide(option.high)) return ` (${option.low} or more${words})`;
  if (isWide(option.low)) return ` (at most ${option.high}${words})`;
  return ` (${option.low} to ${option.high}${words})`;
}
