import type { BoardMessage, Colour, PositionMessage, Side } from "./protocol";

export function number(value: number): string {
  return Math.round(value).toLocaleString("en");
}

export function percentage(value: number | null | undefined, digits = 1): string {
  return value === null || value === undefined || !Number.isFinite(value) ? "–" : `${(100 * value).toFixed(digits)} %`;
}

export function signed(value: number, digits = 1): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function opposite(colour: Colour): Colour {
  return colour === "black" ? "white" : "black";
}

export function sideName(side: Side): string {
  if (side.kind === "person") return "You";
  const choice = side.player;
  if (!choice) return side.description ?? "player";
  const level = choice.options?.["number"];
  const name = choice.player === "level" && level !== undefined ? `Level ${level}` : choice.player;
  const budget = choice.seconds ? `${choice.seconds} s per move` : choice.simulations ? `${number(choice.simulations)} simulations` : "";
  return budget ? `${name} · ${budget}` : name;
}

/** The position in one sentence, as the name of the board for screen readers. */
export function positionLabel(board: BoardMessage, position: PositionMessage): string {
  const last = position.last_move;
  const parts = [
    `${board.title} board`,
    `move ${position.move_number}`,
    last ? `${last.colour} played ${last.move} last` : "",
    position.is_over ? (position.result ?? "the game is over") : `${position.to_play} to play`,
  ];
  return parts.filter(Boolean).join(", ");
}

/** The score of a game with points, as Go players write it. */
export function marginText(margin: number): string {
  if (margin === 0) return "even";
  return `${margin > 0 ? "Black" : "White"} by ${Math.abs(margin).toFixed(1).replace(/\.0$/, "")}`;
}

/** Offer a text as a file to save. */
export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  URL.revokeObjectURL(address);
}
