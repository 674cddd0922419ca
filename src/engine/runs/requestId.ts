import { randomBytes } from 'node:crypto';

/** Name of a request; sorts by time, and no other has it. */
export function requestId(): string {
  return `${Date.now().toString(36).padStart(9, '0')}-${randomBytes(4).toString('hex')}`;
}
