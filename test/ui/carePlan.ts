/** Lanes to take care of: two that are done soon, and one whose agent is at work for as many seconds as asked. */
export function carePlan(seconds: number): string {
  const job = (id: string, steps: string) => `
  - id: ${id}
    kind: demo
    prompt: |
      Write the notes of ${id}.

      \`\`\`demo
      - say: Looking at the notes
${steps}
      \`\`\`
    paths: [notes/${id}/**, 'notes/${id}*.md']`;
  const note = (id: string) =>
    `      - write: { path: notes/${id}/notes.md, content: "A note\\n" }\n      - say: Noted`;
  return `version: 1
name: care
base: main
gate:
  - { name: notes, run: ls notes, timeout: 1m }
jobs:${job('rounding', note('rounding'))}${job('changelog', note('changelog'))}${job('import', `      - wait: ${seconds}`)}
`;
}
