import { useEffect, useMemo, useState } from "preact/hooks";
import type { Mark } from "../board/overlay";
import { errorOf, useDocument, valueOf } from "../documents";
import { GameBoard } from "../panels/game_board";
import { Steps, WinRateGraph } from "../panels/graph";
import type { Catalogue, GameRow, Games, Replay, Standings } from "../protocol";
import { go, link } from "../router";
import { createBoard } from "../session";
import { marginText, number, percentage, signed } from "../texts";

/** Standings and games of the server's stores: #/arena, #/arena/STORE, #/arena/STORE/GAME. */
export function ArenaView({ catalogue, rest }: { catalogue: Catalogue; rest: string[] }) {
  const [store, game] = rest;
  const loading = useDocument<{ stores: string[] }>(catalogue.arena ? "api/arena" : null);
  const stores = valueOf(loading)?.stores ?? [];
  if (!catalogue.arena) {
    return (
      <div class="page narrow stack">
        <h1>Arena</h1>
        <p class="panel">
          The server has no stored games. Start it with <code>tengen web --arena FOLDER</code>, where <code>FOLDER</code> has files
          of <code>tengen match</code> or <code>tengen tournament</code>.
        </p>
      </div>
    );
  }
  if (store && game) return <ReplayView store={store} id={game} />;
  return (
    <div class="page narrow stack">
      <div class="row spread">
        <h1>Arena</h1>
        {stores.length > 0 && (
          <label class="row nowrap">
            Store
            <select value={store ?? stores[0]} onChange={(event) => go("arena", event.currentTarget.value)}>
              {stores.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {errorOf(loading) && <p class="notice bad">{errorOf(loading)}</p>}
      {loading && !stores.length && !errorOf(loading) && <p class="panel">There are no stores in the folder of the server.</p>}
      {(store ?? stores[0]) && <StoreView store={store ?? (stores[0] as string)} />}
    </div>
  );
}

const PAGE_LENGTH = 50;

function StoreView({ store }: { store: string }) {
  const [pairing, setPairing] = useState("");
  const [offset, setOffset] = useState(0);
  useEffect(() => {
    setPairing("");
    setOffset(0);
  }, [store]);
  const loading = useDocument<Standings>("api/arena/standings", { store });
  const standings = valueOf(loading);
  const games = useDocument<Games>("api/arena/games", { store, offset, most: PAGE_LENGTH, ...(pairing ? { pairing } : {}) });
  const list = valueOf(games);
  return (
    <div class="arena">
      {(errorOf(loading) ?? errorOf(games)) && <p class="notice bad">{errorOf(loading) ?? errorOf(games)}</p>}
      {standings && (
        <section class="panel stack tight" aria-label="Standings">
          <h2>Standings</h2>
          <div class="scroll" tabIndex={0} role="region" aria-label="Standings">
            <table>
              <thead>
                <tr>
                  <th scope="col">Player</th>
                  <th scope="col">Games</th>
                  <th scope="col">Won</th>
                  <th scope="col">Drawn</th>
                  <th scope="col">Lost</th>
                  <th scope="col">Rate</th>
                  <th scope="col">Elo</th>
                  <th scope="col">95 %</th>
                </tr>
              </thead>
              <tbody>
                {standings.standings.map((row) => (
                  <tr key={row.player}>
                    <th scope="row" class="player-name">
                      <PlayerName name={row.player} />
                    </th>
                    <td class="number">{number(row.games)}</td>
                    <td class="number">{number(row.wins)}</td>
                    <td class="number">{number(row.draws)}</td>
                    <td class="number">{number(row.losses)}</td>
                    <td class="number">{percentage(row.rate)}</td>
                    <td class="number">{row.elo === undefined ? "–" : signed(row.elo, 0)}</td>
                    <td class="number">
                      {row.elo_low === undefined || row.elo_high === undefined ? "–" : `${signed(row.elo_low, 0)} to ${signed(row.elo_high, 0)}`}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
      {standings && (
        <section class="panel stack tight" aria-label="Games">
          <div class="row spread">
            <h2>
              Games <span class="soft number">{list ? number(list.total) : ""}</span>
            </h2>
            {standings.pairings.length > 1 && (
              <select
                class="pairing"
                aria-label="Pairing"
                value={pairing}
                onChange={(event) => {
                  setPairing(event.currentTarget.value);
                  setOffset(0);
                }}
              >
                <option value="">All pairings</option>
                {standings.pairings.map((row) => (
                  <option key={row.pairing} value={row.pairing}>
                    {row.first} – {row.second}: {row.wins} : {row.losses}
                  </option>
                ))}
              </select>
            )}
          </div>
          {list && <GameList store={store} games={list.games} hasRecords={standings.has_records} />}
          {list && list.total > PAGE_LENGTH && (
            <div class="row">
              <button type="button" class="button small" disabled={!offset} onClick={() => setOffset(Math.max(0, offset - PAGE_LENGTH))}>
                Previous
              </button>
              <span class="soft number">
                {list.offset + 1} to {list.offset + list.games.length} of {number(list.total)}
              </span>
              <button type="button" class="button small" disabled={offset + PAGE_LENGTH >= list.total} onClick={() => setOffset(offset + PAGE_LENGTH)}>
                Next
              </button>
            </div>
          )}
        </section>
      )}
    </div>
  );
}

function GameList({ store, games, hasRecords }: { store: string; games: readonly GameRow[]; hasRecords: boolean }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Games">
      <table>
        <thead>
          <tr>
            <th scope="col">Game</th>
            <th scope="col" class="text">
              Black
            </th>
            <th scope="col" class="text">
              White
            </th>
            <th scope="col" class="text">
              Result
            </th>
            <th scope="col">Moves</th>
          </tr>
        </thead>
        <tbody>
          {games.map((row) => (
            <tr key={row.id}>
              <th scope="row">{hasRecords ? <a href={link("arena", store, row.id)}>Replay {row.number + 1}</a> : row.number + 1}</th>
              <td class={`text player-name${row.winner === "black" ? " winner" : ""}`}>
                <PlayerName name={row.black} />
              </td>
              <td class={`text player-name${row.winner === "white" ? " winner" : ""}`}>
                <PlayerName name={row.white} />
              </td>
              <td class="text">{resultOf(row)}</td>
              <td class="number">{row.moves}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The description of a player, which may be broken between its settings. */
function PlayerName({ name }: { name: string }) {
  return (
    <>
      {name.split(/(?<=[:,])/).map((part, index) => (
        <>
          {index > 0 && <wbr />}
          {part}
        </>
      ))}
    </>
  );
}

function resultOf(row: GameRow): string {
  if (row.winner === "draw") return "draw";
  if (row.reason === "score" && row.margin) return marginText(row.margin);
  return `${row.winner === "black" ? "Black" : "White"}${row.reason === "score" ? "" : `, ${row.reason}`}`;
}

function ReplayView({ store, id }: { store: string; id: string }) {
  const loading = useDocument<Replay>("api/arena/game", { store, id });
  const replay = valueOf(loading);
  const [move, setMove] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => setMove(replay?.moves.length ?? 0), [replay]);
  const last = replay?.moves[move - 1];
  const marks = useMemo<Mark[]>(() => (last ? [{ cell: last.move, kind: "last" }] : []), [last]);
  const open = async () => {
    if (!replay) return;
    try {
      go("board", await createBoard({ type: "new_board", game: { name: replay.game.name }, stored: { store, id } }));
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <div class="page stack">
      <p>
        <a href={link("arena", store)}>← {store}</a>
      </p>
      {(errorOf(loading) ?? problem) && <p class="notice bad">{errorOf(loading) ?? problem}</p>}
      {replay && (
        <div class="play">
          <section class="stack board-column" aria-label="Board">
            <GameBoard
              geometry={replay.geometry}
              letters={replay.positions[move]?.stones ?? ""}
              label={`${replay.game.name} board, move ${move} of ${replay.moves.length}${last ? `, ${last.colour} played ${last.move} last` : ""}`}
              marks={marks}
            />
            <Steps current={move} length={replay.moves.length} onGo={setMove} />
          </section>
          <div class="stack side-column">
            <section class="panel stack tight" aria-label="Game">
              <h1>{replay.row.pairing}</h1>
              <div class="side">
                <span class="dot black" aria-hidden="true" />
                <span class="side-name">{replay.row.black}</span>
                {replay.row.winner === "black" && <span class="tag">won</span>}
              </div>
              <div class="side">
                <span class="dot white" aria-hidden="true" />
                <span class="side-name">{replay.row.white}</span>
                {replay.row.winner === "white" && <span class="tag">won</span>}
              </div>
              <p class="soft">
                Game {replay.row.number + 1}: {resultOf(replay.row)}, {replay.row.moves} moves.
              </p>
              <div class="row">
                <button type="button" class="button primary" onClick={() => void open()}>
                  Open as a board
                </button>
              </div>
            </section>
            <section class="panel stack tight" aria-label="Win rate">
              <h2>Win rate of Black, %</h2>
              <WinRateGraph rates={replay.black_win_rates ?? []} current={move} length={replay.moves.length} onGo={setMove} />
              {!replay.black_win_rates && <p class="help">The store has no analyses of this game. Open it as a board to review it.</p>}
            </section>
          </div>
        </div>
      )}
    </div>
  );
}
