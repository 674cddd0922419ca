const duties = new Set<() => void>();

function doAll(): void {
  for (const duty of duties) duty();
}

/**
 * Has something done at once when this process exits before what is returned has been called: what it started must not
 * outlive it unseen. Nothing helps against SIGKILL.
 */
export function atExit(duty: () => void): () => void {
  if (duties.size === 0) process.once('exit', doAll);
  duties.add(duty);
  return () => {
    duties.delete(duty);
    if (duties.size === 0) process.off('exit', doAll);
  };
}
