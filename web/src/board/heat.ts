/** Colours of heat maps. Values of moves are win rates of the side to move; ownership is Black's, from -1 to 1. */

export type Quantity = "visits" | "value" | "rave_value" | "prior" | "rave_weight" | "ownership";

export interface QuantityFacts {
  readonly name: string;
  readonly meaning: string;
}

export const QUANTITIES: Readonly<Record<Quantity, QuantityFacts>> = {
  visits: { name: "Visits", meaning: "Share of the simulations that began with the move." },
  value: { name: "Value", meaning: "Mean result of the simulations through the move, in % for the side to move; faint with few visits." },
  rave_value: {
    name: "RAVE value",
    meaning: "Mean result of all simulations in which the side to move played there at any later time (AMAF).",
  },
  prior: { name: "Prior", meaning: "Value that prior knowledge gave to the move before the first simulation." },
  rave_weight: {
    name: "RAVE weight β",
    meaning: "Weight of the RAVE value in the move's value: near 1 for few visits, it falls as visits grow.",
  },
  ownership: { name: "Ownership", meaning: "Owner of each point at the end of playouts: dark Black, light White." },
};

/** One cell of a heat map. */
export interface Heat {
  readonly colour: string;
  readonly opacity: number;
  readonly ink: string;
  readonly text: string;
}

export interface HeatMap {
  readonly quantity: Quantity;
  readonly cells: ReadonlyMap<string, Heat>;
  /** The texts at the ends of the legend, and its colours from low to high; null without values. */
  readonly legend: { readonly low: string; readonly high: string; readonly colours: readonly string[] } | null;
}

/** The numbers of one move that a heat map can show. */
export interface MoveNumbers {
  readonly move: string;
  readonly visits: number;
  readonly value?: number | null;
  readonly rave_value?: number | null;
  readonly prior?: number | null;
  readonly rave_weight?: number | null;
}

type Colour = readonly [number, number, number];
const INDIGO: readonly Colour[] = [
  [206, 203, 232],
  [128, 122, 196],
  [67, 56, 140],
];
const PLUM: readonly Colour[] = [
  [235, 208, 224],
  [180, 106, 148],
  [110, 40, 84],
];
const DIVERGING: readonly Colour[] = [
  [165, 58, 40],
  [219, 150, 118],
  [240, 234, 220],
  [112, 172, 186],
  [22, 96, 120],
];
const OWNERS: readonly Colour[] = [
  [252, 251, 247],
  [30, 32, 36],
];

/** The colour at `share`, from 0 to 1, along a scale. */
export function mix(scale: readonly Colour[], share: number): Colour {
  const place = Math.min(1, Math.max(0, share)) * (scale.length - 1);
  const index = Math.min(scale.length - 2, Math.floor(place));
  const [low, high] = [scale[index] as Colour, scale[index + 1] as Colour];
  const part = place - index;
  return [0, 1, 2].map((i) => Math.round((low[i] as number) + part * ((high[i] as number) - (low[i] as number)))) as unknown as Colour;
}

function css(colour: Colour): string {
  return `rgb(${colour.join(" ")})`;
}

/** Dark or white, whichever is easier to read on a colour. */
export function ink([red, green, blue]: Colour): string {
  const linear = [red, green, blue].map((part) => (part / 255) ** 2.2) as [number, number, number];
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.22 ? "#16181b" : "#ffffff";
}

/** Boards are light, so text on a faint colour is dark. */
function cell(scale: readonly Colour[], share: number, text: string, opacity = 0.92): Heat {
  const colour = mix(scale, share);
  return { colour: css(colour), ink: opacity < 0.6 ? ink([255, 255, 255]) : ink(colour), opacity, text };
}

/** Moves with at least this share of the visits of the most visited one determine the ends of the scale of values. */
const TRUSTED = 0.02;
/** Points with less ownership belong to nobody. */
const LEAST_OWNED = 0.05;

/** Values of rarely visited moves are faint. */
function confidence(visits: number, most: number): number {
  return 0.4 + 0.55 * Math.min(1, Math.sqrt((4 * visits) / Math.max(1, most)));
}

/** A count in at most four characters: 950, 1.2k, 34k, 1.2M. */
export function short(count: number): string {
  if (count < 1000) return String(Math.round(count));
  const [unit, letter] = count < 999_500 ? [1000, "k"] : [1_000_000, "M"];
  const scaled = count / unit;
  return `${scaled < 9.95 ? scaled.toFixed(1) : Math.round(scaled)}${letter}`;
}

export function percent(value: number): string {
  return String(Math.round(100 * value));
}

export function heatMap(
  quantity: Quantity,
  moves: readonly MoveNumbers[],
  ownership: Readonly<Record<string, number>> | null | undefined,
): HeatMap {
  if (quantity === "ownership") return ownershipMap(ownership ?? {});
  if (quantity === "visits") return visitsMap(moves);
  const known = moves.filter((move) => Number.isFinite(move[quantity] ?? NaN) && (quantity !== "value" || move.visits > 0));
  const values = known.map((move) => move[quantity] as number);
  if (!values.length) return { quantity, cells: new Map(), legend: null };
  if (quantity === "rave_weight") {
    const cells = known.map((move, i) => [move.move, cell(PLUM, values[i] as number, percent(values[i] as number))] as const);
    return { quantity, cells: new Map(cells), legend: { low: "0 %", high: "100 %", colours: PLUM.map(css) } };
  }
  const most = Math.max(...known.map((move) => move.visits));
  const trusted = quantity === "value" ? known.filter((move) => move.visits >= TRUSTED * most) : known;
  const scaled = trusted.map((move) => move[quantity] as number);
  const low = Math.min(...scaled);
  const high = Math.max(...scaled);
  const centre = (low + high) / 2;
  const half = Math.max((high - low) / 2, 0.01);
  const cells = known.map((move, i) => {
    const value = values[i] as number;
    const opacity = quantity === "value" ? confidence(move.visits, most) : 0.92;
    return [move.move, cell(DIVERGING, 0.5 + (value - centre) / (2 * half), percent(value), opacity)] as const;
  });
  const legend = { low: `${percent(low)} %`, high: `${percent(high)} %`, colours: DIVERGING.map(css) };
  return { quantity, cells: new Map(cells), legend };
}

function visitsMap(moves: readonly MoveNumbers[]): HeatMap {
  const most = Math.max(0, ...moves.map((move) => move.visits));
  if (!most) return { quantity: "visits", cells: new Map(), legend: null };
  const cells = moves
    .filter((move) => move.visits > 0)
    .map((move) => {
      const share = Math.sqrt(move.visits / most);
      return [move.move, cell(INDIGO, share, short(move.visits), 0.35 + 0.6 * share)] as const;
    });
  return { quantity: "visits", cells: new Map(cells), legend: { low: "0", high: short(most), colours: INDIGO.map(css) } };
}

function ownershipMap(ownership: Readonly<Record<string, number>>): HeatMap {
  const owned = Object.entries(ownership).filter(([, owner]) => Math.abs(owner) >= LEAST_OWNED);
  const cells = owned.map(([name, owner]) => [name, cell(OWNERS, owner > 0 ? 1 : 0, "", 0.85 * Math.abs(owner))] as const);
  if (!cells.length) return { quantity: "ownership", cells: new Map(), legend: null };
  return { quantity: "ownership", cells: new Map(cells), legend: { low: "White", high: "Black", colours: OWNERS.map(css) } };
}
