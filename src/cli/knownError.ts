import { AgentKitError, type ErrorReason } from '../core/agentKitError.ts';

/** What the system refused, by its code. */
const refusals: Readonly<Record<string, { reason: ErrorReason; what: string }>> = {
  EACCES: { reason: 'not_accessible', what: 'there is no permission for it' },
  EPERM: { reason: 'not_accessible', what: 'the system does not permit it' },
  EROFS: { reason: 'not_accessible', what: 'its file system is read-only' },
  ENOENT: { reason: 'not_found', what: 'it does not exist' },
  ENOSPC: { reason: 'no_space', what: 'there is no space left on its device' },
  EISDIR: { reason: 'invalid_input', what: 'it is a folder' },
  ENOTDIR: { reason: 'invalid_input', what: 'a part of its path is not a folder' },
  EEXIST: { reason: 'invalid_input', what: 'something of that name exists already' },
};

/** Result codes of SQLite: a lock file that cannot be written, or opened, or has no space. */
const lockRefusals: Readonly<Record<number, ErrorReason>> = {
  8: 'not_accessible',
  13: 'no_space',
  14: 'not_accessible',
};

/** The failure as one that a person can act on; undefined for a bug. */
export function knownError(error: unknown): AgentKitError | undefined {
  if (error instanceof AgentKitError) return error.reason === 'internal' ? lockError(error) : error;
  if (!(error instanceof Error)) return undefined;
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  const refusal = code === undefined ? undefined : refusals[code];
  // Standard input as a folder has no path.
  const place = path ?? placeIn(error.message);
  if (refusal === undefined || code === undefined) return undefined;
  const verb = syscall?.split(' ')[0] ?? 'use';
  return new AgentKitError(refusal.reason, `Cannot ${verb} ${place}: ${refusal.what} (${code}).`, {
    cause: error,
  });
}

function lockError(error: AgentKitError): AgentKitError | undefined {
  const { errcode } = (error.cause ?? {}) as { errcode?: number };
  const reason = errcode === undefined ? undefined : lockRefusals[errcode];
  return reason === undefined ? undefined : new AgentKitError(reason, error.message, { cause: error });
}

/** Node names the path in the message alone where it works on an open file. */
function placeIn(message: string): string {
  return /'([^']+)'/.exec(message)?.[1] ?? 'a file';
}
