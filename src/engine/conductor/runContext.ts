import type { LaneRecord, RunState } from '../../core/run/runState.ts';
import type { RunEventBody } from '../../core/run/runEvent.ts';
import type { AgentKind } from '../agents/agentKind.ts';

/** What every head gives the engine. */
export interface EngineContext {
  repository: { root: string; commonDir: string };
  kinds: ReadonlyMap<string, AgentKind>;
  environment: Record<string, string | undefined>;
  /** Where the head's own settings say that agents ask; null where they do not. */
  asks?: (() => string | null) | undefined;
  /** Variables that the head's own settings withhold. */
  denies?: (() => readonly string[]) | undefined;
  node: string;
  dist: string;
  /** Parent folder of the lanes' worktrees. */
  laneRoot: string;
  /** The folder that the head works in, which is never taken away. */
  workingIn: string;
  /** The state of every run of the repository that can be read. */
  allRuns: () => Promise<RunState[]>;
  now: () => Date;
}

/** What an action works with: the run, its journal and the machine. */
export interface RunContext extends EngineContext {
  /** The run's folder. */
  folder: string;
  state(): RunState;
  lane(id: string): LaneRecord;
  append(...events: RunEventBody[]): Promise<void>;
  /** Whether this owner was told to let go: what takes long is left to the next one. */
  isClosed(): boolean;
  /** What the accounts have left now. */
  spend(): Promise<Extract<RunEventBody, { type: 'run.spent' }>['accounts']>;
}
