import { AgentKitError } from '../agentKitError.ts';
import { slug, uniqueSlugs } from './slug.ts';
import { blockText, indentLines, toYaml } from './toYaml.ts';

export interface PlanDraft {
  /** What is no valid name of a plan is made one. */
  name: string;
  /** One job each; blank ones are passed over. */
  pieces: string[];
  kind?: string;
  /** Left out: as `resolveBase` finds it. */
  base?: string;
}

const validName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/;

/**
 * The text of a plan file with one job a piece and comments that say what to fill in. `parsePlan` reads it.
 * @throws AgentKitError `invalid_input` when there is no piece
 */
export function planFromPieces({ name, pieces, kind, base }: PlanDraft): string {
  const prompts = pieces.map((piece) => piece.replace(/\r\n?/g, '\n').trim()).filter((piece) => piece !== '');
  if (prompts.length === 0) {
    throw new AgentKitError('invalid_input', 'there is no piece of work yet; write one a line');
  }
  const ids = uniqueSlugs(prompts);
  return [
    '# One job a piece of work; each runs on a branch and in a worktree of its own.',
    'version: 1',
    toYaml({ name: validName.test(name) ? name : slug(name) }),
    base === undefined
      ? '# base: main   # default: the default branch of the remote, else main or master'
      : toYaml({ base }),
    '',
    '# The checks that decide. Default: those of agentkit.yaml, else the ones found in the repository.',
    '# gate:',
    '#   - { name: test, run: npm test, timeout: 10m }',
    '',
    'jobs:',
    ...prompts.map((prompt, index) => jobText(ids[index] ?? '', prompt, kind)),
    '',
  ].join('\n');
}

function jobText(id: string, prompt: string, kind: string | undefined): string {
  const job = toYaml([{ id, ...(kind === undefined ? {} : { kind }), prompt: blockText(`${prompt}\n`) }]);
  return [
    indentLines(job, '  '),
    '    paths: []   # what it may write, like [src/api/**]; empty: not checked',
    '    depends_on: []',
  ].join('\n');
}
