// How long `ak` takes as a whole process, against a bare node that does nothing. Help should take at most 1.3 times as
// long, and the choice of an account 1.6 times.
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { changeUsageCache } from '../../src/engine/accounts/usageCache.ts';
import { DemoWorld } from '../engine/conductor/demoWorld.ts';
import { compare, timeProcess } from './compare.ts';

const rounds = 21;
const dist = join(import.meta.dirname, '..', '..', 'dist');
const world = new DemoWorld(['one', 'two', 'three']);
const options = { cwd: world.repo, env: world.environment as NodeJS.ProcessEnv };
const bareNode = { name: 'bare node', run: () => timeProcess(process.execPath, ['-e', '0'], options) };
const ak = (...args: string[]) => ({
  name: `ak ${args.join(' ')}`,
  run: () => timeProcess(process.execPath, [join(dist, 'ak.js'), ...args], options),
});

// Two accounts of a vendor, and one in the CLI's own home where that is installed, all of them read just now.
for (const name of ['one', 'two'])
  mkdirSync(join(world.root, 'profiles', 'claude', name), { recursive: true, mode: 0o700 });
const now = new Date().toISOString();
const week = { id: 'weekly', label: 'Week', seconds: 604_800, used_pct: 30, free_pct: 70 };
const resets_at = new Date(Date.now() + 86_400_000).toISOString();
await changeUsageCache(join(world.root, 'state', 'agentkit'), (entries) => {
  for (const name of ['@default', '@one', '@two'])
    entries.set(`claude/${name}`, {
      status: 'ok',
      asked_at: now,
      read_at: now,
      windows: [{ ...week, resets_at }],
    });
});

await compare(rounds, ak('--help'), bareNode);
await compare(rounds, ak('pick', 'demo', '--json'), bareNode);
await compare(rounds, ak('pick', 'claude', '--json'), bareNode);
// As a first start, or where nothing may be kept of what Node compiled.
options.env['NODE_DISABLE_COMPILE_CACHE'] = '1';
await compare(rounds, { ...ak('pick', 'claude', '--json'), name: 'the same, nothing kept' }, bareNode);

const sizeOf = (files: readonly string[]) =>
  (files.reduce((sum, file) => sum + statSync(join(dist, file)).size, 0) / 1024).toFixed(0);
for (const file of [
  'extension.js',
  'agentKit.js',
  'ak.js',
  'ak-pick.js',
  'supervisor.js',
  'demoAgent.js',
  'board.js',
])
  console.log(`dist/${file}: ${sizeOf([file])} KiB`);
const pieces = readdirSync(dist).filter((file) => /^ak(-.*)?\.js$/.test(file));
console.log(`all of ak, files ${pieces.length}: ${sizeOf(pieces)} KiB`);
await world.dispose();
