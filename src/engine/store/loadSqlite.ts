import { AgentKitError } from '../../core/agentKitError.ts';

/** Loads node:sqlite on first use; on Node 22 its experimental warning is kept off people's screens. @throws AgentKitError `not_installed` */
export function loadSqlite(): typeof import('node:sqlite') {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- put back below as it was
  const emitWarning = process.emitWarning;
  process.emitWarning = () => undefined;
  try {
    const sqlite = process.getBuiltinModule?.('node:sqlite');
    if (!sqlite) {
      throw new AgentKitError(
        'not_installed',
        `AgentKit needs Node 22.13 or newer for its locks (node:sqlite); this is Node ${process.versions.node}`,
      );
    }
    return sqlite;
  } finally {
    process.emitWarning = emitWarning;
  }
}
