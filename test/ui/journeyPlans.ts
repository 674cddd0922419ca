/** Two writers that meet in `src/tax.mjs`. */
export const overlappingPlan = `# Two writers that would meet.
version: 1
name: overlap
gate:
  - { name: test, run: npm test, timeout: 2m, matcher: $tap }
jobs:
  - id: currencies
    kind: demo
    prompt: Format amounts of other currencies than euro.
    paths: [src/**, test/money.test.mjs]
  - id: rounding
    kind: demo
    prompt: Round tax half to even.
    paths: [src/tax.mjs, test/tax.test.mjs]
`;

/** The demo's plan with agents that take their time before they are done, so that a reload falls into their work. */
export function withPatientAgents(plan: string, seconds: number): string {
  return plan.replaceAll(/- wait: \d+(\n +- say: Done)/g, `- wait: ${seconds}$1`);
}
