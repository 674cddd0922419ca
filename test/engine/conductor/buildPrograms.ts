import { buildSync } from 'esbuild';
import { join } from 'node:path';

const engine = join(import.meta.dirname, '..', '..', '..', 'src', 'engine');
const shared = { bundle: true, platform: 'node', target: 'node22', logLevel: 'error' } as const;

/**
 * Builds our programs and one of a test into a folder, for tests that start very many of them: reading the sources takes
 * several times as long. Returns the file of the test's program, beside `supervisor.js` and `demoAgent.js`.
 */
export function buildPrograms(folder: string, program: string): string {
  buildSync({
    ...shared,
    format: 'cjs',
    entryPoints: [join(engine, 'process', 'supervisor.ts'), join(engine, 'agents', 'demoAgent.ts')],
    entryNames: '[name]',
    outdir: folder,
  });
  const outfile = join(folder, 'program.mjs');
  buildSync({
    ...shared,
    format: 'esm',
    entryPoints: [program],
    outfile,
    // What packages that are no modules expect.
    banner: {
      js:
        "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" +
        'const __filename = import.meta.filename;',
    },
  });
  return outfile;
}
