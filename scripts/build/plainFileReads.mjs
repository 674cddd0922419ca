// @ts-check
import * as filePromises from 'node:fs/promises';

/** What is done at once. */
const reads = ['readFile', 'readdir', 'stat', 'lstat', 'mkdir'];

/** Everything else that can be called. */
const others = Object.entries(filePromises).flatMap(([name, value]) =>
  typeof value === 'function' && !reads.includes(name) ? [name] : [],
);

const contents = `
const fs = require('node:fs');
for (const name of ${JSON.stringify(reads)})
  exports[name] = async (...args) => fs[name + 'Sync'](...args);
for (const name of ${JSON.stringify(others)})
  exports[name] = (...args) => process.getBuiltinModule('node:fs/promises')[name](...args);
`;

/**
 * For a program that does one thing at a time and ends: `node:fs/promises`, which takes long to load and sends each
 * small read through a pool of threads, with its reads done at once. The rest of it is loaded when it is used.
 *
 * @type {import('esbuild').Plugin}
 */
export const plainFileReads = {
  name: 'plain-file-reads',
  setup({ onResolve, onLoad }) {
    const namespace = 'plain-file-reads';
    onResolve({ filter: /^node:fs\/promises$/ }, ({ path }) => ({ path, namespace }));
    onLoad({ filter: /.*/, namespace }, () => ({ contents }));
  },
};
