/** What the server sends; docs/play.md, "A view", and /openapi.json say what each part means. */
export interface Choice { action: number; text: string; kind: string; card: number | null; forbidden: string }
export interface Meld { text: string; points: number; cards: number[] }
export interface Play { seat: number; card: number | null }
export interface Trick { plays: Play[]; winner: number | null }
export interface Seat {
  seat: number; player: number; name: string; num_cards: number; hand: number[] | null; roles: string[];
  calls: string[]; bid: string; tricks: number; melds: Meld[]; aside: number[];
}
export interface Pile { name: string; cards: (number | null)[] }
export interface Score { seats: number[]; points: number | null; total: number | null; result: number | null }
export interface View {
  game: string; faces: string[]; player: number | null; seats: Seat[]; to_act: number | null;
  dealer: number | null; phase: string; trump: string; trump_suit: string; facts: [string, string][];
  unit: string; trick: Trick; last_trick: Trick | null; piles: Pile[]; scores: Score[];
  choices: Choice[]; result: string[];
}
export interface Place { kind: string; name: string; free: boolean; invitation: string }
export interface TableState {
  id: string; turn: number; status: string; failure: string; game: string; match: boolean; number: number;
  player: number; seats: Place[]; view: View | null; log: string[][];
}
export interface Seated { id: string; player: number; token: string; person: string; table: TableState }
export interface Worth { action: number; text: string; policy: number; value: number | null; error: number | null }
export interface Advice {
  best: number; reason: string; worlds: number; unit: string; choices: Worth[]; played: number | null;
}
export interface Rule {
  name: string; help: string; kind: string; choices: (string | number | boolean)[];
  minimum: number | null; maximum: number | null;
}
export interface RuleTexts { label: string; help: string; choices?: Record<string, string> }
export interface GameTexts { description: string; presets: Record<string, string>; rules: Record<string, RuleTexts> }
export interface Preset { name: string; description: string; rules: Record<string, unknown> }
export interface Game { name: string; description: string; default: string; presets: Preset[]; rules: Rule[] }
export interface Catalogue { games: Game[]; players: string[] }
export interface Move { number: number; player: number; action: number; text: string }
export interface Review { id: string; number: number; dealt: View; moves: Move[]; views: View[]; points: number[] }
export interface Group {
  game: string; opponents: string; kind: string; played: number; won: number; points: number; course: number[];
}
export interface Statistics { groups: Group[]; results: object[] }
