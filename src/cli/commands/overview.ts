import type { KindHere } from '../../engine/createMachine.ts';
import type { Session } from '../session.ts';
import { table } from '../table.ts';

/** `ak` without a command: which agents are here, and what to do next. Starts no program and contacts nobody. */
export async function overview(session: Session, version: string): Promise<void> {
  const kinds = await (await session.machine()).kinds();
  const text = [`AgentKit ${version}`, '', table(kinds.map(row)), '', nextSteps(kinds), ''].join('\n');
  session.answer('kinds-v1', { version, kinds: kinds.map(kindAnswer) }, text.trimEnd());
}

function row({ id, label, installed, install, path, profiles }: KindHere): string[] {
  if (!installed) return [id, label, 'not installed', install ?? ''];
  return [id, label, profiles.length > 0 ? profiles.join(', ') : 'no account yet', path ?? ''];
}

function kindAnswer({ id, label, installed, install, path, profiles }: KindHere): object {
  return { kind: id, label, installed, path, install, profiles };
}

function nextSteps(kinds: readonly KindHere[]): string {
  const vendor = kinds.find(({ installed, logsIn }) => installed && logsIn)?.id;
  const steps = [
    ['ak doctor', 'whether all of it works, and what to do where not'],
    ['ak usage', 'what is left of each account'],
    ...(vendor === undefined ? [] : [[`ak profiles add ${vendor} @work`, 'another account']]),
    ['ak plan new plans/first.yaml "…"', 'a first piece of work'],
    ['ak --help', 'everything else'],
  ];
  return `Next:\n${table(steps.map(([command = '', what = '']) => [`  ${command}`, what]))}`;
}
