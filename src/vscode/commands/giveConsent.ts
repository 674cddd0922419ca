import { CancellationError, l10n, window } from 'vscode';
import type { Services } from '../platform/services.ts';

const parallelWriters = 'parallel-writers';

/**
 * Asks for the person's standing word that an agent may start several writing agents by itself; where it was given,
 * offers to take it back.
 * @throws AgentKitError `refused` inside an agent's environment; CancellationError
 */
export async function giveConsent(services: Services): Promise<void> {
  services.requireTrust();
  const machine = services.machine();
  const allows = await machine.consentToGive(parallelWriters);
  const given = (await machine.consents()).some(({ name }) => name === parallelWriters);
  const yes = given ? l10n.t('Take It Back') : l10n.t('Allow');
  const answer = await window.showWarningMessage(
    given
      ? l10n.t('You allowed agents to start parallel writers.')
      : l10n.t('Allow agents to start parallel writers?'),
    {
      modal: true,
      detail: l10n.t('On this machine, until you take it back here or with ak consent rm: {0}.', allows),
    },
    yes,
  );
  if (answer !== yes) throw new CancellationError();
  if (given) await machine.withdrawConsent(parallelWriters);
  else await machine.giveConsent(parallelWriters);
}
