import { useState } from "preact/hooks";
import type { Catalogue } from "../protocol";
import { go } from "../router";
import { createBoard } from "../session";
import { capital } from "../texts";
import { RecordField } from "./start";

/** Load a record for a review. */
export function ReviewStart({ catalogue }: { catalogue: Catalogue }) {
  const games = catalogue.games.filter((game) => game.records);
  const [name, setName] = useState(games[0]?.name ?? "");
  const [record, setRecord] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const game = games.find((known) => known.name === name);
  if (!game) return <p class="notice bad">No game of the server has a record format.</p>;
  const load = async (event: Event) => {
    event.preventDefault();
    if (record === null) {
      setProblem("Choose a file or paste a record first.");
      return;
    }
    try {
      go("review", await createBoard({ type: "new_board", game: { name }, record }));
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <div class="page narrow">
      <form class="stack" onSubmit={load}>
        <div>
          <h1>Review a game</h1>
          <p class="soft">
            A search examines every position of a game: the win rate over the game, blunders, and the better lines. A game that
            was played here is reviewed by Review in its own board.
          </p>
        </div>
        <div class="panel stack">
          {games.length > 1 && (
            <label class="field">
              Game
              <select value={name} onChange={(event) => setName(event.currentTarget.value)}>
                {games.map((known) => (
                  <option key={known.name} value={known.name}>
                    {capital(known.name)}
                  </option>
                ))}
              </select>
            </label>
          )}
          <RecordField game={game} record={record} onChange={setRecord} />
          {problem && (
            <p class="notice bad" role="alert">
              {problem}
            </p>
          )}
          <div class="row">
            <button type="submit" class="button primary large">
              Load the record
            </button>
          </div>
        </div>
      </form>
    </div>
  );
}
