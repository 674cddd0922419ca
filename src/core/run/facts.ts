import type { Waiting } from '../lanes/waiting.ts';
import type { Request } from './request.ts';

/** What an account's windows leave for jobs of one model, or of none. */
export interface ModelFact {
  headroom_pct: number | null;
  resets_at: string | null;
  /** May be chosen by itself. */
  qualifies: boolean;
  /** Why it does not qualify. */
  reason?: string;
}

/** An account as the decision sees it; the list is in the order of preference. */
export interface AccountFact extends ModelFact {
  /** `kind/@profile`. */
  account: string;
  kind: string;
  /** The same for two profiles of one login, which are one account. */
  identity?: string;
  /** For jobs that name a model, by that model: its own windows count too. */
  models?: Readonly<Record<string, ModelFact>>;
  /** Nothing is known of its quota: never chosen by itself, but a job may name it. */
  unknown: boolean;
  /** It has no place for a writer: those of this run or of others hold it. */
  busy: boolean;
  /** Writers that it may have at once, by the person's own setting; 1 where it is left out. */
  slots?: number;
  /** Writers that hold it, of this run or of others; left out: as many as `busy` says. */
  writers?: number;
}

/** What is known of one supervised process, by its folder inside the run's folder. */
export interface StepFact {
  state: 'absent' | 'starting' | 'running' | 'ended' | 'lost';
  /** It was asked to stop. */
  stopping: boolean;
  /** What it waits for, while it runs. */
  waiting?: Waiting;
}

/** What `decide` is told besides the state. */
export interface Facts {
  accounts: readonly AccountFact[];
  steps: Readonly<Record<string, StepFact>>;
  /** Unanswered, oldest first. */
  requests: readonly Request[];
  /** Whether this owner holds the target's merge lock: one merge at a time per target. */
  mayMerge: boolean;
  /** Agents that somebody started in a lane beside the run, by the lane's id: a name for a person. */
  guests?: Readonly<Record<string, string>>;
  /** Lanes that are to be tried again and whose folder is gone, by id. */
  gone?: ReadonlySet<string>;
  /** When it was looked, RFC 3339; a limit that is over by then keeps no account from a job whose plan waits for that. */
  now?: string;
  /** How many agents may start now, for memory's and the stagger's sake; no limit when left out. */
  starts?: number;
  /** Whether new agents may be started: not when this owner came for one request only. */
  startNew: boolean;
}
