import path from 'node:path';
import { stringify } from 'yaml';
import type { LaneState } from '../../../src/core/lanes/laneState.ts';

/** A lane of a run whose owner dies, what the next window must show of it, and what becomes of it after Resume. */
export interface LaneStory {
  lane: string;
  /** What its journal says when its owner dies. */
  left: LaneState;
  /** What the next window shows of it; its own processes have died too where that is another state. */
  shown: LaneState;
  /** After Resume. */
  end: LaneState;
  /** How many agents were started in all. */
  attempts: number;
  /** How often its gate was started in all, that of its merge included. */
  gates: number;
  /** What its agent does before it writes its file. */
  steps?: readonly unknown[];
  after?: string;
  /** The command that lasts until its file is taken away, see `holdFile`. */
  held?: 'setup' | 'gate';
}

/** Takes the answer when somebody gives it. */
const asks = [{ ask: { for: 'question', text: 'Which?', answer: 'answer.txt' } }];
/** Is stopped in the middle of it, so that it takes as long as a test wants. */
const works = [{ wait: 8 }];

/** One agent and one gate, and all stays as it is left, but for what `more` says. */
function story(lane: string, left: LaneState, more: Partial<LaneStory> = {}): LaneStory {
  return { lane, left, shown: left, end: left, attempts: 1, gates: 1, ...more };
}

const dead = { shown: 'interrupted', end: 'ready' } as const;

/** One lane for each state that a journal can stop in, and four whose agent, gate or setup died as well. */
export const laneStories: readonly LaneStory[] = [
  story('ready', 'ready'),
  story('queued', 'queued', { attempts: 0, gates: 0, after: 'ready' }),
  story('failed', 'failed'),
  story('blocked', 'blocked', { attempts: 0, gates: 0, after: 'failed' }),
  story('merged', 'merged', { gates: 2 }),
  story('dropped', 'dropped'),
  story('interrupted', 'interrupted', { end: 'ready', attempts: 2, steps: asks }),
  story('preparing', 'preparing', { end: 'ready', held: 'setup' }),
  story('running', 'running', { end: 'ready', steps: works }),
  story('waiting', 'waiting', { end: 'ready', steps: asks }),
  story('verifying', 'verifying', { end: 'ready', held: 'gate' }),
  story('merging', 'merging', { end: 'merged', gates: 2 }),
  story('dead-setup', 'preparing', { ...dead, held: 'setup' }),
  story('dead-agent', 'running', { ...dead, attempts: 2, steps: works }),
  story('dead-asker', 'waiting', { ...dead, attempts: 2, steps: asks }),
  story('dead-gate', 'verifying', { ...dead, gates: 2, held: 'gate' }),
];

/** The same for a run of the window itself, which the next window takes up by itself. */
export const ownStories: readonly LaneStory[] = [
  story('own-running', 'running', { end: 'ready', steps: works }),
  story('own-verifying', 'verifying', { end: 'ready', held: 'gate' }),
];

/** Beside the demo repository: what holds commands of its lanes, and how often they were started. */
export const holdFolder = (repository: string) => `${repository}-hold`;
export const holdFile = (repository: string, lane: string, what: 'setup' | 'gate') =>
  path.join(holdFolder(repository), `${lane}.${what}`);
export const countFile = (repository: string, lane: string, what: 'setup' | 'gate') =>
  path.join(holdFolder(repository), `${lane}.${what}s`);

/** Counts its start, and lasts while its lane's file is there. */
export function heldCommand(what: 'setup' | 'gate'): string {
  const file = `"$AGENTKIT_DEMO-hold/$AGENTKIT_LANE.${what}"`;
  return `echo started >> ${file}s; while test -e ${file}; do sleep 0.1; done`;
}

/** A plan with one job a story. */
export function planOf(name: string, stories: readonly LaneStory[]): string {
  return stringify({
    version: 1,
    name,
    base: 'main',
    gate: [{ name: 'held', run: `${heldCommand('gate')}; test "$AGENTKIT_LANE" != failed`, timeout: '10m' }],
    jobs: stories.map(({ lane, steps = [], after }) => ({
      id: lane,
      kind: 'demo',
      prompt: `Take a note.\n\n\`\`\`demo\n${stringify([...steps, { write: { path: `notes/${lane}.md`, content: 'A note\n' } }])}\`\`\`\n`,
      paths: [`notes/${lane}.md`],
      ...(after !== undefined && { depends_on: [after] }),
    })),
  });
}
