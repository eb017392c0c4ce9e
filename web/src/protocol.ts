/** The messages between page and server, as docs/web-protocol.md describes them. */

import type { MoveNumbers } from "./board/heat";

export type Colour = "black" | "white";
export type OptionValue = boolean | number | string;

export interface PlayerChoice {
  player: string;
  options?: Record<string, OptionValue>;
  simulations?: number;
  seconds?: number;
}

export interface GameChoice {
  name: string;
  size?: number | null;
  options?: Record<string, OptionValue>;
}

export interface NewBoard {
  type: "new_board";
  game: GameChoice;
  handicap?: number;
  black?: PlayerChoice | null;
  white?: PlayerChoice | null;
  record?: string | null;
  stored?: { store: string; id: string } | null;
}

export interface StartAnalysis {
  type: "start_analysis";
  players: PlayerChoice[];
  simulations?: number;
  seconds?: number;
  share?: "simulations" | "seconds";
  updates?: number;
  playouts?: number;
}

export type ClientMessage =
  | NewBoard
  | { type: "open_board"; board: string }
  | { type: "delete_board" }
  | { type: "set_sides"; black: PlayerChoice | null; white: PlayerChoice | null }
  | { type: "play"; move: string }
  | { type: "pass" }
  | { type: "undo"; count?: number }
  | { type: "resign" }
  | { type: "move_now" }
  | { type: "goto"; move: number }
  | { type: "hint"; player?: PlayerChoice }
  | { type: "score"; playouts?: number }
  | { type: "save_record" }
  | StartAnalysis
  | { type: "stop_analysis" }
  | { type: "tree"; panel: number; path: string[]; most?: number }
  | { type: "step"; panel: number }
  | { type: "start_review"; player?: PlayerChoice; simulations?: number; seconds?: number; blunder?: number }
  | { type: "stop_review" };

interface Answer {
  request?: number;
}

export interface HelloMessage extends Answer {
  type: "hello";
  version: string;
  protocol: number;
  limits: { boards: number; simulations: number; seconds: number; memory: number };
}

export type ErrorCode = "refused" | "malformed" | "rate" | "limit" | "unknown_board" | "moved" | "failed";

export interface ErrorMessage extends Answer {
  type: "error";
  message: string;
  code: ErrorCode;
}

export interface ServerCell {
  name: string;
  row: number;
  column: number;
  x: number;
  y: number;
}

export interface ServerGeometry {
  kind: "grid" | "hexagons" | "diagram";
  style: "lines" | "squares" | "hexagons";
  rows: number;
  columns: number;
  cells: ServerCell[];
  stars: string[];
  named_moves: string[];
}

export interface Side {
  kind: "person" | "player";
  player?: PlayerChoice;
  description?: string;
}

export interface BoardMessage extends Answer {
  type: "board";
  board: string;
  game: GameChoice;
  title: string;
  geometry: ServerGeometry;
  black: Side;
  white: Side;
  record_suffix?: string;
  has_margin: boolean;
  has_ownership: boolean;
}

export interface PlayedMove {
  colour: Colour;
  move: string;
}

export interface PositionMessage extends Answer {
  type: "position";
  move_number: number;
  moves: PlayedMove[];
  stones: string;
  to_play: Colour;
  legal: string[];
  last_move?: PlayedMove;
  captures: { black: number; white: number };
  score?: number;
  is_over: boolean;
  winner?: "black" | "white" | "draw";
  reason?: "score" | "resign";
  result?: string;
  turn?: "person" | "player";
  black_win_rates: (number | null)[];
  diagram: string;
}

export type Proof = "win" | "draw" | "loss";

export interface MoveReport extends MoveNumbers {
  move: string;
  visits: number;
  value?: number;
  rave_visits?: number;
  rave_value?: number;
  rave_weight?: number;
  prior?: number;
  prior_weight?: number;
  greedy_value?: number;
  selection_value?: number;
  proof?: Proof;
  score?: number;
  pruned?: boolean;
  variation?: string[];
}

export interface Panel {
  player: string;
  simulations: number;
  simulations_per_second: number;
  nodes?: number;
  bytes?: number;
  full?: boolean;
  mean_depth?: number;
  deepest?: number;
  value?: number;
  black_win_rate?: number;
  proof?: Proof;
  best?: string;
  moves: MoveReport[];
}

export interface AnalysisMessage extends Answer {
  type: "analysis";
  move_number: number;
  to_play: Colour;
  running: boolean;
  panels: Panel[];
}

export interface ThinkingMessage extends Answer {
  type: "thinking";
  colour: Colour;
  active: boolean;
  panel?: Panel;
}

export interface HintMessage extends Answer {
  type: "hint";
  move_number: number;
  move: string;
  panel?: Panel;
}

export interface ScoreMessage extends Answer {
  type: "score";
  move_number: number;
  playouts: number;
  margin?: number;
  mean: number;
  deviation: number;
  ownership: Record<string, number>;
}

export interface TreeMove extends MoveReport {
  has_node: boolean;
}

export interface TreeMessage extends Answer {
  type: "tree";
  panel: number;
  path: string[];
  to_play: Colour;
  simulations: number;
  value?: number;
  proof?: Proof;
  moves: TreeMove[];
  count: number;
}

export interface Update {
  path: string[];
  colour: Colour;
  move: string;
  before: MoveReport;
  after: MoveReport;
  rave: string[];
}

export interface StepMessage extends Answer {
  type: "step";
  panel: number;
  simulation: number;
  selection: { colour: Colour; move: string; is_new: boolean; moves: MoveReport[] }[];
  expanded?: string[];
  playout: PlayedMove[];
  black_result: number;
  black_score?: number;
  final_stones?: string;
  backup: Update[];
}

export interface RecordMessage extends Answer {
  type: "record";
  name: string;
  text: string;
}

export interface ReviewedMove {
  number: number;
  colour: Colour;
  move: string;
  black_before: number;
  black_after: number;
  loss: number;
  best: string;
  variation: string[];
  has_better: boolean;
  is_blunder: boolean;
}

export interface ReviewMessage extends Answer {
  type: "review";
  player: string;
  done: number;
  moves: ReviewedMove[];
  annotated?: string;
}

export type ServerMessage =
  | HelloMessage
  | ErrorMessage
  | ({ type: "notice"; message: string } & Answer)
  | ({ type: "deleted"; board: string } & Answer)
  | BoardMessage
  | PositionMessage
  | AnalysisMessage
  | ThinkingMessage
  | HintMessage
  | ScoreMessage
  | TreeMessage
  | StepMessage
  | RecordMessage
  | ReviewMessage;

// Documents read over HTTP

export interface Condition {
  option: string;
  values?: OptionValue[];
  at_least?: number;
}

export interface Option {
  name: string;
  type: "boolean" | "integer" | "number" | "text";
  default: OptionValue;
  meaning: string;
  low?: number;
  high?: number;
  choices?: string[];
  words?: string[];
  part?: string;
  needs: Condition[];
}

export interface GameEntry {
  name: string;
  meaning: string;
  sizes: number[];
  size?: number;
  size_texts: string[];
  options: Option[];
  handicaps: number[];
  records?: string;
  record_suffix?: string;
  default_player: string;
  levels: number;
}

export interface Part {
  name: string;
  meaning: string;
  game?: string;
  options: Option[];
}

export interface Preset {
  name: string;
  meaning: string;
  family: string;
  searches: boolean;
  has_tree: boolean;
  game?: string;
  settings: Record<string, OptionValue>;
  defaults: Record<string, OptionValue>;
}

export interface Catalogue {
  games: GameEntry[];
  presets: Preset[];
  families: { name: string; options: Option[]; unused: string[] }[];
  parts: Record<string, Part[]>;
  default_game: string;
  arena: boolean;
  reports: boolean;
}

export interface BoardEntry {
  board: string;
  title: string;
  moves: number;
  changed: number;
  black: string;
  white: string;
  is_over: boolean;
}

export interface Standing {
  player: string;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  rate?: number;
  elo?: number;
  elo_low?: number;
  elo_high?: number;
}

export interface PairingEntry {
  pairing: string;
  first: string;
  second: string;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  rate?: number;
}

export interface Standings {
  store: string;
  has_records: boolean;
  standings: Standing[];
  pairings: PairingEntry[];
}

export interface GameRow {
  id: string;
  pairing: string;
  number: number;
  black: string;
  white: string;
  winner: "black" | "white" | "draw";
  reason: string;
  margin?: number;
  moves: number;
}

export interface Games {
  store: string;
  games: GameRow[];
  total: number;
  offset: number;
}

export interface Replay {
  store: string;
  row: GameRow;
  game: GameChoice;
  geometry: ServerGeometry;
  moves: PlayedMove[];
  positions: { stones: string; to_play: Colour }[];
  black_win_rates?: (number | null)[];
}
