import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findExecutable } from '../findExecutable.ts';

/** What is wrong where there is none, and the cure. */
export const codexMissing =
  'Codex is not installed: there is no program "codex" on PATH; install it with: npm install -g @openai/codex';

const targets: Partial<Record<string, { name: string; triple: string }>> = {
  'linux-x64': { name: 'codex-linux-x64', triple: 'x86_64-unknown-linux-musl' },
  'linux-arm64': { name: 'codex-linux-arm64', triple: 'aarch64-unknown-linux-musl' },
  'darwin-x64': { name: 'codex-darwin-x64', triple: 'x86_64-apple-darwin' },
  'darwin-arm64': { name: 'codex-darwin-arm64', triple: 'aarch64-apple-darwin' },
};

/**
 * The native program behind the `codex` on PATH, else that one itself; null when there is none. The npm package's
 * `codex` is a script that may stay as the parent, and a signal to it need not reach the real one.
 */
export function findCodex(environment: Readonly<Record<string, string | undefined>>): string | null {
  const found = findExecutable('codex', environment);
  const target = targets[`${process.platform}-${process.arch}`];
  if (found === null || target === undefined) {
    return found;
  }
  const script = realpathSync(found);
  if (!script.endsWith(join('codex', 'bin', 'codex.js'))) {
    return found;
  }
  const wrapper = dirname(dirname(script));
  const binary = join('vendor', target.triple, 'bin', 'codex');
  const places = [
    join(wrapper, 'node_modules', '@openai', target.name, binary),
    join(dirname(wrapper), target.name, binary),
    join(wrapper, binary),
  ];
  return places.map((place) => findExecutable(place, environment)).find((place) => place !== null) ?? found;
}
