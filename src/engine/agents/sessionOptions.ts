import type { InteractiveOptions } from './agentKind.ts';

/**
 * What going on with a session becomes for a screen that knows `--continue` and `--resume`.
 * @param ofId How that CLI names one session.
 */
export function sessionOptions(
  resume: InteractiveOptions['resume'],
  ofId: (id: string) => readonly string[],
): readonly string[] {
  if (resume === undefined) return [];
  if (resume === 'last') return ['--continue'];
  return resume === 'choose' ? ['--resume'] : ofId(resume.id);
}
