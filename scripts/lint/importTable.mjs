// @ts-check
// Who may import whom: the rows of the import table, and the owners of each library with effects.

/**
 * @typedef {object} Room
 * @property {string} folder Folder or file below the root that the row is about.
 * @property {string[]} code Folders and files whose code it may import; its own is always allowed.
 * @property {string[]} [types] Folders and files of which it may import types only.
 * @property {string[]} packages npm packages it may import, with their subpaths.
 * @property {string[] | 'all'} builtins Node built-ins it may import.
 */

/** Built-ins that compute and touch nothing. */
const pureBuiltins = ['node:path'];

/** The error class that every room throws and asks for its reason. */
const errorClass = 'src/core/agentKitError.ts';

/**
 * What the heads need beside types: to ask an error's reason, to name an account or a lane and show an account's
 * headroom, to read, check and write the text of plans, to word a report, and to show foreign text as text. What happens in a run they learn from the facade.
 */
const coreForHeads = [
  errorClass,
  'src/core/accounts/account.ts',
  'src/core/accounts/headroomOf.ts',
  'src/core/accounts/personSettings.ts',
  'src/core/lanes/laneAddress.ts',
  'src/core/plan',
  'src/core/run/renderReport.ts',
  'src/core/safety/escapeMarkdown.ts',
  'src/core/safety/posture.ts',
];

const facade = 'src/engine/agentKit.ts';
/** The accounts by themselves, which need no repository. */
const accountsFacade = 'src/engine/createAccounts.ts';
/** The choice of an account alone, which is loaded quickly. */
const pickFacade = 'src/engine/createPicker.ts';
/** The person's own words on this machine, and its health; no repository is needed either. */
const machineFacade = 'src/engine/createMachine.ts';
/** Single agents; no repository is needed either. */
const agentRunsFacade = 'src/engine/createAgentRuns.ts';
/** What makes the next start of `ak` quicker. */
const compiledCode = 'src/engine/keepCompiled.ts';
const facadeTypes = 'src/engine/agentKitTypes.ts';

/** What the rooms of the editor head stand on: of each other's other parts they know types only. */
const editorBase = [
  'src/vscode/platform',
  'src/vscode/stores',
  'src/vscode/commands/commandTable.ts',
  'src/vscode/commands/laneArgument.ts',
];

/** @type {Omit<Room, 'folder'>} */
const editorRoom = {
  code: [...editorBase, ...coreForHeads, 'src/ids.ts'],
  types: ['src/core', facade, facadeTypes, 'src/vscode'],
  packages: ['vscode'],
  builtins: 'all',
};

/** The board alone speaks the page's protocol and edits YAML. */
const boardRoom = {
  ...editorRoom,
  folder: 'src/vscode/board',
  code: [...editorRoom.code, 'src/protocol'],
  packages: ['vscode', 'yaml'],
};

/**
 * Beside these, every folder in src/vscode is a room of its own.
 *
 * @type {Room[]}
 */
const rows = [
  { folder: 'src/core', code: [], packages: ['zod', 'yaml', 'picomatch'], builtins: pureBuiltins },
  { folder: 'src/protocol', code: [], types: ['src/core'], packages: ['zod'], builtins: [] },
  { folder: 'src/engine', code: ['src/core'], packages: ['zod', 'yaml', 'picomatch'], builtins: 'all' },
  {
    folder: 'src/cli',
    code: [facade, compiledCode, accountsFacade, pickFacade, machineFacade, agentRunsFacade, ...coreForHeads],
    types: ['src/core', facadeTypes],
    packages: ['commander', 'zod'],
    builtins: 'all',
  },
  // extension.ts and files directly in src/vscode put the rooms together.
  { folder: 'src/vscode', ...editorRoom },
  { folder: 'src/extension.ts', ...editorRoom, code: [...editorRoom.code, 'src/vscode'] },
  { folder: 'src/ids.ts', code: [], packages: [], builtins: [] },
  {
    folder: 'webview',
    code: ['src/protocol'],
    packages: ['lit', '@vscode/codicons', 'vscode-webview'],
    builtins: [],
  },
];

/**
 * Packages and built-ins with one owner: these folders and files may import them whatever their row says, and nobody
 * else in src and webview may.
 *
 * @type {Record<string, string[]>}
 */
export const owners = {
  'node:child_process': ['src/engine/git', 'src/engine/process', 'src/cli/ensureNode.ts'],
  'node:sqlite': ['src/engine/store'],
  'write-file-atomic': ['src/engine/store'],
  '@vscode/webview-ui-toolkit': ['webview/shared/controls.ts'],
};

/**
 * @param {string} file Path from the root.
 * @param {string} place Folder or file.
 */
export function isIn(file, place) {
  return file === place || file.startsWith(`${place}/`);
}

/**
 * The row that a file falls under.
 *
 * @param {string} file Path from the root.
 * @returns {Room | undefined} Undefined for files that the table leaves free (scripts, tests).
 */
export function findRoom(file) {
  const folder = /^src\/vscode\/[^/]+(?=\/)/.exec(file)?.[0];
  if (folder) return folder === boardRoom.folder ? boardRoom : { ...editorRoom, folder };
  return rows.find((row) => isIn(file, row.folder));
}
