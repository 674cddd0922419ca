import { AgentKitError } from '../../core/agentKitError.ts';
import { findExecutable } from '../agents/findExecutable.ts';
import { isOldGit, oldestGit } from '../git/gitVersion.ts';
import { gitText } from '../git/plumbing.ts';
import { type DoctorFinding, problem } from './finding.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The first Node with `node:sqlite`, which holds our locks. */
const oldestNode = [22, 13] as const;

export function examineNode(version: string): DoctorFinding[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldMajor, oldMinor] = oldestNode;
  if (major > oldMajor || (major === oldMajor && minor >= oldMinor)) return [];
  const needed = `ak needs ${oldestNode.join('.')} or newer: https://nodejs.org/en/download`;
  return [problem('node', `Node ${version} is too old; ${needed}`)];
}

/** Asks git for its version. */
export async function examineGit(
  folder: string,
  environment: Environment,
): Promise<{ version: string | null; findings: DoctorFinding[] }> {
  try {
    const told = await gitText(folder, ['--version']);
    const version = told.replace(/^git version /, '');
    if (!isOldGit(told)) return { version, findings: [] };
    const message = `git ${version} is too old; AgentKit needs ${oldestGit.join('.')} or newer`;
    return { version, findings: [problem('git', message, installGit(environment))] };
  } catch (error) {
    if (!(error instanceof AgentKitError)) throw error;
    return { version: null, findings: [problem('git', error.message, installGit(environment))] };
  }
}

const installers = [
  ['apt-get', 'sudo apt-get install git'],
  ['dnf', 'sudo dnf install git'],
  ['pacman', 'sudo pacman -S git'],
  ['apk', 'sudo apk add git'],
  ['brew', 'brew install git'],
] as const;

function installGit(environment: Environment): string | null {
  return installers.find(([program]) => findExecutable(program, environment) !== null)?.[1] ?? null;
}
