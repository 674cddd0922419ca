import * as z from 'zod';
import { limitSchema, refusalSchema } from '../../core/accounts/refusal.ts';
import { usageWindowSchema } from '../../core/accounts/usage.ts';
import { waitingSchema } from '../../core/lanes/waiting.ts';
import { userKindSchema } from '../agents/user/userKindSchema.ts';

/** What a supervisor starts and watches; the file `launch.json` of a step's folder. No secrets in it. */
export const launchSchema = z.object({
  version: z.literal(1),
  /** `agent` streams are read by the kind's parser, those of all others are kept as text. */
  role: z.enum(['agent', 'check', 'setup', 'teardown']),
  /** Kind of an agent; names the parser. */
  kind: z.string().exactOptional(),
  /** That kind, where a user describes it. `{prompt_file}` in its arguments is `stdin_file`. */
  user_kind: userKindSchema.exactOptional(),
  /** The profile that it works under, so that its files can be read after it has failed. */
  profile: z.object({ kind: z.string(), name: z.string(), folder: z.string().nullable() }).exactOptional(),
  /** The vendor's session that it goes on with. */
  resume: z.string().exactOptional(),
  argv: z.array(z.string()).min(1),
  cwd: z.string(),
  /** Set on top of the supervisor's own environment. */
  env: z.record(z.string(), z.string()),
  /** Names taken out of the inherited environment. */
  withheld: z.array(z.string()),
  /** File whose bytes the process gets on standard input; else it is closed. */
  stdin_file: z.string().nullable(),
  timeout_s: z.number(),
  /** How long an agent may wait for a person before it is stopped; 10 minutes when left out. */
  waiting_timeout_s: z.number().exactOptional(),
  /** After how long without output and without CPU time it counts as stalled; 5 minutes when left out. */
  stall_after_s: z.number().exactOptional(),
});

export type Launch = z.output<typeof launchSchema>;

/** The file `result.json` that a supervisor leaves when its process has ended. */
export const stepResultSchema = z.object({
  outcome: z.enum(['succeeded', 'failed', 'timeout', 'stopped']),
  /** Exit code; null when it never started or a signal ended it. */
  exit: z.number().nullable(),
  /** The signal that ended it. */
  signal: z.string().exactOptional(),
  /** It could not be started at all; the message says why. */
  not_started: z.literal(true).exactOptional(),
  /** It was stopped because nobody answered what it waited for. */
  unanswered: z.literal(true).exactOptional(),
  message: z.string().exactOptional(),
  result_text: z.string().exactOptional(),
  session_id: z.string().exactOptional(),
  /** Tools that it wanted to use and was not permitted to. */
  denied: z.array(z.string()).exactOptional(),
  /** Of this run alone, also where it went on with a session. */
  usage: z
    .object({
      input_tokens: z.number().exactOptional(),
      output_tokens: z.number().exactOptional(),
      cost_usd: z.number().exactOptional(),
    })
    .exactOptional(),
  /** What a run that did not succeed ran into, by the vendor's own signals. */
  limit: limitSchema.exactOptional(),
  refused: refusalSchema.exactOptional(),
  /** What the stream said last about the account's windows. */
  windows: z.array(usageWindowSchema).exactOptional(),
  started_at: z.string(),
  ended_at: z.string(),
  duration_s: z.number(),
  truncated: z.boolean(),
  /** Ids of processes that left its tree and still run. */
  strays: z.array(z.number()).exactOptional(),
});

export type StepResult = z.output<typeof stepResultSchema>;

/** The file `status.json`, written whole at most once a second. */
export const stepStatusSchema = z.object({
  supervisor: z.object({ pid: z.number(), started: z.string(), boot: z.string() }),
  /** Process group of what runs. */
  child_pid: z.number().nullable(),
  state: z.enum(['starting', 'running', 'ended']),
  last_activity_at: z.string(),
  /** Last line of progress. */
  activity: z.string().nullable(),
  /** What an agent waits for; absent while it is at work. */
  waiting: waitingSchema.optional(),
  /** Since when neither it nor what it started has done anything, RFC 3339 UTC; absent while something does. */
  stalled_since: z.string().optional(),
});

export type StepStatus = z.output<typeof stepStatusSchema>;

/** A line of `transcript.jsonl`: readable progress, redacted before it is written. */
export interface TranscriptLine {
  at: string;
  kind: 'text' | 'tool' | 'note' | 'error' | 'output';
  text: string;
}
