import { CancellationError, TerminalProfile, window, type Disposable, type TerminalOptions } from 'vscode';
import { messageOf } from '../../core/agentKitError.ts';
import type { TerminalProfileId } from '../../ids.ts';
import type { Services } from '../platform/services.ts';

const id: TerminalProfileId = 'agentkit.agentSession';

/** The terminal profile "Agent Session": asks for the account, then is the vendor's screen. */
export function registerSessionProfile(
  { log }: Pick<Services, 'log'>,
  session: () => Promise<TerminalOptions>,
): Disposable {
  return window.registerTerminalProfileProvider(id, {
    provideTerminalProfile: async () => {
      try {
        return new TerminalProfile(await session());
      } catch (error) {
        // The editor shows the message of whatever is thrown here; one without words ends it quietly.
        if (error instanceof CancellationError) throw new Error('', { cause: error });
        log.warn(`${id}: ${messageOf(error)}`);
        throw error;
      }
    },
  });
}
