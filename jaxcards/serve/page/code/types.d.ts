/** What the server sends; docs/play.md, "A view", and /openapi.json say what each part means. */
export interface Text { key: string; args: Record<string, any> }
export type Template = string | Record<string, string>;
export interface Choice { action: number; text: Text; kind: string; card: number | null; forbidden: Text | null }
export interface Meld { text: Text; points: number; cards: number[] }
export interface Play { seat: number; card: number | null }
export interface Trick { plays: Play[]; winner: number | null }
export interface Seat {
  seat: number; player: number; name: Text; num_cards: number; hand: number[] | null; roles: Text[];
  calls: Text[]; bid: Text | null; tricks: number; melds: Meld[]; aside: number[];
}
export interface Pile { name: Text; cards: (number | null)[] }
export interface Score { seats: number[]; points: number | null; total: number | null; result: number | null; lines: Text[] }
export interface View {
  game: string; faces: string[]; player: number | null; seats: Seat[]; to_act: number | null;
  dealer: number | null; phase: Text; trump: Text | null; trump_suit: string; facts: Text[];
  unit: string; deal_unit: string; trick: Trick; last_trick: Trick | null; piles: Pile[]; scores: Score[];
  choices: Choice[]; result: Text[]; outcome: string; verdict: Text | null;
}
export interface Place { kind: string; name: string; shown: Text; free: boolean; invitation: string }
export interface TableState {
  id: string; turn: number; status: string; failure: Text | null; game: string; match: boolean; number: number;
  player: number; seats: Place[]; view: View | null; log: Text[][];
}
export interface Seated { id: string; player: number; token: string; person: string; table: TableState }
export interface Worth { action: number; text: Text; policy: number; value: number | null; error: number | null }
export interface Advice {
  best: number; reason: Text; worlds: number; unit: string; choices: Worth[]; played: number | null;
  gains?: boolean; // values are gains over the best choice
}
export interface Rule {
  name: string; help: string; kind: string; choices: (string | number | boolean)[];
  minimum: number | null; maximum: number | null;
}
export interface RuleTexts { label: string; help?: string; choices?: Record<string, string> }
export interface GameTexts { rules: Record<string, RuleTexts> }
export interface Preset { name: string; description: string; rules: Record<string, unknown> }
export interface Game { name: string; description: string; default: string; presets: Preset[]; rules: Rule[] }
export interface Catalogue { games: Game[]; players: string[]; bots: string[] }
export interface Move { number: number; player: number; action: number; text: Text }
export interface Review {
  id: string; number: number; dealt: View; moves: Move[]; views: View[]; points: number[];
  result: Text[]; outcome: string; verdict: Text; scores: Score[];
}
export interface Option { action: number; policy: number; cost: number; cost_error: number }
export interface CostMove {
  number: number; player: number; played: number; choice: number; forced: boolean; cost: number; cost_error: number; options: Option[];
}
export interface Costs { by: Text; unit: string; worlds: number; moves: CostMove[] }
export interface Group {
  game: string; opponents: string; kind: string; played: number; won: number; points: number; course: number[];
}
export interface Statistics { groups: Group[]; results: object[] }
