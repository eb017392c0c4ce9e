import { QUANTITIES, type HeatMap, type Quantity } from "../board/heat";

export type Shown = Quantity | "none";

/** Which heat map lies over the board, and its legend. */
export function HeatChoice(props: {
  shown: Shown;
  onChange: (shown: Shown) => void;
  map: HeatMap | null;
  hasOwnership: boolean;
  name: string;
  /** Why there is nothing to show; by default, that there are no values. */
  missing?: string | undefined;
}) {
  const { shown, onChange, map, hasOwnership, name } = props;
  const quantities = (Object.keys(QUANTITIES) as Quantity[]).filter((quantity) => quantity !== "ownership" || hasOwnership);
  const legend = map?.legend;
  return (
    <div class="heat-choice">
      <fieldset class="segments">
        <legend class="for-screen-readers">Heat map over the board</legend>
        {(["none", ...quantities] as Shown[]).map((choice) => (
          <label key={choice} class="segment" title={choice === "none" ? "No heat map" : QUANTITIES[choice].meaning}>
            <input type="radio" name={name} value={choice} checked={shown === choice} onChange={() => onChange(choice)} />
            <span>{choice === "none" ? "Off" : QUANTITIES[choice].name}</span>
          </label>
        ))}
      </fieldset>
      {shown !== "none" && (
        <p class="help heat-help">
          {legend ? (
            <span class="legend">
              <span class="number">{legend.low}</span>
              <Scale colours={legend.colours} />
              <span class="number">{legend.high}</span>
            </span>
          ) : (
            <strong>{props.missing ?? "No values yet."} </strong>
          )}
          {QUANTITIES[shown].meaning}
        </p>
      )}
    </div>
  );
}

function Scale({ colours }: { colours: readonly string[] }) {
  const width = 10;
  return (
    <svg class="scale" viewBox={`0 0 ${width * colours.length} 10`} width={width * colours.length} height="10" aria-hidden="true">
      {colours.map((colour, index) => (
        <rect key={colour} x={width * index} width={width} height="10" fill={colour} />
      ))}
    </svg>
  );
}
