import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DoctorFinding, problem } from './finding.ts';

const switches = [
  ['kernel/unprivileged_userns_clone', '0', 'kernel.unprivileged_userns_clone=1'],
  ['kernel/apparmor_restrict_unprivileged_userns', '1', 'kernel.apparmor_restrict_unprivileged_userns=0'],
  ['user/max_user_namespaces', '0', 'user.max_user_namespaces=15000'],
] as const;

/**
 * Whether the machine lets a program shut itself in, as Codex does with the commands of its agents: without that each
 * of them fails. Root may do so in any case.
 *
 * @param system Where the kernel tells its settings: `/proc/sys`.
 */
export async function examineSandbox(system: string, userId: number | undefined): Promise<DoctorFinding[]> {
  if (userId === 0) return [];
  const told = await Promise.all(
    switches.map(async ([name, off, cure]) => {
      const value = await readFile(join(system, name), 'utf8').catch(() => '');
      if (value.trim() !== off) return [];
      const message = `Codex cannot shut in the commands of its agents: this machine gives users no namespaces (${name.replace('/', '.')} is ${off})`;
      return [problem('kind', message, `sudo sysctl -w ${cure}`)];
    }),
  );
  return told.flat();
}
