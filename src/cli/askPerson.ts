import { createInterface } from 'node:readline/promises';
import type { Session } from './session.ts';

/** Whether a person can be asked here: what is asked is seen, and they type the answer. */
export function canAskPerson(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Asks for a yes; anything else, and the end of the input, is a no. @throws AgentKitError `cancelled` on Ctrl+C */
export async function askPerson(session: Session, question: string): Promise<boolean> {
  const { signal } = session.interrupts;
  // Without its own terminal handling Ctrl+C stays a signal, as everywhere in `ak`.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    const answer = await Promise.race([lines.question(`${question} [y/N] `, { signal }), ended]);
    return /^y(es)?$/i.test(answer.trim());
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    lines.close();
  }
}
