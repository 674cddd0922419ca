import { join } from 'node:path';
import { userFolders } from '../store/userFolders.ts';

/** Where the person's standing decisions are kept. @throws AgentKitError `usage` when HOME is not set */
export function personFiles(environment: Readonly<Record<string, string | undefined>>) {
  const { config, state } = userFolders(environment);
  return {
    consents: join(config, 'consent.json'),
    trust: join(config, 'trust.json'),
    /** Whoever changes one of them holds it. */
    lock: join(state, 'decisions.lock'),
  };
}
