import type { RefusalReason } from '../../core/accounts/refusal.ts';
import type { Posture } from '../../core/safety/posture.ts';
import type { UsageWindow, AccountStatus } from '../../core/accounts/usage.ts';
import type { WaitingReason } from '../../core/lanes/waiting.ts';
import type { TranscriptLine } from '../process/launch.ts';
import type { UserKindDefinition } from './user/userKindSchema.ts';

export type { Posture, RefusalReason };

/** Where a profile's login lives; `folder` is null for `@default`, the CLI's own home. */
export interface Profile {
  kind: string;
  /** With its `@`. */
  name: string;
  folder: string | null;
}

/** What a run used; a part that cannot be known is left out. */
export interface RunUsage {
  input_tokens?: number;
  output_tokens?: number;
  cost_usd?: number;
}

/** What a session had used before; null where it cannot be known, missing where the stream counts the run alone. */
export type UsageBefore = { [part in keyof RunUsage]: number | null };

/** One thing that a line of an agent's stream says. */
export type AgentSignal =
  | { type: 'progress'; line: Omit<TranscriptLine, 'at'> }
  | { type: 'session'; id: string }
  | {
      type: 'result';
      ok: boolean;
      text: string;
      usage?: RunUsage;
      /** Tools that it wanted to use and was not permitted to. */
      denied?: string[];
    }
  /**
   * The account's own limit, from a structured signal only; never from an agent's words. `resets_in_s` is counted from
   * now, where the signal has no time of its own; `resets_text` are its words, where they are all that it has.
   */
  | {
      type: 'limit';
      window?: string;
      resets_at?: string;
      resets_in_s?: number;
      resets_text?: string;
      /** The vendor says that it is the limit of one model. */
      one_model?: true;
      hangs?: Hang;
    }
  /** The vendor refused for a reason of its own. */
  | { type: 'refused'; reason: RefusalReason; message: string; hangs?: Hang }
  /** What the stream itself said about the account's windows. */
  | { type: 'windows'; windows: UsageWindow[] }
  /** It waits for a person; nobody answers for them. Any later signal of progress ends the waiting. */
  | { type: 'waiting'; reason: WaitingReason; message: string };

/**
 * The CLI does not end by itself then, so we end it: at once, or where it may still get over it, that many seconds
 * after it first said so, unless its model answered or it used a tool. One that says so again and again is ended when
 * it does after that time; one that is silent while it waits, when the time is over.
 */
export type Hang = true | { after_s: number; silent?: true };

export interface LaunchOptions {
  posture: Posture;
  model?: string;
  /** Id of the vendor's session to go on with. */
  resume?: string;
  /** The person trusts the folder of this run, beyond what `trustFolder` writes down. */
  trustCwd?: boolean;
}

/** How to open the vendor's own screen. */
export interface InteractiveOptions {
  posture: Exclude<Posture, 'read-only'>;
  model?: string;
  /** `last` goes on with the newest session of the folder, `choose` lets the vendor ask which; else a session id. */
  resume?: 'last' | 'choose' | { id: string };
  /** The person's own arguments, handed on as they are. */
  args: readonly string[];
}

/** A process to start: its arguments, and what is set in its environment. */
export interface Start {
  argv: string[];
  env: Record<string, string>;
  /** What the kind was made of, where a user describes it: the supervisor makes it anew. */
  described?: UserKindDefinition;
}

/** Whether the CLI is there and who it works for. */
export interface Probe {
  /** Null when the CLI is not installed. */
  version: string | null;
  login: 'ok' | 'not_logged_in' | 'unknown';
  /** The vendor's own name of the login, to be hashed before it is kept; never shown. */
  identity?: string;
  /** What is wrong, and the exact command that cures it. */
  problem?: string;
  /** For that problem it cannot work on this machine, whoever is logged in. */
  blocked?: true;
  /** It did not answer in time: nothing is known, and it may be different the next time. */
  late?: true;
}

/** What was read of one account; the store adds its age. */
export interface UsageAnswer {
  status: AccountStatus;
  /** When the numbers are from, RFC 3339 UTC, where that was before they were asked for. */
  read_at?: string;
  reason?: string;
  plan?: string;
  windows: UsageWindow[];
}

/** What is known of a vendor's CLI before it is asked. */
export interface VendorCli {
  /** Name of its program on PATH. */
  program: string;
  /** Whose models it uses; null where the person chooses. */
  provider: string | null;
  /** Versions that it was measured with, the newest last. */
  measured: readonly string[];
  /** Variables that win over the login of an account; what we start does not get them. */
  overrides: readonly string[];
}

/** An agent CLI and how to drive it. One file a kind in this folder. */
export interface AgentKind {
  id: string;
  label: string;
  /** Whether the CLI has a home of its own that works without a profile. */
  hasDefaultProfile: boolean;
  /** The command that installs the CLI; null where none is needed. */
  install: string | null;
  /** Missing for kinds that need no CLI. */
  cli?: VendorCli;
  /** Variables of the person's own that it works with: it gets them, though others do not. */
  needs?: readonly string[];
  /** Variables that select the profile, for whoever starts the CLI by hand; never a secret. */
  environment(profile: Profile): Record<string, string>;
  /**
   * How to start it headless; the prompt always goes in by standard input.
   * @throws AgentKitError when the machine does not let it start, saying what to do
   */
  launch(profile: Profile, options: LaunchOptions): Start;
  /** The vendor's own screen, in the terminal that runs it. Null: the kind has none. @throws as `launch` */
  interactive: ((profile: Profile, options: InteractiveOptions) => Start) | null;
  /** The vendor's own login, in a terminal; its tokens never pass through us. Null: there is nothing to log in to. */
  login: ((profile: Profile) => Start) | null;
  /**
   * Writes down in the profile that a folder, given by its real path, is trusted, as the vendor's own dialog would.
   * Null: the kind does not ask. @throws AgentKitError
   */
  trustFolder: ((profile: Profile, folder: string) => Promise<void>) | null;
  /** Reads one line of the stream; pure. Unknown lines are shown as they are. */
  parseLine(line: string): AgentSignal[];
  /**
   * Reads the stream of one run, line by line, where its records tell the whole only together: an answer in pieces,
   * tokens of each step. Else `parseLine` does.
   */
  openStream?(): (line: string) => AgentSignal[];
  /** The same for a line of the error stream, where some CLIs tell what the stream does not. */
  parseErrorLine?(line: string): AgentSignal[];
  /** Reads the error stream of one run, where what the CLI tells can have several lines; else `parseErrorLine` does. */
  openErrorStream?(): (line: string) => AgentSignal[];
  /** For a CLI that counts whole sessions: what this one had used until now, by its file. Never rejects. */
  usageBefore?(profile: Profile, session: string): Promise<UsageBefore>;
  /**
   * Whether a session of this profile can be gone on with in a folder: its file is there and whole. Never rejects.
   * Missing: the kind cannot go on with a session.
   */
  hasSession?(profile: Profile, session: string, cwd: string): Promise<boolean>;
  /**
   * Copies a session to another profile of the kind, so that it can be gone on with there; what is copied holds no
   * login, and the original stays as it is. Missing: the kind cannot.
   * @throws AgentKitError `not_found` when it is not there or not whole, `refused` where the other profile has another
   * session of that id, or a link stands in the way
   */
  carrySession?(from: Profile, to: Profile, session: string, cwd: string): Promise<void>;
  /** What only the CLI's files tell about a run that failed, once it has ended. */
  readAfterwards?(profile: Profile, session: string | undefined): Promise<AgentSignal[]>;
  /** Local only: contacts no vendor. Missing for kinds that need no CLI. */
  probe?(profile: Profile, environment: Readonly<Record<string, string | undefined>>): Promise<Probe>;
  /** Reads the account's quota without contacting a model. */
  readUsage(profile: Profile): Promise<UsageAnswer>;
  /** True when reading the quota contacts nobody: then it is read anew each time and never served from the cache. */
  usageIsLocal?: boolean;
  /** Puts into the folder of a new profile what it needs to begin with. */
  prepareProfile?(folder: string): Promise<void>;
}
