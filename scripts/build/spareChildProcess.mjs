// @ts-check

/**
 * Commander imports `node:child_process`, which takes a tenth of the start of Node, for programs of its own to run;
 * `ak` has none, so it is left to be loaded when it is used.
 *
 * @type {import('esbuild').Plugin}
 */
export const spareChildProcess = {
  name: 'spare-child-process',
  setup({ onResolve, onLoad }) {
    const namespace = 'spare-child-process';
    onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
      /[/\\]commander[/\\]/.test(importer) ? { path, namespace } : undefined,
    );
    onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: `module.exports = { get spawn() { return process.getBuiltinModule('${path}').spawn; } };`,
    }));
  },
};
