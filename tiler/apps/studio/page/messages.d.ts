// Written by scripts/page_types.py from tiler/apps/studio/messages.py: do not edit.

/** A lattice in the catalogue. */
export interface LatticeEntry {
  name: string;
  dimension: number;
  help: string;
}

/** A set of pieces in the catalogue. */
export interface SetEntry {
  name: string;
  lattice: string;
  help: string;
}

/** A named board in the catalogue. */
export interface BoardEntry {
  name: string;
  lattice: string;
  help: string;
}

/** A problem in the catalogue. */
export interface ProblemEntry {
  name: string;
  title: string;
  tags: string[];
  family: string;
  lattice: string;
  cells: number;
  verdict: "sat" | "unsat" | null;
  count: string | null;
}

/** A solver in the catalogue. */
export interface SolverEntry {
  name: string;
  help: string;
  installed: boolean;
  source: string;
}

/** A parameter of a question, from its declaration: `values` says in words which values it takes, `absent` what the default null means, and `excludes` which parameters must then keep their defaults. */
export interface Parameter {
  name: string;
  kind: string;
  values: string;
  default: any;
  is_required: boolean;
  help: string;
  metavar: string;
  absent: string;
  choices: string[];
  excludes: string[];
}

/** A question that can be asked, with its parameters. */
export interface Form {
  name: string;
  help: string;
  about: "problem" | "tiles" | "tiling";
  parameters: Parameter[];
}

/** A form of files. */
export interface SaveForm {
  form: string;
  help: string;
  needs: "problem" | "tiling" | "tilings";
}

/** All that can be named. */
export interface Catalogue {
  version: string;
  lattices: LatticeEntry[];
  sets: SetEntry[];
  boards: BoardEntry[];
  problems: ProblemEntry[];
  solvers: SolverEntry[];
  questions: Form[];
  forms: SaveForm[];
}

/** A tile that lies on the board. `orientation` is the number of the way it lies, where its paint can be seen; None else. */
export interface LaidTile {
  tile: string;
  cells: number[][];
  locked: boolean;
  orientation: number | null;
}

/** The name of a lattice or of a problem. */
export interface Name {
  name: string;
}

/** A pasted text, or a file: text, or base64 if it is packed. */
export interface ReadText {
  name?: string;
  text?: string | null;
  base64?: string | null;
}

/** Tiles by words, such as `1:pentominoes` or `1:5P 2:4T`. */
export interface NameTiles {
  words: string;
  lattice?: string;
  reflections?: boolean | null;
}

/** A board by words, such as `6x10`. */
export interface NameBoard {
  words: string;
  lattice?: string;
}

/** Open a problem in the session of a tab. */
export interface Open {
  session: string;
  problem: Record<string, any>;
}

/** The tiles that lie on the board of a session, all of them. Answers about older revisions are dropped. */
export interface Lay {
  session: string;
  revision: number;
  laid?: LaidTile[];
}

/** A question, by the name of a form. */
export interface Ask {
  session: string;
  question: string;
  parameters: Record<string, any>;
  laid?: LaidTile[];
}

/** End the work on a question. */
export interface Stop {
  session: string;
  id: string;
}

/** End a session. */
export interface Close {
  session: string;
}

/** Write a problem, or tilings, in one of the forms of the catalogue. */
export interface Save {
  problem: Record<string, any>;
  form: string;
  laid?: LaidTile[];
  parameters?: Record<string, any> | null;
  tilings?: LaidTile[][] | null;
}

/** A translation of a lattice: of cells, and of their places in the drawing of a layer. */
export interface Period {
  cell: number[];
  at: [number, number];
}

/** A side of a cell that may have a mark, by the cell beyond it, and its ends in the drawing; there are none for a side to another layer. */
export interface Side {
  beyond: number[];
  ends: [number, number][];
}

/** A cell of the unit that the translations repeat, as it is drawn. */
export interface CellKind {
  cell: number[];
  centre: [number, number];
  outline: [number, number][];
  sides: Side[];
  beyond: (number[] | null)[];
}

/** Paint on a cell of a tile, or of the board: it moves as the cell does. Patches of a higher `level` are drawn later: the border of the piece comes after level 0. */
export interface Patch {
  cell: number[];
  loop: [number, number][];
  fill: string;
  border: number;
  level: number;
  name: string;
}

/** Every cell is the cell of one of the `kinds` plus whole multiples of the periods (and of `layer`, in space). Where cells lie in layers, the first coordinate of a cell is its layer, each layer has a drawing of its own, and `layer` leads to another one. In a space without layers there are three periods, and the drawing is a view of the whole. */
export interface Lattice {
  name: string;
  dimension: number;
  has_edges: boolean;
  periods: Period[];
  layer: Period | null;
  kinds: CellKind[];
}

/** A problem that was read, and the pieces that lie there already. */
export interface Read {
  problem: Record<string, any>;
  format: string;
  laid: LaidTile[];
}

/** Tiles as the document has them. */
export interface Tiles {
  tiles: Record<string, any>[];
  reflections: boolean;
  lattice: string;
  sentence: string;
}

/** A board as the document has it. */
export interface Board {
  board: number[][];
  optional: number[][];
  lattice: string;
}

/** A tile, with its orientations at the origin. `turned[i]` is the orientation after a turn to the right of orientation i; `flipped[i]` the one after turning over from left to right, in space after tipping to the front; `mirrored[i]` in space the mirror image. -1: not allowed. `coats[i]` is the paint that is seen, empty where nothing is painted. */
export interface Tile {
  name: string;
  fill: string;
  area: number;
  at_least: number;
  at_most: number | null;
  orientations: number[][][];
  turned: number[];
  flipped: number[];
  mirrored: number[];
  names: string[];
  coats: Patch[][];
}

/** The number of cells of the board that must be covered at most, and of the pieces, with a sentence. */
export interface Area {
  board: number;
  at_least: number;
  at_most: number | null;
  sentence: string;
  fits: boolean;
}

/** An opened problem. A placement is [tile, orientation, cell index, ...]; there are none above 50,000. */
export interface Opened {
  revision: number;
  problem: Record<string, any>;
  lattice: Lattice;
  cells: number[][];
  tiles: Tile[];
  placements: number[][] | null;
  warnings: string[];
  area: Area;
  live: boolean;
  live_sentence: string;
  ground: Patch[];
  palette: string[];
  body: Record<string, any> | null;
  inks: [string, string][];
}

/** The reason why there is no tiling. */
export interface Why {
  sentence: string;
  kind: "area" | "cell" | "piece" | "colouring" | "parity" | "cases" | "search";
  colours: [number[], number][] | null;
  sums: Record<string, any> | null;
  cells: number[][];
}

/** The tilings with the tiles that lie on the board. `count` is "many" where it is not known; `counting` says whether it may come later. `fits` are the placements beside the tiles laid, each with its number of tilings; `forced` those that lie in every tiling. */
export interface Laid {
  revision: number;
  possible: boolean | null;
  count: string | null;
  forced: number[];
  fits: ([number, string | null])[];
  dead: number[][];
  single: number[][];
  why: Why | null;
  seconds: number;
  counting: boolean;
}

/** What is wrong with a request. */
export interface Error {
  error: string;
}

/** A text, as the command prints it. */
export interface TextBlock {
  text: string;
  kind: "text";
}

/** A picture. */
export interface PictureBlock {
  svg: string;
  caption: string;
  kind: "picture";
}

/** Tilings; `count` is the number of all of them, if it is known. */
export interface TilingsBlock {
  count: string | null;
  tilings: LaidTile[][];
  complete: boolean;
  kind: "tilings";
}

/** A number on each cell. */
export interface CellsBlock {
  values: [number[], string][];
  caption: string;
  kind: "cells";
}

/** Data for the view that can be turned. */
export interface ViewerBlock {
  data: Record<string, any>;
  kind: "viewer";
}

/** Another problem that an answer found, with the pieces that lie there; the page can go on with it. */
export interface PuzzleBlock {
  caption: string;
  problem: Record<string, any>;
  laid: LaidTile[];
  kind: "puzzle";
}

/** How far a question is, with what is known so far. */
export interface Progress {
  id: string;
  words: string;
  nodes: number;
  found: string;
  seconds: number;
  event: "progress";
}

/** More tilings of a list. */
export interface Part {
  id: string;
  tilings: LaidTile[][];
  event: "part";
}

/** The answer to a question; `command` and `python` do the same, with the problem saved as a file. */
export interface Answer {
  id: string;
  question: string;
  status: string;
  sentences: string[];
  blocks: (TextBlock | PictureBlock | TilingsBlock | CellsBlock | ViewerBlock | PuzzleBlock)[];
  command: string;
  python: string;
  seconds: number;
  stop: string;
  event: "answer";
}

/** A question that cannot be answered. */
export interface Failed {
  id: string;
  error: string;
  event: "failed";
}

/** The process of the session is gone; the next move opens the problem again. With a name the session is another one: what was asked before has ended, and the ids of its own questions begin with the name. */
export interface Gone {
  sentence: string;
  session: string;
  event: "gone";
}

/** A better answer to the last move, to which no number was known at first; or the same, if there will be no number. */
export interface Counted {
  answer: Laid;
  event: "counted";
}

/** An option of a solver, from its declaration. `default` is as a spec writes it; `choices` are its values, where these are few. */
export interface SolverOption {
  name: string;
  help: string;
  default: string;
  choices: string[];
}

/** A solver with its options. `missing` says what has to be installed first; it is empty if nothing has to be. */
export interface SolverForm {
  name: string;
  help: string;
  missing: string;
  options: SolverOption[];
}

/** All solvers. */
export interface SolverForms {
  solvers: SolverForm[];
}

/** A filter of problems, as in `tiler bench`: a part of a name, a glob, or a regular expression between slashes. */
export interface ProblemFilter {
  filter: string;
}

/** The names of problems. */
export interface ProblemNames {
  names: string[];
}

/** A campaign to be made: problems of the list by their names, perhaps one that was drawn, specs of solvers, and limits. */
export interface Campaign {
  name: string;
  problems: string[];
  solvers: string[];
  drawn?: Record<string, any> | null;
  title?: string;
  goal?: "decide" | "count";
  seconds?: number;
  megabytes?: number;
  threads?: number;
  repeat?: number;
  seeds?: number;
}

/** A solver that refuses problems of a campaign. `is_all`: it refuses each of them. */
export interface Refusal {
  solver: string;
  is_all: boolean;
  sentence: string;
}

/** The solvers that refuse, and how many of the problems were looked at. */
export interface Refusals {
  refusals: Refusal[];
  looked_at: number;
}

/** The name of a campaign. */
export interface CampaignName {
  name: string;
}

/** A folder of results. Reference campaigns come with Tiler, and are only looked at. */
export interface CampaignEntry {
  name: string;
  title: string;
  runs: number;
  changed: string;
  is_reference: boolean;
}

/** The folders of results that can be opened, the newest first, and what holds them. */
export interface CampaignList {
  folder: string;
  campaigns: CampaignEntry[];
}

/** Ask for the results of a campaign, unless they are still those of a version. */
export interface ResultsRequest {
  name: string;
  version?: string;
}

/** How far a campaign is. `total` is None if no campaign file says it; `runner` is who makes runs now: nobody, this studio, or another process in words. Seconds are estimates. */
export interface CampaignState {
  done: number;
  total: number | null;
  runner: string;
  can_go_on: boolean;
  seconds_left: number | null;
  skipped: number;
  sentence: string;
}

/** The results of a campaign. `data` is what the page of runs takes; None if they are those of the version asked about. `seconds` are the CPU seconds of finding out. */
export interface Results {
  name: string;
  title: string;
  version: string;
  state: CampaignState;
  data: Record<string, any> | null;
  seconds: number;
}

/** Ask for the record with a number. */
export interface RecordRequest {
  name: string;
  number: number;
}

/** Ask what changed from one campaign to another. */
export interface CompareRequest {
  before: string;
  after: string;
  clock?: string;
}

/** A part of a text: a heading, a paragraph, a list, or a table. In tables the entries that begin with `!` are loud. */
export interface DocumentBlock {
  kind: "heading" | "paragraph" | "list" | "table";
  text: string;
  level: number;
  loud: boolean;
  items: string[];
  heads: string[];
  rows: string[][];
}

/** A text. */
export interface Document {
  blocks: DocumentBlock[];
}

/** Write a figure, a table, all records or the campaign. `problems` are filters of names, `solvers` are specs, nothing means all; `group` is the number of the question. `width` is in inches. */
export interface SaveResults {
  name: string;
  form: "figure" | "table" | "runs" | "records" | "campaign";
  format: "pdf" | "svg" | "png" | "tex" | "csv" | "jsonl" | "toml";
  kind?: string;
  problems?: string[];
  solvers?: string[];
  group?: number;
  clock?: string;
  width?: number;
}

/** A file, its caption or note, and the command that writes it. */
export interface SavedResults {
  name: string;
  type: string;
  base64: string;
  caption: string;
  command: string;
}

/** Ask who can race on a problem. */
export interface AboutRace {
  problem: Record<string, any>;
}

/** Ask for an order of cells as the file that the command reads. */
export interface OrderRace {
  problem: Record<string, any>;
  cells: number[][];
}

/** An order of cells as a file. */
export interface RaceOrder {
  text: string;
}

/** A solver that takes part: its spec, for `backtracking` an order of cells that was drawn, and what it is called. */
export interface Racer {
  solver: string;
  cells?: number[][];
  name?: string;
}

/** Begin a race in the session of a tab, in place of the last one. `per_second` is the pace of all racers. */
export interface BeginRace {
  session: string;
  problem: Record<string, any>;
  goal: "decide" | "count";
  racers: Racer[];
  per_second?: number | null;
}

/** The pace of one racer, by its number, or of all. `per_second` is in nodes: None is full speed, 0 a pause, in which `steps` more nodes are made. */
export interface PaceRace {
  session: string;
  racer?: number | null;
  per_second?: number | null;
  steps?: number;
}

/** End the race of a session; who is not there by then stays unfinished. */
export interface EndRace {
  session: string;
}

/** An order of the cells of a board, as numbers of cells. */
export interface CellOrder {
  name: string;
  cells: number[];
}

/** A solver that shows its steps: how it works, in a sentence, and for each goal why it refuses the problem, empty if it does not. */
export interface RaceSolver {
  name: string;
  sentence: string;
  takes_cells: boolean;
  refusals: (["decide" | "count", string])[];
}

/** A tile by its name and its colour. */
export interface RaceTile {
  name: string;
  fill: string;
}

/** A problem for a race: how it is drawn, the orders of cells that have a name, and who can race. `drawable`: whether an order can be drawn. */
export interface RaceAbout {
  title: string;
  lattice: Lattice;
  cells: number[][];
  tiles: RaceTile[];
  orders: CellOrder[];
  drawable: boolean;
  solvers: RaceSolver[];
}

/** How far a racer is. A piece is [tile, cell, ...], by numbers; the last one was laid last. `place` is 1 for the racer that was there first, 0 for one that is not there. `seconds` are those of its search at full speed, in CPU time, once they are known. */
export interface RacerState {
  name: string;
  state: "preparing" | "searching" | "paused" | "measuring" | "done" | "failed" | "ended";
  nodes: number;
  per_second: number;
  found: string;
  pieces: number[][];
  pace: number | null;
  place: number;
  status: string;
  seconds: number | null;
  sentence: string;
}

/** All racers of a race, by its number, and at the end what came of it. */
export interface RaceFrame {
  race: number;
  racers: RacerState[];
  over: boolean;
  sentences: string[];
}

export type Block = TextBlock | PictureBlock | TilingsBlock | CellsBlock | ViewerBlock | PuzzleBlock;
export type Event = Progress | Part | Answer | Failed | Gone | Counted;
