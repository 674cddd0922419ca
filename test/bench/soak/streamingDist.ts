import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Milliseconds between two lines of an agent. */
const everyMs = 50;

/** Makes the built supervisor start agents that stream until a file is there. */
export function streamingDist(dist: string, stopFile: string): void {
  copyFileSync(
    join(import.meta.dirname, '..', '..', '..', 'dist', 'supervisor.js'),
    join(dist, 'supervisor.js'),
  );
  const usage = { input_tokens: 0, output_tokens: 0, cost_usd: 0 };
  writeFileSync(
    join(dist, 'demoAgent.js'),
    `
const { existsSync, writeFileSync } = require('node:fs');
const print = (line) => process.stdout.write(JSON.stringify(line) + '\\n');
print({ type: 'init', session_id: 'streams-' + process.pid });
let count = 0;
const timer = setInterval(() => {
  count += 1;
  print({ type: 'text', text: 'Line ' + count + ' of what an agent says while it works: ' + 'word '.repeat(20) });
  if (!existsSync(${JSON.stringify(stopFile)})) return;
  clearInterval(timer);
  const job = require('node:path').basename(process.cwd());
  writeFileSync(job + '.txt', 'streamed\\n');
  print({ type: 'result', ok: true, text: 'Streamed ' + count + ' lines.', usage: ${JSON.stringify(usage)} });
}, ${everyMs});
`,
  );
}
