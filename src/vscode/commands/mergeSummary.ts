import type { MergePlan } from '../../engine/agentKitTypes.ts';
import type { Translate } from '../platform/render.ts';

/** Lines of a kind that a dialog shows before it says how many more there are. */
const shown = 8;

/** What a merge would do, as the text of the dialog that asks for it. */
export function mergeSummary(plan: MergePlan, t: Translate): string {
  const commits = plan.commits.map(({ sha, subject }) => `${sha.slice(0, 7)} ${subject}`);
  const gate = plan.gate.map(({ name, run }) => `${name}: ${run}`);
  return [
    t('Into {0} at {1}, strategy {2}', plan.target, plan.from.slice(0, 10), plan.strategy),
    section(t('Commits ({0})', commits.length), commits, t),
    section(t('Files ({0})', plan.files.length), plan.files, t),
    ...(plan.setup.length > 0 ? [section(t('Setup of the merged tree'), plan.setup, t)] : []),
    section(t('Gate that will run on the merged tree'), gate, t),
  ].join('\n\n');
}

function section(title: string, lines: readonly string[], t: Translate): string {
  const more = lines.length > shown ? [t('… and {0} more', lines.length - shown)] : [];
  return [title, ...[...lines.slice(0, shown), ...more].map((line) => `  ${line}`)].join('\n');
}
