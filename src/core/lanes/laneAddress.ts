/** Names one lane of one run, also when a newer run has a lane of the same id; `ak lane …` takes it too. */
export function laneAddress({ run, job }: { run: string; job: string }): string {
  return `${run}/${job}`;
}
