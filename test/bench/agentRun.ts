// What `ak run` costs over the CLI that it starts, and how much memory it takes with a long stream. The CLI is a
// stand-in that replays a recorded stream: no AI.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { recorded } from '../engine/agents/claude/recorded.ts';
import { RunWorld } from '../engine/agentRuns/runWorld.ts';
import { compare, timeProcess } from './compare.ts';

const world = new RunWorld();
const env = world.environment as NodeJS.ProcessEnv;
const options = { cwd: world.repo, env, input: 'x' };
const ak = join(import.meta.dirname, '..', '..', 'dist', 'ak.js');
const akRun = ['run', 'claude', '@work', '--json', '--quiet', '--', '-'];
const standIn = join(world.standIn.folder, 'claude');

const whole = {
  name: 'ak run of a stand-in',
  run: () => timeProcess(process.execPath, [ak, ...akRun], options),
};
await compare(9, whole, {
  name: 'the stand-in alone',
  run: () => timeProcess(standIn, ['--print'], options),
});
// The stand-in ends at once, so what it is compared with is how long any program of Node takes to start.
await compare(9, whole, {
  name: 'bare node',
  run: () => timeProcess(process.execPath, ['-e', '0'], options),
});

const line = recorded('success.jsonl').split('\n')[1] ?? '';
const shapes = {
  'records of an agent': `${line.replace('Hello from the model.', 'word '.repeat(160))}\n`,
  'bytes without a line end': 'x'.repeat(1024),
};
for (const [name, unit] of Object.entries(shapes)) {
  const small = await peakOf(unit, 10);
  const middle = await peakOf(unit, 100);
  const large = await peakOf(unit, 1024);
  for (const part of ['ak', 'supervisor'] as const) {
    const [a, b, c] = [small, middle, large].map((each) => `${(each[part] / 1024).toFixed(0)} MiB`);
    const ratios = `${(large[part] / small[part]).toFixed(2)} to 10 MB, ${(large[part] / middle[part]).toFixed(2)} to 100 MB`;
    console.log(`memory of ${part}, ${name}: 10 MB ${a}, 100 MB ${b}, 1 GB ${c}; ratio ${ratios}`);
  }
  console.log(`  1 GB of it took ${large.seconds.toFixed(1)} s`);
}
await world.dispose();

/** Largest resident memory of both processes in KiB while that many MB of stream come in. */
async function peakOf(unit: string, megabytes: number) {
  world.answer({
    during: `
      const unit = ${JSON.stringify(unit)};
      const chunk = Buffer.from(unit.repeat(Math.ceil(1e6 / Buffer.byteLength(unit))));
      const put = (bytes) => { for (let at = 0; at < bytes.length; ) at += fs.writeSync(1, bytes, at); };
      for (let left = ${megabytes}; left > 0; left--) put(chunk);
      put(Buffer.from('\\n' + ${JSON.stringify(recorded('success.jsonl'))}));`,
  });
  const begun = performance.now();
  const { child, ended } = world.begin(akRun, { input: 'x' });
  let done = false;
  void ended.then(() => (done = true));
  const peak = { ak: 0, supervisor: 0, seconds: 0 };
  while (!done) {
    const supervisor = world.processes().find(({ command }) => command.includes('supervisor.js'));
    peak.ak = Math.max(peak.ak, residentPeak(child.pid));
    peak.supervisor = Math.max(peak.supervisor, residentPeak(supervisor?.pid));
    await wait(50);
  }
  const { code, out } = await ended;
  if (code !== 0) throw new Error(`ak run exited with ${code}: ${out}`);
  peak.seconds = (performance.now() - begun) / 1000;
  return peak;
}

/** In KiB; 0 for a process that has ended. */
function residentPeak(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
