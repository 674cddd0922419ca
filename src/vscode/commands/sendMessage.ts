import { CancellationError, l10n, window } from 'vscode';
import { laneAddress } from '../../core/lanes/laneAddress.ts';
import type { LaneView } from '../../core/lanes/laneView.ts';
import { plainMessage } from '../platform/plainMessage.ts';
import type { Services } from '../platform/services.ts';
import { askWith } from './askOwner.ts';

/** Goes on in the session of a lane's agent with what the person says; offered only where the session is there. */
export async function sendMessage(services: Services, lane: LaneView): Promise<void> {
  services.requireTrust();
  const address = laneAddress(lane);
  const found = await (await services.kit()).lanes.canTell(address);
  if ('why' in found) {
    services.notify.warn(found.why);
    return;
  }
  const text = await window.showInputBox({
    title: plainMessage(l10n.t('Send a Message to {0}', lane.lane)),
    prompt: plainMessage(l10n.t('{0} goes on in its own session.', found.account)),
    placeHolder: l10n.t('What it is to do next'),
    ignoreFocusOut: true,
  });
  if (text === undefined || text.trim() === '') throw new CancellationError();
  await askWith(
    services,
    { what: `message to ${address}`, title: l10n.t('Sending a message to {0}', lane.lane) },
    (kit, wait) => kit.lanes.tell(address, text, wait),
  );
}
