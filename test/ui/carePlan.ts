/**
 * Two lanes to take care of. `rounding` is done at once, and its gate leaves a server behind each time, as a careless
 * test does; the id of that process is added to `servers`. The agent of `import` is at work for `seconds`.
 */
export function carePlan({ seconds, servers }: { seconds: number; servers: string }): string {
  return `version: 1
name: care
base: main
gate:
  - name: notes
    timeout: 1m
    run: |
      ls notes
      node -e "
        const serve = 'require(\\'node:http\\').createServer().listen(0, \\'127.0.0.1\\')';
        const options = { detached: true, stdio: 'ignore' };
        const server = require('node:child_process').spawn(process.execPath, ['-e', serve], options);
        server.unref();
        require('node:fs').appendFileSync('${servers}', server.pid + ' ');
      "
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
