import type { BoardMessage, Catalogue, PositionMessage } from "../protocol";
import { link } from "../router";
import { useSession, type BoardState, type Session } from "../session";
import { CompareView } from "./compare";
import { PlayView } from "./play";
import { ReviewView } from "./review";

/** What the views of one board share. */
export interface BoardViewProps {
  readonly session: Session;
  readonly state: BoardState;
  readonly board: BoardMessage;
  readonly position: PositionMessage;
  readonly catalogue: Catalogue;
}

const VIEWS = { board: PlayView, compare: CompareView, review: ReviewView };

/** The views of one board, on one connection. */
export function BoardViews({ id, view, catalogue }: { id: string; view: string; catalogue: Catalogue }) {
  const session = useSession(id);
  const state = session.state;
  const { board, position } = state;
  const Shown = VIEWS[view as keyof typeof VIEWS] ?? PlayView;
  return (
    <div class="page" data-connection={state.connection}>
      <Connection state={state} session={session} />
      {state.ended ? (
        <div class="panel stack ended">
          <h1>This board is not here</h1>
          <p>{state.ended}</p>
          <p>
            <a class="button" href={link()}>
              New game
            </a>
          </p>
        </div>
      ) : (
        board && position && <Shown key={view} session={session} state={state} board={board} position={position} catalogue={catalogue} />
      )}
    </div>
  );
}

/** The state of the connection, refusals and remarks of the server. */
function Connection({ state, session }: { state: BoardState; session: Session }) {
  const isLost = state.connection === "lost" && !state.ended;
  return (
    <div class="messages">
      <div role="status">
        {isLost && <p class="notice warn">The connection to the server is lost. The page reconnects by itself; the game is kept.</p>}
        {!isLost && state.notice && <p class="notice">{state.notice}</p>}
      </div>
      <div role="alert">
        {!isLost && state.error && (
          <p class="notice bad row spread nowrap">
            {state.error}
            <button type="button" class="button quiet small" onClick={() => session.clearError()}>
              Dismiss
            </button>
          </p>
        )}
      </div>
    </div>
  );
}
