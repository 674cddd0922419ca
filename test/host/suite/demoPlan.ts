/**
 * A plan whose agents are quick: `tidy` passes its gate, `broken` fails it with a finding in src/tax.mjs, and both
 * run for as many seconds as asked. Names keep the lanes of one test apart from those of another.
 */
export function demoPlan(name: string, seconds: number): string {
  return `
version: 1
name: ${name}
base: main
gate:
  - { name: test, run: npm test, timeout: 1m, matcher: $tap }
  - { name: lint, run: npm run lint, timeout: 1m, matcher: $eslint-stylish }
jobs:
  - id: ${name}-tidy
    kind: demo
    prompt: |
      Take a note.

      \`\`\`demo
      - say: Taking a note
      - wait: ${seconds}
      - write: { path: notes/${name}.md, content: "A note\\n" }
      - say: Noted
      \`\`\`
    paths: [notes/**]
  - id: ${name}-broken
    kind: demo
    prompt: |
      Tidy up the tax.

      \`\`\`demo
      - say: Tidying up
      - wait: ${seconds}
      - replace:
          path: src/tax.mjs
          find: "  return Math.round((cents * percent) / 100);"
          with: "  var tax = (cents * percent) / 100;\\n  return Math.floor(tax);"
      \`\`\`
    paths: [src/tax.mjs]
`;
}
