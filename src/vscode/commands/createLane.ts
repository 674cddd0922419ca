import { CancellationError, l10n, ProgressLocation, window } from 'vscode';
import { plainMessage } from '../platform/plainMessage.ts';
import type { Services } from '../platform/services.ts';
import { asSentences } from './asSentences.ts';

/** Makes a lane by hand: a branch and a worktree for the person, or for an agent that they start there. */
export async function createLane(services: Services): Promise<void> {
  services.requireTrust();
  const name = await window.showInputBox({
    title: l10n.t('Create Lane'),
    prompt: l10n.t('Its branch is lane/NAME.'),
    placeHolder: 'fix-rounding',
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^[a-z0-9][a-z0-9-]{0,39}$/.test(text)
        ? undefined
        : l10n.t('Use lower-case letters, digits and "-", at most 40'),
  });
  if (name === undefined) throw new CancellationError();
  const [lane] = await window.withProgress(
    { location: ProgressLocation.Notification, title: plainMessage(l10n.t('Making lane {0}', name)) },
    async () => (await services.kit()).lanes.create([name]),
  );
  await services.lanes.refresh();
  if (lane?.state === 'open') services.notify.info(l10n.t('Lane {0} is in {1}.', lane.lane, lane.path ?? ''));
  else
    services.notify.warn(l10n.t('Lane {0} could not be made: {1}', name, asSentences(lane?.why_not ?? [])));
}
