import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const source = new URL('../../../src/engine/', import.meta.url);

/** Makes a folder that stands in for dist/: our programs, run from their sources without a build. */
export function makeSourceDist(folder: string): string {
  const dist = join(folder, 'dist');
  mkdirSync(dist, { recursive: true });
  writeFileSync(
    join(dist, 'supervisor.js'),
    `import(${JSON.stringify(new URL('process/supervisor.ts', source).href)});\n`,
  );
  writeFileSync(
    join(dist, 'demoAgent.js'),
    `import(${JSON.stringify(new URL('agents/demoAgent.ts', source).href)});\n`,
  );
  return dist;
}
