// @ts-check
// Takes the README's pictures from what the last `npm run test:ui` left: real pictures of the product.
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './toolchain.mjs';

/** Picture of the README by station of a journey. */
const pictures = {
  'journey-02-preview.png': 'preview.png',
  'journey-10-judged.png': 'board.png',
  'journey-12-merge-plan.png': 'merge.png',
  'care-04-discarded.png': 'discard.png',
  'journey-accounts-08-session.png': 'accounts.png',
};

const target = path.join(repositoryRoot, 'media', 'readme');
mkdirSync(target, { recursive: true });
for (const [from, to] of Object.entries(pictures)) {
  copyFileSync(path.join(repositoryRoot, 'test-results', from), path.join(target, to));
}
