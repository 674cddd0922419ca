// @ts-check

/**
 * Waits for the work or the user's Ctrl+C, whichever is first, then cleans up in any case. A second Ctrl+C waits too.
 *
 * @template T
 * @param {Promise<T>} work
 * @param {() => Promise<void>} cleanUp
 * @returns {Promise<T | 'interrupted'>}
 */
export async function untilInterrupted(work, cleanUp) {
  /** @type {() => void} */
  let interrupt = () => {};
  /** @type {Promise<'interrupted'>} */
  const interrupted = new Promise((resolve) => (interrupt = () => resolve('interrupted')));
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  for (const signal of signals) process.on(signal, interrupt);
  try {
    const first = await Promise.race([work, interrupted]);
    if (first === 'interrupted') {
      console.error('Stopping…');
      work.catch(() => {});
    }
    return first;
  } finally {
    await cleanUp();
    for (const signal of signals) process.off(signal, interrupt);
  }
}
