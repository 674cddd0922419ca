// Removes a lane and dies, as by `kill -9`, just before its n-th effect on the disk or in git.
// Arguments: the lane as JSON, and n. Ends with exit 0 when there are fewer effects. Of the files that are deleted one by
// one, a few stand for all.
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { LaneToRemove } from './removalRepository.ts';

const [request, count] = process.argv.slice(2);
let left = Number(count);

function beforeEffect(): void {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

function watched<F extends (...args: never[]) => unknown>(
  call: F,
  isEffect: (args: Parameters<F>) => boolean,
): F {
  const own = (...args: Parameters<F>) => {
    if (isEffect(args)) beforeEffect();
    return call(...args);
  };
  return own as unknown as F;
}

const always = () => true;
const some = ([path]: unknown[]) => /(README\.md|node_modules|\.trash-[0-9a-f]+)$/.test(String(path));
fs.rename = Object.assign(watched(fs.rename, always), { __promisify__: fs.rename.__promisify__ });
for (const name of ['rename', 'rm'] as const) {
  Object.assign(fs.promises, {
    [name]: watched(fs.promises[name] as (...args: unknown[]) => unknown, always),
  });
}
for (const name of ['unlinkSync', 'rmdirSync'] as const) {
  Object.assign(fs, { [name]: watched(fs[name] as (...args: unknown[]) => unknown, some) });
}
const changes = ['unlock', 'remove', 'update-ref'];
Object.assign(childProcess, {
  spawn: watched(childProcess.spawn as (...args: unknown[]) => unknown, ([, args]) =>
    changes.some((word) => Array.isArray(args) && args.includes(word)),
  ),
});
syncBuiltinESMExports();

const { removeLane } = await import('../../../src/engine/removal/removeLane.ts');
await removeLane(JSON.parse(request!) as LaneToRemove);
