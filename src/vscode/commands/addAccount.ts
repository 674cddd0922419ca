import { join } from 'node:path';
import { CancellationError, commands, env, l10n, Uri, window, workspace } from 'vscode';
import type { AccountDesk } from '../../engine/agentKit.ts';
import type { Services } from '../platform/services.ts';
import { askProfileName } from './askProfileName.ts';
import { logIn, type LoginTerminals } from './logIn.ts';

type Kind = ReturnType<AccountDesk['kinds']>[number];

/**
 * Makes a new account: its kind, its name, its folder, and then the vendor's own login in a terminal. The account
 * stays when the login is given up; the person is told how to go on.
 * @throws AgentKitError, CancellationError
 */
export async function addAccount(services: Services, terminals: LoginTerminals): Promise<void> {
  services.requireTrust();
  const desk = services.desk();
  const kind = await chooseKind(desk.kinds());
  if (!kind.installed) return offerInstall(services, kind);
  const taken = (await desk.profiles()).filter((profile) => profile.kind === kind.id);
  const name = await askProfileName(
    kind.label,
    taken.map((profile) => profile.name),
  );
  const { folder } = await desk.addProfile(kind.id, name);
  await services.accounts.load();
  if (kind.logsIn) await logIn(services, terminals, `${kind.id}/${name}`);
  else if (folder !== null) await openUsage(folder);
}

async function chooseKind(kinds: readonly Kind[]): Promise<Kind> {
  // What works at once comes first, and the demo after what does real work.
  const rank = (kind: Kind) => (kind.installed ? 0 : 2) + (kind.logsIn ? 0 : 1);
  const items = kinds
    .toSorted((a, b) => rank(a) - rank(b))
    .map((kind) => ({
      label: kind.label,
      description: kind.id,
      detail: kind.installed
        ? kind.logsIn
          ? l10n.t('Installed. You log in to it in a terminal.')
          : l10n.t('Needs no login.')
        : l10n.t('Not installed: {0}', kind.install ?? ''),
      // The editor has a meaning of its own for "kind".
      agent: kind,
    }));
  const picked = await window.showQuickPick(items, {
    title: l10n.t('Add Account: which agent?'),
    matchOnDescription: true,
  });
  if (!picked) throw new CancellationError();
  return picked.agent;
}

/** We install nothing: the person runs the vendor's own command. */
function offerInstall({ notify }: Services, { label, install }: Kind): void {
  const command = install ?? '';
  notify.info(
    l10n.t('{0} is not installed. Install it with: {1}, then add the account again.', label, command),
    {
      label: l10n.t('Type It in a Terminal'),
      run: () => {
        const terminal = window.createTerminal({ name: l10n.t('Install {0}', label) });
        terminal.show();
        terminal.sendText(command, false);
      },
    },
    { label: l10n.t('Copy Command'), run: () => env.clipboard.writeText(command) },
  );
}

/** An account without a login says in a file of its own what is left of it. */
async function openUsage(folder: string): Promise<void> {
  const file = Uri.file(join(folder, 'usage.json'));
  const found = await workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
  if (found) await commands.executeCommand('vscode.open', file);
}
