import { homedir } from 'node:os';
import { join } from 'node:path';
import { AgentKitError } from '../../../core/agentKitError.ts';
import { changeJsonObject } from '../changeJsonObject.ts';
import type { Profile } from '../agentKind.ts';

/**
 * Writes down that a folder, given by its real path, is trusted, as Pi's own `/trust` does. Pi asks only in folders
 * with settings or extensions of their own; a headless run does without those where it is not trusted.
 * @throws AgentKitError `refused` when the person said there that they do not trust it; when the file is damaged
 */
export function trustPiFolder(
  profile: Profile,
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const home = profile.folder ?? join(environment['HOME'] ?? homedir(), '.pi', 'agent');
  const file = join(home, 'trust.json');
  return changeJsonObject(file, (content) => {
    if (content[folder] === true) return undefined;
    if (content[folder] === false) {
      const message = `${file} says that ${folder} is not trusted; start pi there and change that with: /trust`;
      throw new AgentKitError('refused', message);
    }
    return { ...content, [folder]: true };
  });
}
