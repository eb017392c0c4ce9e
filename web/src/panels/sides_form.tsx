import { useState } from "preact/hooks";
import type { Colour, PlayerChoice } from "../protocol";
import { choiceOf, OWN_BUDGET, type PlayerDraft } from "../schema";
import type { BoardViewProps } from "../views/board_views";
import { firstDraft } from "./first_draft";
import { PlayerForm } from "./player_form";

interface Seat {
  readonly isPerson: boolean;
  readonly draft: PlayerDraft;
}

/** Change who plays the sides of a game in progress. */
export function SidesForm({ session, state, board, catalogue }: BoardViewProps) {
  const game = catalogue.games.find((known) => known.name === board.game.name);
  const seatOf = (colour: Colour): Seat => {
    const side = board[colour];
    const first = game ? firstDraft(catalogue, game) : { preset: "", changed: {}, budget: OWN_BUDGET };
    return { isPerson: side.kind === "person", draft: side.player ? draftOf(side.player) : first };
  };
  const [seats, setSeats] = useState<Record<Colour, Seat>>(() => ({ black: seatOf("black"), white: seatOf("white") }));
  const choice = (colour: Colour): PlayerChoice | null =>
    seats[colour].isPerson ? null : choiceOf(catalogue, board.game.name, seats[colour].draft);
  const set = (colour: Colour, seat: Partial<Seat>) => setSeats((old) => ({ ...old, [colour]: { ...old[colour], ...seat } }));
  const apply = () => void session.send({ type: "set_sides", black: choice("black"), white: choice("white") });
  return (
    <details>
      <summary>Change the players</summary>
      <div class="stack option-groups">
        {(["black", "white"] as const).map((colour) => (
          <fieldset key={colour} class="stack tight">
            <legend class="label">{colour === "black" ? "Black" : "White"}</legend>
            <div class="segments fit">
              {[true, false].map((isPerson) => (
                <label key={String(isPerson)} class="segment">
                  <input
                    type="radio"
                    name={`seat-${colour}`}
                    checked={seats[colour].isPerson === isPerson}
                    onChange={() => set(colour, { isPerson })}
                  />
                  <span>{isPerson ? "You" : "A player"}</span>
                </label>
              ))}
            </div>
            {!seats[colour].isPerson && (
              <PlayerForm
                catalogue={catalogue}
                game={board.game.name}
                draft={seats[colour].draft}
                onChange={(draft) => set(colour, { draft })}
                title={colour === "black" ? "Player of Black" : "Player of White"}
              />
            )}
          </fieldset>
        ))}
        <div class="row">
          <button type="button" class="button" disabled={state.connection !== "open"} onClick={apply}>
            Apply
          </button>
        </div>
      </div>
    </details>
  );
}

function draftOf(choice: PlayerChoice): PlayerDraft {
  const budget = choice.seconds
    ? ({ kind: "seconds", amount: choice.seconds } as const)
    : choice.simulations
      ? ({ kind: "simulations", amount: choice.simulations } as const)
      : OWN_BUDGET;
  return { preset: choice.player, changed: choice.options ?? {}, budget };
}
