/** What Ctrl+C means for a run: only this process stops caring for it. */
export function letGoMessage(run: string): string {
  return `Let go of run ${run}; its agents go on. Go on with: ak orchestrate resume ${run}`;
}
