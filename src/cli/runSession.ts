import type { Session } from './session.ts';

/**
 * Does the work of a call, unless the person lets go of it, and gives the exit code.
 *
 * @param fail Says what went wrong, and gives the exit code for it.
 */
export async function runSession(
  session: Session,
  work: () => Promise<unknown>,
  fail = (error: unknown): Promise<number> => session.fail(error),
): Promise<number> {
  try {
    await Promise.race([work(), session.interrupts.givesUp()]);
    return session.exitCode;
  } catch (error) {
    return await fail(error);
  } finally {
    await session.close();
  }
}
