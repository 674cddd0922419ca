import * as z from 'zod';
import { globProblem } from './globs.ts';
import { durationSchema } from './plan.ts';

/** The ports that one of a lane's variables may get, both ends included. */
export interface PortRange {
  from: number;
  to: number;
}

/** One command line of a list. Each runs in a shell of its own. */
const command = z.string().regex(/\S/, 'write a command, or leave the line out');

const glob = z.string().superRefine((text, context) => {
  const problem = globProblem(text);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

/** One folder by its name: what stands for many has no meaning in a link. */
const folder = z.string().superRefine((text, context) => {
  const problem = /[*?[\]{}]/.test(text) ? 'name one folder, without wildcards' : globProblem(text);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

const portRange = z
  .string('write a range in words, like 4100-4199')
  .regex(/^\d{1,5}-\d{1,5}$/, 'write a range like 4100-4199')
  .transform((text): PortRange => {
    const [from = 0, to = 0] = text.split('-').map(Number);
    return { from, to };
  })
  .refine(({ from, to }) => from >= 1024 && to <= 65535, 'take ports from 1024 to 65535')
  .refine(({ from, to }) => from <= to, 'the range runs backwards');

/** A name that holds the word is a port to every program; others could switch something on in an agent. */
const portName = z
  .string()
  .regex(/^([A-Z0-9]+_)*PORT(_[A-Z0-9]+)*$/, 'name it PORT, or like API_PORT or PORT_2, in capitals');

/** The section `worktree` of `agentkit.yaml`: what every worktree of a lane is given besides its checkout. */
export const worktreeSchema = z.strictObject({
  root: z
    .string()
    .regex(/\S/, 'name a folder, or leave it out')
    .regex(/^[^~]/, '"~" has no meaning here; write a path from the repository, like ../{repo}-lanes')
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'it holds a control character')
    .optional()
    .describe('Folder that lanes are made in, from the top of the repository; {repo} is its name.'),
  copy: z
    .array(glob)
    .optional()
    .describe('Files that git does not track, copied from the main checkout, as paths or globs.'),
  link: z
    .array(folder)
    .default([])
    .describe("Folders that are linked to the main checkout's; a linked dependency folder weakens the gate."),
  setup: z
    .array(command)
    .default([])
    .describe(
      'Commands that run in a new lane, one after another; the agent starts once all have succeeded. ' +
        'Before a merged tree is checked they run there.',
    ),
  teardown: z.array(command).default([]).describe('Commands that run before a lane is removed.'),
  ports: z
    .record(portName, portRange)
    .default({})
    .describe('Variables that hold a free port of the lane, each with its range, like PORT: 4100-4199.'),
  setup_timeout: durationSchema
    .default(1200)
    .describe('How long one command of setup or teardown may take, like 90s, 10m or 2h.'),
});

/** As a run keeps it, with every default filled in. */
export type WorktreeSettings = Omit<z.output<typeof worktreeSchema>, 'root' | 'copy'> & {
  root?: string;
  copy: string[];
};
