import * as z from 'zod';
import type { WorktreeSettings } from './worktreeSettings.ts';

/** `90s`, `10m`, `2h` or a number of seconds; parsed into seconds. */
export const durationSchema = z.union([
  z.number().int().positive(),
  z
    .string()
    .regex(/^\d+(s|m|h)$/, 'write a duration like 90s, 10m or 2h')
    .transform(
      (text) => Number(text.slice(0, -1)) * { s: 1, m: 60, h: 3600 }[text.slice(-1) as 's' | 'm' | 'h'],
    ),
]);

/** One check of a gate: a command that runs in a lane's worktree. */
export const checkSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/, 'use letters, digits, ".", "_", "-"')
    .describe('Name of the check, shown everywhere.'),
  run: z.string().min(1).describe('Command that runs in the worktree of a lane; exit 0 passes.'),
  timeout: durationSchema.default(600).describe('How long it may take, like 90s, 10m or 2h.'),
  matcher: z
    .enum(['$auto', '$tsc', '$eslint-stylish', '$tap'])
    .default('$auto')
    .describe('How its output is read into findings.'),
});

export const jobSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'use lower-case letters, digits and "-", at most 40')
    .describe('Name of the lane: its branch is lane/<id>.'),
  kind: z.string().optional().describe('Kind of agent that does it; any account of it.'),
  account: z.string().optional().describe('The one account that does it, like demo/@one.'),
  model: z
    .string()
    .optional()
    .describe("Model that the agent is to use; that model's own windows count when its account is picked."),
  task: z
    .enum(['scout', 'architecture', 'implement', 'review', 'audit', 'security', 'test', 'docs', 'mechanical'])
    .default('implement')
    .describe('What sort of work it is: a label; nothing depends on it in this version.'),
  importance: z
    .enum(['low', 'normal', 'high'])
    .default('normal')
    .describe('How much it matters: a label; nothing depends on it in this version.'),
  prompt: z.string().min(1).describe('What is to be done, in words.'),
  paths: z
    .array(z.string().min(1))
    .default([])
    .describe('What it may write, as globs; outside them the lane does not pass. Empty: not checked.'),
  depends_on: z.array(z.string()).default([]).describe('Jobs whose lanes have to be merged first.'),
  effect: z.enum(['observe', 'write']).default('write').describe('Whether it writes or only looks.'),
  timeout: durationSchema.default(1800).describe('How long one attempt may take, like 30m.'),
  expects: z
    .union([z.enum(['changes', 'none']), z.string().regex(/^file:.+/, 'write changes, none or file:<path>')])
    .default('changes')
    .describe('What a success leaves behind: changes, none or file:<path>.'),
  issue: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Number of the GitHub issue that it is about: a label; nothing depends on it in this version.'),
  max_attempts: z
    .number()
    .int()
    .min(1)
    .max(10)
    .optional()
    .describe(
      'How many of its agents may fail before it waits for a person; limits and accounts that cannot run do not count. Default: a failure is not tried again, but an agent that ran out of time is, once, under another account.',
    ),
});

/** A plan file (design chapter 3). What it leaves out is filled in by `resolvePlan`. */
export const planSchema = z.strictObject({
  version: z.literal(1).describe('Version of the format: 1.'),
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/, 'use letters, digits, ".", "_", "-"')
    .describe('Name of the plan and of its runs.'),
  base: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Branch or commit that lanes start from. Default: the default branch of the remote, else main or master, else the current branch.',
    ),
  concurrency: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Most lanes at work at once; never above the qualifying accounts.'),
  accounts: z
    .array(z.string())
    .optional()
    .describe('Accounts that may be picked, like demo/@one. Default: all.'),
  gate: z
    .array(checkSchema)
    .optional()
    .describe('Checks that decide whether a lane passes. Default: agentkit.yaml, else detected.'),
  review: z
    .strictObject({ kind: z.string().optional(), when: z.enum(['always', 'writes', 'never']) })
    .optional()
    .describe('The independent review of a lane.'),
  merge: z
    .strictObject({
      strategy: z.enum(['merge', 'squash', 'rebase']).default('merge'),
      into: z.string().optional(),
    })
    .default({ strategy: 'merge' })
    .describe('How passed lanes reach their target.'),
  commit: z
    .enum(['kit', 'agent'])
    .default('kit')
    .describe('Who commits what an agent leaves: AgentKit or the agent.'),
  on_limit: z
    .enum(['restart', 'continue', 'handover'])
    .default('restart')
    .describe(
      'How a lane goes on under another account, after a limit or too little time: restart (its work is rescued, and it begins anew), continue (the same conversation, where its vendor can do that) or handover (a new conversation in the same worktree). Clean, committed work is judged by the gate first.',
    ),
  when_empty: z
    .enum(['stop', 'wait'])
    .default('stop')
    .describe(
      'When no account is left for a job: stop (it waits for a person, and the soonest reset is told) or wait (it goes on by itself after the soonest reset).',
    ),
  waiting_timeout: durationSchema
    .optional()
    .describe(
      'How long an agent may wait for a person before it is interrupted, its work rescued and its lane blocked. Default: 10m.',
    ),
  permissions: z
    .enum(['ask'], 'a plan can only have agents ask: write ask, or leave permissions out')
    .optional()
    .describe('ask: agents ask before they act, as their vendors have it. A plan cannot take that back.'),
  jobs: z.array(jobSchema).min(1).describe('The pieces of work.'),
});

export type Check = z.output<typeof checkSchema>;
export type Job = z.output<typeof jobSchema>;
export type Plan = z.output<typeof planSchema>;

/** What is wrong with a plan, and where. Lines and columns count from 1. */
export interface PlanProblem {
  line: number;
  column: number;
  message: string;
}

/** Where the checks of a gate were found. */
export type GateSource = 'plan' | 'agentkit.yaml' | 'detected' | 'none';

/** A plan with every default filled in: what a run keeps as its plan.yaml and never edits. */
export type ResolvedPlan = Omit<Plan, 'base' | 'gate' | 'merge'> & {
  base: string;
  gate: Check[];
  merge: { strategy: 'merge' | 'squash' | 'rebase'; into: string };
  /** What `agentkit.yaml` said at the base about the lanes' worktrees, if anything. No plan can say it. */
  worktree?: WorktreeSettings;
};
