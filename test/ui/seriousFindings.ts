import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { repositoryRoot } from '../../scripts/toolchain.mjs';

const axe = path.join(repositoryRoot, 'node_modules', 'axe-core', 'axe.min.js');

/** What axe finds serious or critical on a page, each with its element. */
export async function seriousFindings(page: Page | Frame): Promise<string[]> {
  await page.evaluate(await readFile(axe, 'utf8'));
  return page.evaluate<string[]>(`axe.run().then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, any }) => id + ': ' + html.slice(0, 160) + ' ' + (any[0]?.message ?? ''))))`);
}
