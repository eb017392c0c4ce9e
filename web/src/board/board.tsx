import { useCallback, useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { Cells, Stones } from "./cells";
import { geometryOf, middle, step, type Arrow, type BoardShape } from "./geometry";
import { GoBoard } from "./goban";
import type { HeatMap } from "./heat";
import { GhostLayer, HeatLayer, HitLayer, LegalLayer, MarkLayer, TrailLayer, type Ghost, type Mark } from "./overlay";

export interface BoardProps {
  readonly shape: BoardShape;
  /** 0 (Black) or 1 (White) by the names of cells. */
  readonly stones: Readonly<Record<string, number>>;
  /** The position in one sentence. */
  readonly label: string;
  readonly heat?: HeatMap | null;
  readonly ghosts?: readonly Ghost[];
  readonly marks?: readonly Mark[];
  readonly trail?: readonly string[];
  /** The cells where a move may be played now. */
  readonly legal?: ReadonlySet<string>;
  /** Called with a cell that was clicked, or chosen with Enter or the space bar. */
  readonly onPlay?: ((cell: string) => void) | undefined;
  /** Called with the cell under the pointer or the keyboard's cursor. */
  readonly onPoint?: ((cell: string | null) => void) | undefined;
  /** The words that a screen reader says about a cell under the cursor. */
  readonly describe?: ((cell: string) => string) | undefined;
  /** The height of the board in the window's height, in percent. */
  readonly tallest?: number;
}

const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
const NONE: readonly never[] = [];
const NOWHERE: ReadonlySet<string> = new Set();
/** Cells smaller than this, in pixels, have no room for numbers. */
const LEAST_FOR_TEXT = 21;
const LARGEST_CELL = 72;
/** The largest size of numbers and of letters at the edge, in pixels. */
const MOST_FOR_TEXT = 15;

/** A board of any game: base and stones by its style, under one overlay that all games share. */
export function Board(props: BoardProps) {
  const { shape, stones, heat, ghosts = NONE, trail = NONE, legal = NOWHERE, onPlay, onPoint, tallest = 78 } = props;
  const geometry = useMemo(() => geometryOf(shape), [shape]);
  const [left, top, width, height] = geometry.box;
  const frame = useRef<HTMLDivElement>(null);
  const unit = useUnit(frame, width, height, tallest);
  const [cursor, setCursor] = useState<string | null>(null);
  const [isFocused, setFocused] = useState(false);
  const help = useId();

  const start = (cursor !== null ? geometry.byName.get(cursor) : undefined) ?? middle(geometry);
  const place = isFocused ? start : undefined;
  const given = props.marks ?? NONE;
  const marks = useMemo(() => (place ? [...given, { cell: place.name, kind: "cursor" as const }] : given), [given, place]);

  const play = useCallback(
    (cell: string) => {
      setCursor(cell);
      onPlay?.(cell);
    },
    [onPlay],
  );
  const point = useCallback((cell: string | null) => onPoint?.(cell), [onPoint]);
  const onKey = (event: KeyboardEvent) => {
    if (!start || event.ctrlKey || event.altKey || event.metaKey) return;
    if (ARROWS.includes(event.key)) {
      const next = step(geometry, start, event.key as Arrow);
      setFocused(true);
      setCursor(next.name);
      point(next.name);
    } else if (place && (event.key === "Enter" || event.key === " ")) {
      play(place.name);
    } else return;
    event.preventDefault();
  };
  const onFocus = (event: FocusEvent) => {
    setFocused((event.currentTarget as HTMLElement).matches(":focus-visible"));
  };
  const onBlur = () => {
    setFocused(false);
    point(null);
  };
  const said = place ? `${place.name}, ${props.describe?.(place.name) ?? occupant(stones[place.name])}` : "";
  const textSize = unit < LEAST_FOR_TEXT ? 0 : Math.min(0.36, MOST_FOR_TEXT / unit);
  const size = { width: `${unit * width}px`, height: `${unit * height}px` };

  return (
    <div class="board-frame" ref={frame}>
      <div
        class={`board ${geometry.style}`}
        style={size}
        tabIndex={0}
        role="application"
        aria-roledescription="board"
        aria-label={props.label}
        aria-describedby={help}
        data-size={geometry.cells.length}
        onKeyDown={onKey}
        onFocus={onFocus}
        onBlur={onBlur}
        onPointerDown={() => setFocused(false)}
      >
        {geometry.style === "lines" && <GoBoard geometry={geometry} stones={stones} vertexSize={unit} />}
        <svg class="overlay" viewBox={`${left} ${top} ${width} ${height}`} aria-hidden="true">
          {geometry.style !== "lines" && <Cells geometry={geometry} labelSize={Math.min(0.4, MOST_FOR_TEXT / unit)} />}
          {geometry.style !== "lines" && <Stones geometry={geometry} stones={stones} />}
          {heat && <HeatLayer geometry={geometry} heat={heat} stones={stones}  textSize={textSize} isFaint={ghosts.length > 0} />}
          {!heat?.cells.size && !ghosts.length && <LegalLayer geometry={geometry} legal={legal} stones={stones} />}
          {trail.length > 1 && <TrailLayer geometry={geometry} trail={trail} />}
          {ghosts.length > 0 && <GhostLayer geometry={geometry} ghosts={ghosts} />}
          <MarkLayer geometry={geometry} stones={stones} marks={marks} />
          <StoneNames stones={stones} />
          <HitLayer geometry={geometry} legal={legal} onPlay={play} onPoint={point} />
        </svg>
      </div>
      <p id={help} class="for-screen-readers">
        Arrow keys move the cursor{onPlay ? ", Enter plays" : ""}.
      </p>
      <p class="for-screen-readers" aria-live="polite">
        {said}
      </p>
    </div>
  );
}

/** The stones as elements without a picture, the same for all kinds of boards. */
function StoneNames({ stones }: { stones: Readonly<Record<string, number>> }) {
  return (
    <g class="stone-names">
      {Object.entries(stones).map(([cell, colour]) => (
        <g key={cell} data-stone={cell} data-colour={colour === 0 ? "black" : "white"} />
      ))}
    </g>
  );
}

function occupant(colour: number | undefined): string {
  return colour === undefined ? "empty" : colour === 0 ? "black" : "white";
}

/** The size of a cell in pixels, so that the board fills the frame's width and at most `tallest` % of the window. */
function useUnit(frame: { current: HTMLDivElement | null }, width: number, height: number, tallest: number): number {
  const [unit, setUnit] = useState(24);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () => {
      const most = Math.max(240, (window.innerHeight * tallest) / 100);
      setUnit(Math.max(8, Math.floor(Math.min(element.clientWidth / width, most / height, LARGEST_CELL))));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    window.addEventListener("resize", measure);
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", measure);
    };
  }, [width, height, tallest]);
  return unit;
}
