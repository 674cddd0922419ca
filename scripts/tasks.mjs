// @ts-check
// What each npm script runs: Node command lines, one after another, all under Node 24.

const tsc = 'node_modules/typescript/bin/tsc';

/**
 * Test files are TypeScript that Node runs as it is.
 *
 * @param {string} tier Folder below `test/`.
 * @param {number} timeout Of one test, in seconds, where it sets none of its own.
 * @param {...string} more Options of Mocha.
 */
const mocha = (tier, timeout, ...more) => [
  'node_modules/mocha/bin/mocha.js',
  ...['--forbid-only', '--reporter', 'scripts/countingReporter.cjs', '--timeout', `${timeout}s`],
  ...more,
  `test/${tier}/**/*.test.ts`,
];

/** @type {Record<string, string[][]>} */
export const tasks = {
  build: [['esbuild.mjs']],
  // What ships: small, without source maps.
  bundle: [['esbuild.mjs', '--production']],
  typecheck: [
    [tsc, '-p', '.'],
    [tsc, '-p', 'test'],
    [tsc, '-p', 'webview'],
  ],
  lint: [
    ['node_modules/eslint/bin/eslint.js', '--max-warnings', '0', '.'],
    ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
    ['node_modules/knip/bin/knip.js', '--no-config-hints'],
  ],
  unit: [mocha('unit', 10)],
  // Its tests wait for real processes more than they work, so two files go side by side.
  engine: [mocha('engine', 60, '--parallel', '--jobs', '2')],
  // Real agent CLIs against a model server of ours.
  agents: [['scripts/installAgentClis.mjs'], mocha('agents', 60)],
  hostTests: [['scripts/buildHostTests.mjs']],
  host: [['scripts/buildHostTests.mjs'], ['test/host/runHostTests.ts']],
  // `vsce` builds first: the manifest's `vscode:prepublish`.
  package: [
    [
      ...['node_modules/@vscode/vsce/vsce', 'package', '--no-dependencies', '--out', 'agentkit.vsix'],
      // There is no public repository that the links of the README could be rewritten to.
      ...['--allow-missing-repository', '--no-rewrite-relative-links'],
    ],
  ],
  ui: [mocha('ui', 300)],
  bench: [['scripts/runBenchmarks.mjs']],
};
