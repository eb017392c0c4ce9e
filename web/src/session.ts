import { useEffect, useReducer, useState } from "preact/hooks";
import { Connection, Refused, type ConnectionState } from "./connection";
import type {
  AnalysisMessage,
  BoardMessage,
  ClientMessage,
  HelloMessage,
  HintMessage,
  NewBoard,
  PositionMessage,
  ReviewMessage,
  ScoreMessage,
  ServerMessage,
  StartAnalysis,
  StepMessage,
  ThinkingMessage,
} from "./protocol";

/** Everything that the page knows about one board. */
export interface BoardState {
  readonly connection: ConnectionState;
  readonly hello: HelloMessage | null;
  readonly board: BoardMessage | null;
  readonly position: PositionMessage | null;
  readonly analysis: AnalysisMessage | null;
  readonly thinking: ThinkingMessage | null;
  readonly hint: HintMessage | null;
  readonly score: ScoreMessage | null;
  readonly step: StepMessage | null;
  readonly review: ReviewMessage | null;
  readonly notice: string | null;
  readonly error: string | null;
  /** The board cannot be shown any more: it is unknown, or open in another page. */
  readonly ended: string | null;
}

const EMPTY: BoardState = {
  connection: "connecting",
  hello: null,
  board: null,
  position: null,
  analysis: null,
  thinking: null,
  hint: null,
  score: null,
  step: null,
  review: null,
  notice: null,
  error: null,
  ended: null,
};

/** A board of the server: its state, and requests that change it. */
export class Session {
  state: BoardState = EMPTY;
  private readonly listeners = new Set<() => void>();
  private readonly connection: Connection;
  /** The stones of the position that the analysis is of; null until that position is known. */
  private analysed: string | null = null;
  private analysisWanted: StartAnalysis | null = null;

  /** The id of the board, once the server has told it. */
  readonly created: Promise<string>;
  private settle: { resolve: (id: string) => void; reject: (error: Error) => void } | null = null;

  /** Open the board of an id, or create one. */
  constructor(private wanted: string | NewBoard) {
    this.created = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    this.created.catch(() => undefined);
    this.connection = new Connection({
      onMessage: (message) => this.receive(message),
      onState: (connection) => {
        this.change({ connection });
        if (connection === "lost") this.settle?.reject(new Error("the server cannot be reached"));
      },
      onOpen: () => void this.open(),
    });
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  close(): void {
    this.listeners.clear();
    this.connection.close();
  }

  /** Send a request; a refusal is shown to the person, and null returned. */
  async send(message: ClientMessage): Promise<ServerMessage | null> {
    this.change({ error: null, notice: null });
    if (message.type === "start_analysis") this.analysisWanted = message.simulations === 0 && !message.seconds ? null : message;
    if (message.type === "stop_analysis") this.analysisWanted = null;
    if (message.type === "start_analysis") this.change({ analysis: null, step: null });
    try {
      return await this.connection.request(message);
    } catch (error) {
      this.change({ error: sentence(error) });
      return null;
    }
  }

  /** Send a request that may be refused without a message to the person, such as for a node that is gone. */
  async ask(message: ClientMessage): Promise<ServerMessage | null> {
    try {
      return await this.connection.request(message);
    } catch {
      return null;
    }
  }

  clearError(): void {
    this.change({ error: null, notice: null });
  }

  clearStep(): void {
    this.change({ step: null });
  }

  private async open(): Promise<void> {
    try {
      const wanted = this.wanted;
      const reply = await this.connection.request(
        typeof wanted === "string" ? { type: "open_board", board: wanted } : wanted,
      );
      if (reply.type === "board") {
        this.wanted = reply.board;
        this.settle?.resolve(reply.board);
      }
      if (this.analysisWanted) await this.connection.request(this.analysisWanted);
    } catch (error) {
      this.settle?.reject(error instanceof Error ? error : new Error(String(error)));
      if (error instanceof Refused && error.code === "unknown_board") this.end(error.message);
      else this.change({ error: sentence(error) });
    }
  }

  private end(reason: string): void {
    this.connection.close();
    this.change({ ended: reason });
  }

  private receive(message: ServerMessage): void {
    switch (message.type) {
      case "hello":
        return this.change({ hello: message });
      case "board":
        return this.change({ board: message });
      case "position":
        return this.moveTo(message);
      case "analysis":
        this.analysed = this.state.position?.move_number === message.move_number ? this.state.position.stones : null;
        return this.change({ analysis: message, ...(message.running ? { step: null } : {}), ...(hasBegun(message) ? { notice: null } : {}) });
      case "thinking":
        return this.change({ thinking: message, ...(message.panel ? { notice: null } : {}) });
      case "hint":
        return this.change({ hint: message, notice: null });
      case "score":
        return this.change({ score: message, notice: null });
      case "step":
        return this.change({ step: message, notice: null });
      case "review":
        return this.change({ review: message, ...(message.done > 0 ? { notice: null } : {}) });
      case "notice":
        return this.change({ notice: message.message });
      case "error":
        if (message.code === "moved") return this.end(message.message);
        return this.change({ error: message.message });
      default:
        return;
    }
  }

  /** A new position; what was found out about another one does not fit any more. */
  private moveTo(position: PositionMessage): void {
    const before = this.state.position;
    const isSame =
      before !== null && before.move_number === position.move_number && before.stones === position.stones;
    const { analysis } = this.state;
    const isAnalysed = analysis?.move_number === position.move_number;
    const isStale = isAnalysed && this.analysed !== null && this.analysed !== position.stones;
    if (isAnalysed) this.analysed = position.stones;
    this.change({
      position,
      ...(isStale ? { analysis: null } : {}),
      notice: null,
      ...(isSame ? {} : { hint: null, step: null, score: null, thinking: null }),
    });
  }

  private change(part: Partial<BoardState>): void {
    this.state = { ...this.state, ...part };
    for (const listener of this.listeners) listener();
  }
}

function hasBegun(analysis: AnalysisMessage): boolean {
  return analysis.panels.some((panel) => panel.simulations > 0);
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The session of a board, open as long as the component is shown. */
export function useSession(id: string): Session {
  const [held, setHeld] = useState<{ id: string; session: Session } | null>(null);
  const [, update] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const session = waiting.get(id) ?? new Session(id);
    waiting.delete(id);
    const leave = session.subscribe(() => update(undefined));
    setHeld({ id, session });
    return () => {
      leave();
      session.close();
    };
  }, [id]);
  return held && held.id === id ? held.session : PLACEHOLDER;
}

/** Before the first effect: an empty state that sends nothing. */
const PLACEHOLDER = Object.assign(Object.create(Session.prototype) as Session, {
  state: EMPTY,
  send: () => Promise.resolve(null),
  ask: () => Promise.resolve(null),
});

/** Sessions of new boards that no view shows yet, by the board's id. */
const waiting = new Map<string, Session>();

/** Create a board and return its id. Rejects with the reason if the server refuses it. */
export async function createBoard(message: NewBoard): Promise<string> {
  const session = new Session(message);
  try {
    const id = await session.created;
    waiting.set(id, session);
    return id;
  } catch (error) {
    session.close();
    throw error;
  }
}
