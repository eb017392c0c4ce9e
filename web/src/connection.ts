import type { ClientMessage, ErrorMessage, ServerMessage } from "./protocol";

export type ConnectionState = "connecting" | "open" | "lost" | "closed";

/** A request that the server refused; the message is a sentence for the person. */
export class Refused extends Error {
  readonly code: ErrorMessage["code"];

  constructor(reply: ErrorMessage) {
    super(reply.message);
    this.code = reply.code;
  }
}

interface Pending {
  resolve: (reply: ServerMessage) => void;
  reject: (error: Error) => void;
}

const LONGEST_DELAY = 3000;

/** The WebSocket of one board. After a loss of the connection it is made again until `close` is called. */
export class Connection {
  private socket: WebSocket | null = null;
  private lastRequest = 0;
  private delay = 250;
  private timer: number | undefined;
  private isClosed = false;
  private readonly pending = new Map<number, Pending>();

  constructor(
    private readonly events: {
      onMessage: (message: ServerMessage) => void;
      onState: (state: ConnectionState) => void;
      /** Called after each connection is made, before any other request. */
      onOpen: () => void;
    },
  ) {
    this.connect();
  }

  request(message: ClientMessage): Promise<ServerMessage> {
    const socket = this.socket;
    if (!socket || socket.readyState !== WebSocket.OPEN)
      return Promise.reject(new Error("the connection to the server is lost; it is being made again"));
    const request = ++this.lastRequest;
    return new Promise((resolve, reject) => {
      this.pending.set(request, { resolve, reject });
      socket.send(JSON.stringify({ ...message, request }));
    });
  }

  close(): void {
    this.isClosed = true;
    window.clearTimeout(this.timer);
    this.socket?.close();
    this.events.onState("closed");
  }

  private connect(): void {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/board`);
    this.socket = socket;
    socket.onmessage = (event: MessageEvent<string>) => this.receive(JSON.parse(event.data) as ServerMessage);
    socket.onclose = () => this.lost();
  }

  private receive(message: ServerMessage): void {
    if (message.type === "hello") {
      this.delay = 250;
      this.events.onState("open");
      this.events.onOpen();
    }
    const pending = message.request === undefined ? undefined : this.pending.get(message.request);
    if (pending) {
      this.pending.delete(message.request as number);
      if (message.type === "error") pending.reject(new Refused(message));
      else pending.resolve(message);
    }
    if (!pending || message.type !== "error") this.events.onMessage(message);
  }

  private lost(): void {
    for (const { reject } of this.pending.values()) reject(new Error("the connection to the server was lost"));
    this.pending.clear();
    if (this.isClosed) return;
    this.events.onState("lost");
    this.timer = window.setTimeout(() => this.connect(), this.delay);
    this.delay = Math.min(LONGEST_DELAY, 2 * this.delay);
  }
}
