import { AgentKitError } from '../core/agentKitError.ts';

/** What a command line says of how long a lease is to live. */
export interface LeaseLifeOptions {
  /** Seconds. */
  ttl?: number;
  pid?: number;
}

/** A lease lives with the process that calls `ak`, with one that is named, or for a time. @throws AgentKitError `usage` */
export function leaseLife({ ttl, pid }: LeaseLifeOptions): { pid: number } | { ttlS: number } {
  if (ttl !== undefined && pid !== undefined)
    throw new AgentKitError('usage', '--ttl and --pid contradict each other; leave one of them out');
  return ttl === undefined ? { pid: pid ?? process.ppid } : { ttlS: ttl };
}
