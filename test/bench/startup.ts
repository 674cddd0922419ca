// How long `ak` takes as a whole process, against a bare node that does nothing.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DemoWorld } from '../engine/conductor/demoWorld.ts';
import { compare, timeProcess } from './compare.ts';

const dist = join(import.meta.dirname, '..', '..', 'dist');
const world = new DemoWorld(['one', 'two', 'three']);
const options = { cwd: world.repo, env: world.environment as NodeJS.ProcessEnv };
const bareNode = { name: 'bare node', run: () => timeProcess(process.execPath, ['-e', '0'], options) };
const ak = (...args: string[]) => ({
  name: `ak ${args.join(' ')}`,
  run: () => timeProcess(process.execPath, [join(dist, 'ak.js'), ...args], options),
});

await compare(15, ak('--help'), bareNode);
await compare(15, ak('pick', 'demo', '--json'), bareNode);
for (const file of ['extension.js', 'agentKit.js', 'ak.js', 'supervisor.js', 'demoAgent.js', 'board.js']) {
  console.log(`dist/${file}: ${(statSync(join(dist, file)).size / 1024).toFixed(0)} KiB`);
}
await world.dispose();
