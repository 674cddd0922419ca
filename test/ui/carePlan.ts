/** Leaves a server behind, as a careless test does, and adds the id of that process to `servers`. */
export function carelessProgram(servers: string): string {
  return `import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

const serve = "require('node:http').createServer().listen(0, '127.0.0.1')";
const server = spawn(process.execPath, ['-e', serve], { detached: true, stdio: 'ignore' });
server.unref();
appendFileSync(${JSON.stringify(servers)}, server.pid + ' ');
`;
}

/**
 * Two lanes to take care of. `rounding` is done at once, and its gate runs the careless program. The agent of `import`
 * is at work for `seconds`.
 */
export function carePlan({ seconds }: { seconds: number }): string {
  return `version: 1
name: care
base: main
gate:
  - name: notes
    timeout: 1m
    run: ls notes && node scripts/watch.mjs
jobs:
  - id: rounding
    kind: demo
    prompt: |
      Write down how amounts are rounded.

      \`\`\`demo
      - say: Looking at the notes
      - write: { path: notes/rounding.md, content: "Half up\\n" }
      - say: Noted
      \`\`\`
    paths: [notes/rounding*.md]
  - id: import
    kind: demo
    prompt: |
      Write down how amounts are imported.

      \`\`\`demo
      - say: Looking at the notes
      - wait: ${seconds}
      \`\`\`
    paths: [notes/import*.md]
`;
}
