import { build } from 'esbuild';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';

const icons = ['codicon.css', 'codicon.ttf'];

/**
 * Builds the board page into a folder: board.js, board.css and the icon font.
 * @param {{ root: string, outdir: string, production: boolean }} options `root` is the project's folder
 */
export async function buildBoard({ root, outdir, production }) {
  const result = await build({
    entryPoints: [
      { in: join(root, 'webview/board.ts'), out: 'board' },
      { in: join(root, 'webview/board.css'), out: 'board' },
    ],
    outdir,
    bundle: true,
    minify: production,
    sourcemap: !production,
    metafile: true,
    logLevel: 'warning',
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
  });
  const from = join(root, 'node_modules/@vscode/codicons/dist');
  await Promise.all(icons.map((file) => copyFile(join(from, file), join(outdir, file))));
  return result;
}
