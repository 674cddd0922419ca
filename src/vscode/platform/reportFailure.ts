import { CancellationError, l10n } from 'vscode';
import { messageOf } from '../../core/agentKitError.ts';
import { failureReason } from './failureReason.ts';
import type { Services } from './services.ts';

/**
 * The one error policy of the editor head: a cancel is silent, a known refusal tells its message, anything else
 * is a bug whose stack goes to the log.
 */
export function reportFailure(
  { log, notify }: Pick<Services, 'log' | 'notify'>,
  error: unknown,
  doing: string,
): void {
  const reason = failureReason(error);
  if (error instanceof CancellationError || reason === 'cancelled') return;
  if (reason !== undefined) {
    const cause = (error as Error).cause;
    log.warn(`${doing}: ${reason}: ${messageOf(error)}${cause ? `\n${describe(cause)}` : ''}`);
    notify.error(messageOf(error));
    return;
  }
  log.error(`${doing}: ${describe(error)}`);
  notify.error(l10n.t('AgentKit failed at {0}: {1}', doing, messageOf(error)));
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
