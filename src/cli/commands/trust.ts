import type { Command } from 'commander';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { RepositoryTrust, TrustedNow } from '../../engine/createMachine.ts';
import { askPerson, canAskPerson } from '../askPerson.ts';
import type { Session } from '../session.ts';

const more = `
A repository may name commands in its agentkit.yaml: the gate, the setup and teardown of worktrees, kinds of agents.
In a shell they run only after your word, which holds for exactly these commands: when they change in a commit, ak asks
again and shows the difference. (VS Code has its trusted workspaces.) A gate that stands in a plan, or that ak found by
itself, is not part of it: --yes of ak orchestrate start approves that.

Exit codes: 0 done (ls DIR: its commands may run), 1 they may not, or you said no, 2 agentkit.yaml cannot be read,
3 no repository, or nothing was allowed, 6 only the person may allow it.
`;

/** `ak trust`. */
export function fillTrust(trust: Command, session: Session): void {
  trust.addHelpText('after', more);
  trust
    .command('ls', { isDefault: true })
    .description('List the repositories whose commands may run, or say it of one.')
    .argument('[dir]', 'a folder of the repository')
    .option('--json', 'print trust-v1')
    .addHelpText('after', more)
    .action(async (folder?: string) => {
      const machine = await session.machine();
      if (folder === undefined) {
        const all = await machine.trusted();
        const text =
          all.length === 0 ? 'No commands of any repository are allowed.' : all.map(entryText).join('\n');
        session.answer('trust-v1', { repositories: all }, text);
        return;
      }
      const found = await machine.trustOf(folder);
      if (!found.mayRun) session.exitCode = 1;
      session.answer('trust-v1', { repositories: [trustAnswer(found)] }, trustText(found));
    });
  trust
    .command('add')
    .description("Allow the commands that a repository names at its checkout's commit, after showing them.")
    .argument('[dir]', 'a folder of the repository', '.')
    .option('--yes', 'they are allowed without a question')
    .option('--json', 'print trust-v1')
    .addHelpText('after', more)
    .action(async (folder: string, { yes }: { yes?: boolean }) => {
      const machine = await session.machine();
      const found = await machine.trustOf(folder);
      if (!found.mayRun) await machine.requirePersonFor('allow the commands of a repository');
      if (!found.mayRun && !(await isAllowed(session, found, yes === true))) {
        session.exitCode = 1;
        session.answer('trust-v1', { repositories: [trustAnswer(found)] }, 'Not allowed.');
        return;
      }
      await machine.trust(found);
      const now = await machine.trustOf(folder);
      session.answer('trust-v1', { repositories: [trustAnswer(now)] }, trustText(now));
    });
  trust
    .command('rm')
    .description('Take it back.')
    .argument('[dir]', 'a folder of the repository, or where it was', '.')
    .option('--json', 'print trust-v1')
    .action(async (folder: string) => {
      const machine = await session.machine();
      await machine.distrust(folder);
      session.answer('trust-v1', { repositories: await machine.trusted() }, 'Taken back.');
    });
}

/** @throws AgentKitError `refused` with what would be allowed, where nobody can be asked */
async function isAllowed(session: Session, found: RepositoryTrust, yes: boolean): Promise<boolean> {
  if (yes) {
    session.say(trustText(found));
    return true;
  }
  if (!canAskPerson())
    throw new AgentKitError(
      'refused',
      `${trustText(found)}\nHere is no terminal to ask you in; if you allow it: ak trust add --yes`,
    );
  session.say(trustText(found));
  return askPerson(session, 'May they run on this machine?');
}

const statusTexts: Record<RepositoryTrust['status'], string> = {
  nothing: 'names no commands',
  trusted: 'its commands may run',
  untrusted: 'you have not allowed its commands yet',
  changed: 'its commands have changed since you allowed them',
};

function trustText({ root, status, commands, difference }: RepositoryTrust): string {
  const changes = difference.length > 0 ? ['What changed:', ...difference] : [];
  return [`${root}: ${statusTexts[status]}`, ...indented(commands), ...changes].join('\n');
}

function entryText({ root, status, difference, reason }: TrustedNow): string {
  const what = status === 'unreadable' ? (reason ?? 'it cannot be read') : statusTexts[status];
  return [`${root}: ${what}`, ...difference.map((line) => `  ${line}`)].join('\n');
}

function indented(text: string): string[] {
  return text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => `  ${line}`);
}

function trustAnswer({ commonDir, mayRun, ...trust }: RepositoryTrust): object {
  return { ...trust, common_dir: commonDir, may_run: mayRun };
}
