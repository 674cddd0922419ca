import * as z from 'zod';
import { limitSchema, refusalSchema } from '../accounts/refusal.ts';
import { processIdentitySchema } from './processIdentity.ts';
import { waitingSchema } from '../lanes/waiting.ts';
import { jobSchema } from '../plan/plan.ts';
import { closingEvents } from './closingEvents.ts';
import { nextAttemptSchema } from './nextAttempt.ts';
import { ownSettingsSchema } from './ownSettings.ts';
import { foreignChangeSchema } from './rescue.ts';
import { runBaseSchema } from './runBase.ts';

const sha = z.string();
const head = z.enum(['editor', 'ak']);
const finding = z.object({
  file: z.string().nullable(),
  line: z.number(),
  column: z.number(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  code: z.string().exactOptional(),
});
const checkResult = z.object({
  name: z.string(),
  status: z.enum(['passed', 'failed', 'timeout', 'interrupted']),
  exit: z.number().nullable(),
  duration_s: z.number(),
  findings: z.array(finding),
  more_findings: z.number(),
  message: z.string().exactOptional(),
});
export const worktreeSchema = z.object({
  branch: z.string(),
  path: z.string(),
  base: sha,
  /** The name of its base, where that is not the run's: each lane by hand has a base of its own. */
  base_ref: z.string().exactOptional(),
  nonce: z.string(),
});
/** What is written in a worktree of ours: whose it is. */
export const laneIdentitySchema = z.object({ run: z.string(), lane: z.string(), nonce: z.string() });
export const changesSchema = z.object({
  files: z.number(),
  insertions: z.number(),
  deletions: z.number(),
  commits: z.number(),
  outside_paths: z.array(z.string()),
});
/** Ids of processes that left the step's tree and still run; they are for a person to judge. */
const strays = z.array(z.number()).exactOptional();
const tokens = z.object({
  input_tokens: z.number().exactOptional(),
  output_tokens: z.number().exactOptional(),
  cost_usd: z.number().exactOptional(),
});

/** What can happen in a run, without sequence number and time. One schema an event. */
const eventBodies = [
  /** Always the first: names the plan file that lies beside the journal, by hash. */
  z.object({
    type: z.literal('run.created'),
    run: z.string(),
    name: z.string(),
    plan_sha256: z.string(),
    repo: z.string(),
    base: runBaseSchema,
    target: z.object({ ref: z.string(), sha }),
    /** Report folder, absolute. */
    report: z.string(),
    /** Lane ids in the order of the plan's jobs. */
    lanes: z.array(z.string()),
    /** The repository's standing run: it has no jobs, lanes are added to it by hand, and it never ends. */
    standing: z.literal(true).exactOptional(),
  }),
  z.object({
    type: z.literal('owner'),
    owner: z.object({ ...processIdentitySchema.shape, head }),
    fence: z.number(),
  }),
  z.object({ type: z.literal('tail.torn'), bytes: z.number() }),
  z.object({
    type: z.literal('lane.assigned'),
    lane: z.string(),
    account: z.string(),
    headroom_pct: z.number().nullable(),
    /** What will be made, so that after a crash it is known for ours. */
    worktree: worktreeSchema,
  }),
  /** A lane by hand, of the standing run; with `restores` it gets what that rescue holds. */
  z.object({
    type: z.literal('lane.added'),
    lane: z.string(),
    job: jobSchema,
    own: ownSettingsSchema,
    worktree: worktreeSchema,
    restores: z.string().exactOptional(),
    /** Its worktree is there already, and is marked as this lane of a run that is lost. */
    adopts: laneIdentitySchema.exactOptional(),
    /** The branch that all lanes of the run are merged into from here on; it had none before. */
    target: z.object({ ref: z.string(), sha }).exactOptional(),
    /** What a person may not expect of its base or its folder. */
    warnings: z.array(z.string()).exactOptional(),
  }),
  z.object({
    type: z.literal('lane.created'),
    lane: z.string(),
    warnings: z.array(z.string()),
    /** Files that we put there, relative to the worktree: no work of an agent. */
    placed: z.array(z.string()).exactOptional(),
    /** Ports of its own, by the variable that names each. */
    ports: z.record(z.string(), z.number()).exactOptional(),
    /** Its folder was gone and was made again from its branch, so that what its setup had done is gone too. */
    again: z.literal(true).exactOptional(),
  }),
  /** Its setup begins, all commands from the first; while it is merging, that of the worktree with the merged tree. */
  z.object({ type: z.literal('setup.started'), lane: z.string(), setup: z.number() }),
  /** One command of its setup has ended; all but a success block the lane, or its merge. */
  z.object({
    type: z.literal('setup.ended'),
    lane: z.string(),
    setup: z.number(),
    command: z.number(),
    outcome: z.enum(['succeeded', 'failed', 'timeout', 'stopped', 'lost']),
    message: z.string().exactOptional(),
    strays,
  }),
  /** A lane made by hand is ready for whoever wants to work in it. */
  z.object({ type: z.literal('lane.opened'), lane: z.string() }),
  z.object({
    type: z.literal('lane.blocked'),
    lane: z.string(),
    message: z.string(),
    /** The lane that it comes after and that is in its way. */
    after: z.string().exactOptional(),
    /** Before its agent began it was stopped, or had no account: nothing else speaks against it. */
    deferred: z.literal(true).exactOptional(),
  }),
  /** No account is left for it, and it waits in the queue for the soonest reset. */
  z.object({ type: z.literal('lane.postponed'), lane: z.string(), until: z.string(), message: z.string() }),
  z.object({
    type: z.literal('attempt.started'),
    lane: z.string(),
    attempt: z.number(),
    account: z.string(),
    /** What it goes on with; a fresh conversation about the job when left out. */
    next: nextAttemptSchema.exactOptional(),
  }),
  /** Its agent waits for a person, since `since`; again when what it waits for has changed. */
  z.object({ type: z.literal('lane.waiting'), lane: z.string(), ...waitingSchema.shape }),
  /** Its agent waits no longer. */
  z.object({ type: z.literal('lane.continued'), lane: z.string() }),
  z.object({
    type: z.literal('attempt.ended'),
    lane: z.string(),
    attempt: z.number(),
    outcome: z.enum(['succeeded', 'failed', 'timeout', 'stopped', 'lost']),
    exit: z.number().nullable(),
    message: z.string().exactOptional(),
    session_id: z.string().exactOptional(),
    usage: tokens.exactOptional(),
    limit: limitSchema.exactOptional(),
    refused: refusalSchema.exactOptional(),
    /**
     * Its account could not be used, as the message tells: no lane of the run gets it any more, or only this one does
     * not, until a person has something tried again. With `login` so for every profile of that login.
     */
    excludes: z
      .object({
        from: z.enum(['run', 'job']),
        login: z.literal(true).exactOptional(),
        message: z.string(),
      })
      .exactOptional(),
    strays,
    /** What changed meanwhile outside of the lane and is not explained by what we or other lanes did. */
    foreign: z.array(foreignChangeSchema).exactOptional(),
  }),
  /** What the attempt left was committed as far as allowed, and judged. */
  z.object({
    type: z.literal('lane.settled'),
    lane: z.string(),
    head: sha,
    committed: z.array(z.string()),
    changes: changesSchema,
    /** Commit against which the changes are counted and judged. */
    base: sha.exactOptional(),
    /** Why the lane cannot go to its gate; absent when it can. */
    refused: z.string().exactOptional(),
  }),
  z.object({
    type: z.literal('gate.started'),
    lane: z.string(),
    gate: z.number(),
    subject: z.enum(['lane', 'merge']),
    head: sha,
  }),
  z.object({
    type: z.literal('check.ended'),
    lane: z.string(),
    gate: z.number(),
    result: checkResult,
    strays,
  }),
  z.object({
    type: z.literal('gate.ended'),
    lane: z.string(),
    gate: z.number(),
    status: z.enum(['passed', 'failed', 'timeout', 'interrupted']),
    message: z.string().exactOptional(),
    /** Untracked files that the checks left behind, each with the SHA-256 of its content. */
    left: z.array(z.object({ path: z.string(), sha: z.string() })),
  }),
  z.object({
    type: z.literal('merge.planned'),
    lane: z.string(),
    request: z.string(),
    target: z.string(),
    from: sha,
    head: sha,
    commit: sha,
    tree: sha,
    /** Ports of the worktree with the merged tree, by variable. */
    ports: z.record(z.string(), z.number()).exactOptional(),
    /** What is to be told of what that worktree was given. */
    warnings: z.array(z.string()).exactOptional(),
  }),
  /** A request that came while the lane was being merged already: it is answered with that merge. */
  z.object({ type: z.literal('merge.joined'), lane: z.string(), request: z.string() }),
  /** Somebody asked to stop the merge: its gate is ended and the target does not move any more. */
  z.object({ type: z.literal('merge.stopping'), lane: z.string() }),
  z.object({
    type: z.literal('merge.refused'),
    lane: z.string(),
    request: z.string(),
    reasons: z.array(z.string()),
  }),
  /** `from` equals `to` when the target had the lane's commit already and nothing was moved. */
  z.object({ type: z.literal('merge.applied'), lane: z.string(), target: z.string(), from: sha, to: sha }),
  /** The target stands somewhere else than we last saw or put it. */
  z.object({ type: z.literal('target.moved'), target: z.string(), from: sha, to: sha }),
  /**
   * The lane starts over where it stands: a retry, a gate run, another account after the message, or another try to
   * make one that was to be made by hand.
   */
  z.object({
    type: z.literal('lane.reopened'),
    lane: z.string(),
    to: z.enum(['queued', 'preparing', 'verifying']),
    /** The person's request to try it again. */
    retry: z.string().exactOptional(),
    message: z.string().exactOptional(),
    /** How its next agent goes on. */
    next: nextAttemptSchema.exactOptional(),
    /** It goes to its gate because its account is at its limit: when that fails, the plan's `on_limit` decides. */
    limited: z.literal(true).exactOptional(),
    /** What it holds is rescued and taken away as soon as an account can take it, so that it begins anew. */
    anew: z.literal(true).exactOptional(),
    /** A person has seen what changed outside of the lane, and takes it. */
    accepts: z.literal(true).exactOptional(),
  }),
  ...closingEvents,
  z.object({
    type: z.literal('request.answered'),
    request: z.string(),
    ok: z.boolean(),
    reason: z.string().exactOptional(),
    message: z.string(),
  }),
  /** From here on the agents of the run ask before they act. */
  z.object({ type: z.literal('run.asks') }),
  z.object({ type: z.literal('run.stopping') }),
  z.object({ type: z.literal('run.resumed') }),
  /** What the accounts have left when its work has ended: one reading. */
  z.object({
    type: z.literal('run.spent'),
    accounts: z.array(
      z.object({
        account: z.string(),
        headroom_pct: z.number().nullable(),
        resets_at: z.string().nullable(),
        reason: z.string().exactOptional(),
      }),
    ),
  }),
  z.object({ type: z.literal('run.ended'), outcome: z.enum(['done', 'failed', 'stopped']) }),
] as const;

/** What every line of a journal has besides its event. */
export const runEventStampSchema = z.object({ seq: z.number().int().positive(), at: z.string() });

export const runEventBodySchema = z.discriminatedUnion('type', eventBodies);

type Stamped<Body> = Body extends unknown ? Body & { seq: number; at: string } : never;

export type RunEventBody = z.output<typeof runEventBodySchema>;
export type RunEvent = Stamped<RunEventBody>;
/** What happens to a lane that is there. */
export type LaneEvent = Exclude<Extract<RunEvent, { lane: string }>, { type: 'lane.added' }>;
export type Worktree = z.output<typeof worktreeSchema>;
export type Changes = z.output<typeof changesSchema>;
export type Head = z.output<typeof head>;
