import type { LaneView } from '../core/lanes/laneView.ts';
import { printableName } from './printable.ts';

/** A lane for people, over several lines. */
export function laneText(view: LaneView): string {
  const checks = view.gate.checks.map(
    ({ name, status, message }) =>
      `  ${name}: ${status}${message === null ? '' : ` (${printableName(message)})`}`,
  );
  return [
    `${view.lane}: ${view.state}`,
    `branch ${view.branch ?? 'none'}, worktree ${view.path ?? 'none'}, account ${view.account ?? 'none'}`,
    ...Object.entries(view.ports).map(([name, port]) => `${name}=${port}`),
    `gate ${view.gate.status}`,
    ...checks,
    ...view.why_not.map(printableName),
    ...view.warnings.map((warning) => `warning: ${printableName(warning)}`),
    ...view.rescues.map(({ ref, at }) => `rescued ${at}: ak lane restore ${ref}`),
  ].join('\n');
}
