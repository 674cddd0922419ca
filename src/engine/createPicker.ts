import type { PickAnswer, PickRequest } from '../core/accounts/pickAccounts.ts';
import { pickAccount } from './accounts/pickAccount.ts';
import type { AgentKitOptions } from './agentKitTypes.ts';
import { usageKinds } from './agents/usageKinds.ts';

/** The choice of an account by itself, for whoever waits for it; the same as `AccountDesk.pick`. */
export function createPicker(
  options: Pick<AgentKitOptions, 'node' | 'dist' | 'environment'>,
): (request: PickRequest & { kind: string }) => Promise<PickAnswer> {
  return async (request) => {
    const kinds = await usageKinds(request.kind, options);
    const { environment } = options;
    if (!kinds.has(request.kind)) {
      const { unknownKind } = await import('./agents/unknownKind.ts');
      throw unknownKind(request.kind, kinds, environment);
    }
    return pickAccount(request, { kinds, environment, now: () => new Date() });
  };
}
