import type { Waiting } from '../../../../../src/core/lanes/waiting.ts';
import type { StepFact } from '../../../../../src/core/run/facts.ts';

export interface Task {
  lane: string;
  /** The account of an agent; absent for a check or a command of a setup. */
  account?: string;
  /** What a check looks at; a command of a setup prepares. */
  subject?: 'lane' | 'merge' | 'setup';
}

/** One supervised process: an attempt, a check or a command of a setup. */
export interface Process extends Task {
  folder: string;
  /** Supervisors that were spawned and have not claimed the step yet. */
  spawned: number;
  /** The owner wrote down that it had spawned one. */
  recorded: boolean;
  claimed: boolean;
  alive: boolean;
  stopFile: boolean;
  starts: number;
  /** How often its agent has asked a person; it waits while that is odd. */
  asked: number;
  /** Pieces of its work that an agent has done. */
  done: number;
  /** The commit that it found when it began. */
  found?: string;
  result?: string;
}

/** The supervised processes of a run, by their folders, with the claim that lets only one supervisor begin. */
export class Processes {
  readonly all = new Map<string, Process>();

  /** The step of a folder, made when it is not there. */
  at(folder: string, task: Task): Process {
    const known = this.all.get(folder);
    if (known !== undefined) return known;
    const flags = {
      spawned: 0,
      recorded: false,
      claimed: false,
      alive: false,
      stopFile: false,
      starts: 0,
      asked: 0,
      done: 0,
    };
    const made: Process = { folder, ...task, ...flags };
    this.all.set(folder, made);
    return made;
  }

  fact(folder: string): StepFact {
    const found = this.all.get(folder);
    if (found === undefined) return { state: 'absent', stopping: false };
    const state = stateOf(found);
    const waits = state === 'running' && found.asked % 2 === 1;
    return { state, stopping: found.stopFile, ...(waits && { waiting: question(found) }) };
  }

  /** Whether a lease on the account of this step holds by itself. */
  lives(folder: string): boolean {
    const { state } = this.fact(folder);
    return state === 'starting' || state === 'running';
  }

  agents(): Process[] {
    return [...this.all.values()].filter(({ alive, account }) => alive && account !== undefined);
  }
}

function question({ asked }: Process): Waiting {
  return { reason: 'question', message: `question ${asked}`, since: '' };
}

function stateOf({ result, recorded, claimed, alive, spawned }: Process): StepFact['state'] {
  if (result !== undefined) return 'ended';
  if (claimed) return alive ? 'running' : 'lost';
  return recorded && spawned > 0 ? 'starting' : 'absent';
}
