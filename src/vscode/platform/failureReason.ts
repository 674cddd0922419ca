import type { ErrorReason } from '../../core/agentKitError.ts';

/**
 * The reason of an AgentKitError, undefined for anything else. The engine is a bundle with its own copy of the
 * class, so the name decides, not `instanceof`.
 */
export function failureReason(error: unknown): ErrorReason | undefined {
  if (!(error instanceof Error) || error.name !== 'AgentKitError' || !('reason' in error)) return undefined;
  return error.reason as ErrorReason;
}
