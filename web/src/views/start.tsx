import { useId, useState } from "preact/hooks";
import { errorOf, useDocument, valueOf } from "../documents";
import { firstDraft } from "../panels/first_draft";
import { OptionField } from "../panels/option_field";
import { PlayerForm } from "../panels/player_form";
import type { BoardEntry, Catalogue, GameEntry, OptionValue } from "../protocol";
import { go, link } from "../router";
import { choiceOf, mostHandicap, sizeText, type PlayerDraft, type Values } from "../schema";
import { createBoard } from "../session";
import { capital } from "../texts";

type Seats = "black" | "white" | "both" | "watch";

const SEATS: readonly [Seats, string][] = [
  ["black", "Black"],
  ["white", "White"],
  ["both", "Both sides"],
  ["watch", "Nobody: watch"],
];

/** The form for a new game, and the games that can be continued. */
export function StartView({ catalogue, next }: { catalogue: Catalogue; next: "board" | "compare" }) {
  const [name, setName] = useState(catalogue.default_game);
  const game = catalogue.games.find((known) => known.name === name) ?? catalogue.games[0];
  if (!game) return <p class="notice bad">The server has no games.</p>;
  return (
    <div class="page narrow">
      <div class="start">
        <section class="stack">
          <div>
            <h1>{next === "board" ? "New game" : "Two searches side by side"}</h1>
            <p class="soft">
              {next === "board"
                ? "Play against Monte-Carlo tree search, and see how it finds its moves."
                : "Choose a game; then two algorithms search its positions with the same budget."}
            </p>
          </div>
          <GameForm key={game.name} catalogue={catalogue} game={game} onGame={setName} next={next} />
        </section>
        <Continue next={next} />
      </div>
    </div>
  );
}

function GameForm(props: { catalogue: Catalogue; game: GameEntry; onGame: (name: string) => void; next: "board" | "compare" }) {
  const { catalogue, game, onGame, next } = props;
  const id = useId();
  const [size, setSize] = useState(game.size);
  const [options, setOptions] = useState<Values>({});
  const [handicap, setHandicap] = useState(0);
  const [seats, setSeats] = useState<Seats>(next === "board" ? "black" : "both");
  const [first, setFirst] = useState<PlayerDraft>(() => firstDraft(catalogue, game));
  const [second, setSecond] = useState<PlayerDraft>(() => firstDraft(catalogue, game));
  const [record, setRecord] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const most = mostHandicap(game, size);
  const [main, ...others] = game.options;
  const set = (option: string, value: OptionValue) => setOptions((old) => ({ ...old, [option]: value }));

  const start = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const player = (draft: PlayerDraft) => choiceOf(catalogue, game.name, draft);
    try {
      const board = await createBoard({
        type: "new_board",
        game: { name: game.name, ...(size === undefined ? {} : { size }), options },
        ...(handicap > 1 && record === null ? { handicap } : {}),
        black: seats === "white" || seats === "watch" ? player(first) : null,
        white: seats === "black" ? player(first) : seats === "watch" ? player(second) : null,
        ...(record === null ? {} : { record }),
      });
      go(next, board);
    } catch (error) {
      setProblem((error as Error).message);
      setBusy(false);
    }
  };
  return (
    <form class="panel stack" onSubmit={start} aria-label="New game">
      <fieldset class="cards">
        <legend class="label">Game</legend>
        {catalogue.games.map((known) => (
          <label key={known.name} class="card">
            <input type="radio" name={`${id}-game`} checked={known.name === game.name} onChange={() => onGame(known.name)} />
            <span>
              <strong>{capital(known.name)}</strong>
              <span class="help">{known.meaning}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div class="option-grid">
        {game.sizes.length > 1 && (
          <div class="field">
            <label for={`${id}-size`}>Board</label>
            <select
              id={`${id}-size`}
              value={size}
              onChange={(event) => {
                const chosen = Number(event.currentTarget.value);
                setSize(chosen);
                setHandicap(Math.min(handicap, mostHandicap(game, chosen)));
              }}
            >
              {game.sizes.map((known) => (
                <option key={known} value={known}>
                  {sizeText(game, known)}
                </option>
              ))}
            </select>
          </div>
        )}
        {main && <OptionField option={main} value={options[main.name] ?? main.default} onChange={(value) => set(main.name, value)} />}
        {most > 1 && (
          <div class="field">
            <label for={`${id}-handicap`}>Handicap</label>
            <select id={`${id}-handicap`} value={handicap} onChange={(event) => setHandicap(Number(event.currentTarget.value))}>
              {[0, ...Array.from({ length: most - 1 }, (_, index) => index + 2)].map((stones) => (
                <option key={stones} value={stones}>
                  {stones ? `${stones} stones` : "none"}
                </option>
              ))}
            </select>
          </div>
        )}
      </div>
      {next === "board" && (
        <>
          <fieldset>
            <legend class="label">You play</legend>
            <div class="segments">
              {SEATS.map(([key, title]) => (
                <label key={key} class="segment">
                  <input type="radio" name={`${id}-seats`} value={key} checked={seats === key} onChange={() => setSeats(key)} />
                  <span>{title}</span>
                </label>
              ))}
            </div>
          </fieldset>
          {seats !== "both" && (
            <div class={seats === "watch" ? "two" : ""}>
              <PlayerForm
                catalogue={catalogue}
                game={game.name}
                draft={first}
                onChange={setFirst}
                title={seats === "watch" ? "Player of Black" : "Opponent"}
              />
              {seats === "watch" && (
                <PlayerForm catalogue={catalogue} game={game.name} draft={second} onChange={setSecond} title="Player of White" />
              )}
            </div>
          )}
        </>
      )}
      {(others.length > 0 || game.records) && (
        <details>
          <summary>{game.records ? `Rules and ${game.records} record` : "Rules"}</summary>
          <div class="stack option-groups">
            <div class="option-grid">
              {others.map((option) => (
                <OptionField key={option.name} option={option} value={options[option.name] ?? option.default} onChange={(value) => set(option.name, value)} />
              ))}
            </div>
            {game.records && <RecordField game={game} record={record} onChange={setRecord} />}
          </div>
        </details>
      )}
      {problem && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      <div class="row">
        <button class="button primary large" type="submit" disabled={isBusy}>
          {next === "board" ? "Start the game" : "Open the board"}
        </button>
      </div>
    </form>
  );
}

/** A record as text or from a file. */
export function RecordField(props: { game: GameEntry; record: string | null; onChange: (record: string | null) => void }) {
  const { game, record, onChange } = props;
  const id = useId();
  const readFile = async (event: Event) => {
    const file = (event.currentTarget as HTMLInputElement).files?.[0];
    if (file) onChange(await file.text());
  };
  return (
    <div class="field">
      <label for={`${id}-text`}>{game.records} record</label>
      <input type="file" accept={game.record_suffix} aria-label={`${game.records} file`} onChange={readFile} />
      <textarea
        id={`${id}-text`}
        rows={4}
        spellcheck={false}
        value={record ?? ""}
        aria-describedby={`${id}-help`}
        onInput={(event) => onChange(event.currentTarget.value.trim() ? event.currentTarget.value : null)}
      />
      <p class="help" id={`${id}-help`}>
        Choose a file or paste the text. Size, rules and moves come from the record.
      </p>
    </div>
  );
}

function Continue({ next }: { next: "board" | "compare" }) {
  const loading = useDocument<{ boards: BoardEntry[] }>("api/boards");
  const boards = valueOf(loading)?.boards ?? [];
  return (
    <section class="stack tight" aria-labelledby="continue">
      <h2 id="continue">Continue a game</h2>
      {errorOf(loading) && <p class="notice bad">{errorOf(loading)}</p>}
      {loading && !boards.length && !errorOf(loading) && <p class="soft">Games that you start are listed here.</p>}
      <ul class="boards">
        {boards.slice(0, 12).map((board) => (
          <li key={board.board}>
            <a href={link(next, board.board)}>
              <strong>{capital(board.title)}</strong>
              <span class="help">
                {seat(board.black)} – {seat(board.white)}
              </span>
              <span class="help number">{board.is_over ? `over after ${board.moves} moves` : `move ${board.moves}`}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function seat(player: string): string {
  return player === "person" ? "You" : player.length > 28 ? `${player.slice(0, 26)}…` : player;
}
