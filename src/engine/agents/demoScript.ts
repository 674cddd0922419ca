import * as z from 'zod';
import { AgentKitError } from '../../core/agentKitError.ts';
import { waitingSchema } from '../../core/lanes/waiting.ts';
import { readYaml } from './readYaml.ts';

const path = z.string().min(1);
/** One thing that the demo agent can be told to do. */
export const stepSchema = z.union(
  [
    z.strictObject({ say: z.string() }),
    z.strictObject({ wait: z.number().min(0).max(3600) }),
    z.strictObject({ write: z.strictObject({ path, content: z.string() }) }),
    z.strictObject({ append: z.strictObject({ path, content: z.string() }) }),
    z.strictObject({ replace: z.strictObject({ path, find: z.string().min(1), with: z.string() }) }),
    z.strictObject({ remove: path }),
    z.strictObject({ commit: z.string().min(1) }),
    z.strictObject({
      ask: z.strictObject({
        for: waitingSchema.shape.reason,
        text: z.string(),
        /** File that a person makes to answer; the agent takes it away. Without it the question stays open. */
        answer: path.optional(),
      }),
    }),
    z.strictObject({
      /** The account reaches its limit here, as long as its window lasts; the session can go on under another one. */
      limit: z.strictObject({
        /** Accounts that reach it, like `@one`; every other goes on. Without it all do. */
        accounts: z.array(z.string().startsWith('@')).optional(),
        window: z.enum(['5h', 'weekly']).default('5h'),
        resets_in_s: z.number().min(0).default(3600),
      }),
    }),
    z.strictObject({ exit: z.number().int().min(0).max(255) }),
  ],
  'must be one of say, wait, write, append, replace, remove, commit, ask, limit, exit, with what it needs',
);

export type DemoStep = z.output<typeof stepSchema>;

const block = /^```demo[ \t]*\n([\s\S]*?)^```[ \t]*$/gm;
/** What AgentKit adds to a prompt comes after such a line and is not part of the piece of work. */
const frameLine = /^---\n/m;

/**
 * What a prompt asks of the demo agent: the steps of its block, or, when there is none, to go on with those that are
 * left of its session, or to note down the piece.
 * @throws AgentKitError `invalid_input` with the line inside the block
 */
export function readDemoScript(prompt: string, left: readonly DemoStep[] = []): readonly DemoStep[] {
  const blocks = [...prompt.replaceAll('\r\n', '\n').matchAll(block)];
  if (blocks.length > 1) {
    throw new AgentKitError(
      'invalid_input',
      'The prompt has more than one demo block; the demo agent takes one',
    );
  }
  if (blocks[0]) return readYaml(blocks[0][1] ?? '', z.array(stepSchema), 'demo block');
  return left.length > 0 ? left : noteSteps(prompt);
}

/** The files that steps touched and did not commit. */
export function touchedBy(steps: readonly DemoStep[]): string[] {
  const from = steps.findLastIndex((step) => 'commit' in step) + 1;
  return steps.slice(from).flatMap((step) => {
    if ('write' in step) return step.write.path;
    if ('append' in step) return step.append.path;
    if ('replace' in step) return step.replace.path;
    return 'remove' in step ? step.remove : [];
  });
}

function noteSteps(prompt: string): DemoStep[] {
  const piece = (prompt.split(frameLine, 1)[0] ?? '').trim();
  if (piece === '') {
    throw new AgentKitError('invalid_input', 'The prompt is empty; there is nothing to note down');
  }
  const file = `notes/${slugOf(piece)}.md`;
  const content = [
    `# ${piece.split('\n', 1)[0]}`,
    '',
    "Noted by AgentKit's embedded demo agent. It is a small program, no AI: without a demo block it can take a note",
    'of the piece of work, and that is all that was done here.',
    '',
    ...piece.split('\n').map((line) => `> ${line}`.trimEnd()),
    '',
  ].join('\n');
  return [
    { say: 'There is no demo block in the prompt, so I only take a note of the piece of work.' },
    { write: { path: file, content } },
  ];
}

function slugOf(piece: string): string {
  const words = (piece.split('\n', 1)[0] ?? '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const slug = words.replace(/[^a-z0-9]+/g, '-').slice(0, 48);
  return slug.replace(/^-+|-+$/g, '') || 'piece';
}
