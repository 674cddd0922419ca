/** What is wrong where there is no such program, and the cure. */
export function missingProgram(name: string, install: string | undefined): string {
  const cure = install === undefined ? 'put it there' : `install it with: ${install}`;
  return `There is no program "${name}" on PATH; ${cure}`;
}
