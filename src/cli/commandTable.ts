import type { Command } from 'commander';
import type { Session } from './session.ts';

/** Gives a command its arguments, options and action, or the commands below it. */
export type FillCommand = (command: Command, session: Session) => void;

/** A command of `ak`. */
export interface CommandRow {
  name: string;
  description: string;
  /** Loads the module of the command; only the command that was called is loaded, so that each starts quickly. */
  load: () => Promise<FillCommand>;
}

/** Every command of `ak`, in the order of its help. */
export const commandTable: readonly CommandRow[] = [
  {
    name: 'doctor',
    description: 'Look at everything that ak stands on, and say how to cure what is wrong.',
    load: async () => (await import('./commands/doctor.ts')).fillDoctor,
  },
  {
    name: 'usage',
    description:
      'Show what is left of each account: its windows, when they reset, and how old the reading is.',
    load: async () => (await import('./commands/usage.ts')).fillUsage,
  },
  {
    name: 'pick',
    description: 'Choose the accounts with most room for the next piece of work.',
    load: async () => (await import('./commands/pick.ts')).fillPick,
  },
  {
    name: 'profiles',
    description: 'The logins of each kind, each in a folder of its own.',
    load: async () => (await import('./commands/profiles.ts')).fillProfiles,
  },
  {
    name: 'capacity',
    description: 'Say whether accounts have room for more, by what is known of them.',
    load: async () => (await import('./commands/capacity.ts')).fillCapacity,
  },
  {
    name: 'lease',
    description: 'The accounts that are in use, so that none is used twice.',
    load: async () => (await import('./commands/lease.ts')).fillLease,
  },
  {
    name: 'env',
    description: 'Print the variables that select an account, for a CLI that you start yourself.',
    load: async () => (await import('./commands/env.ts')).fillEnv,
  },
  {
    name: 'run',
    description: 'Run one agent to its end under an account, with nobody to ask.',
    load: async () => (await import('./commands/run.ts')).fillRun,
  },
  {
    name: 'plan',
    description: 'Write and check plans: the jobs of a run, who may write what, and the gate.',
    load: async () => (await import('./commands/plan.ts')).fillPlan,
  },
  {
    name: 'orchestrate',
    description: 'Run plans: worktrees, agents, gates, until a person has to decide.',
    load: async () => (await import('./commands/orchestrate.ts')).fillOrchestrate,
  },
  {
    name: 'lane',
    description: 'Lanes: a branch, a worktree and an agent for each job.',
    load: async () => (await import('./commands/lane.ts')).fillLane,
  },
  {
    name: 'trust',
    description: 'Which repositories may have their own commands run on this machine.',
    load: async () => (await import('./commands/trust.ts')).fillTrust,
  },
  {
    name: 'consent',
    description: 'Your standing word for what agents may do without asking you each time.',
    load: async () => (await import('./commands/consent.ts')).fillConsent,
  },
];
