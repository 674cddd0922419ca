import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { formatAccount, parseAccount } from '../../core/accounts/account.ts';
import { editSettings } from '../../core/accounts/editSettings.ts';
import { accountSettingSchema } from '../../core/accounts/parsePersonSettings.ts';
import type { AccountSetting } from '../../core/accounts/personSettings.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import { writeText } from '../store/atomicFile.ts';
import { withLock } from '../store/lock.ts';
import { stateFiles } from '../store/paths.ts';
import { userFolders } from '../store/userFolders.ts';
import { readPrivate, settingsFiles } from './personSettings.ts';

const lockMs = 10_000;

/**
 * Writes what the person set for an account into settings.yaml, whose comments stay; for the owner alone.
 * @throws AgentKitError `invalid_input` for no account, slots out of range or a file that cannot be edited, `refused`
 *   for a file that others may write
 */
export async function setAccountSetting(
  environment: Readonly<Record<string, string | undefined>>,
  account: string,
  change: Partial<AccountSetting>,
): Promise<void> {
  const name = formatAccount(parseAccount(account));
  const checked = accountSettingSchema.safeParse(change);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw new AgentKitError('invalid_input', `${issue?.path.join('.')} of ${name}: ${issue?.message}`);
  }
  const { settings: file } = settingsFiles(environment);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await withLock(
    stateFiles(userFolders(environment).state).settingsLock,
    async () => {
      const edited = editSettings((await readPrivate(file)) ?? '', name, change);
      if ('problem' in edited) throw new AgentKitError('invalid_input', `${file}: ${edited.problem}`);
      await writeText(file, edited.text);
    },
    { timeoutMs: lockMs },
  );
}
