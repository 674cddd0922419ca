import type { UsageWindow, AccountStatus } from '../../core/accounts/usage.ts';
import type { TranscriptLine } from '../process/launch.ts';

/** Where a profile's login lives; `folder` is null for `@default`, the CLI's own home. */
export interface Profile {
  kind: string;
  /** With its `@`. */
  name: string;
  folder: string | null;
}

/** One thing that a line of an agent's stream says. */
export type AgentSignal =
  | { type: 'progress'; line: Omit<TranscriptLine, 'at'> }
  | { type: 'session'; id: string }
  | {
      type: 'result';
      ok: boolean;
      text: string;
      usage?: { input_tokens?: number; output_tokens?: number; cost_usd?: number };
    };

/** What was read of one account; the store adds its age. */
export interface UsageAnswer {
  status: AccountStatus;
  reason?: string;
  plan?: string;
  windows: UsageWindow[];
}

/** An agent CLI and how to drive it. One file a kind in this folder. */
export interface AgentKind {
  id: string;
  label: string;
  /** Whether the CLI has a home of its own that works without a profile. */
  hasDefaultProfile: boolean;
  /** How to start it headless and autonomous; the prompt always goes in by standard input. */
  launch(profile: Profile, options: { model?: string }): { argv: string[]; env: Record<string, string> };
  /** Reads one line of the stream; pure. Unknown lines are shown as they are. */
  parseLine(line: string): AgentSignal[];
  /** Reads the account's quota without contacting a model. */
  readUsage(profile: Profile): Promise<UsageAnswer>;
  /** True when reading the quota contacts nobody: then it is read anew each time and never served from the cache. */
  usageIsLocal?: boolean;
  /** Puts into the folder of a new profile what it needs to begin with. */
  prepareProfile?(folder: string): Promise<void>;
}
