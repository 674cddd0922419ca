import { ESLint } from 'eslint';
import assert from 'node:assert/strict';
import path from 'node:path';
import tseslint from 'typescript-eslint';

/** The project's own configuration without the rules that need types: those do not know a file that is only text. */
const eslint = new ESLint({
  cwd: path.resolve(import.meta.dirname, '..', '..'),
  overrideConfig: [tseslint.configs.disableTypeChecked] as never,
});

interface Case {
  file: string;
  refused: string;
  allowed: string;
}

const imports: Record<string, Case> = {
  'core does not know the engine': {
    file: 'src/core/run/fold.ts',
    refused: `import { git } from '../../engine/git/plumbing.ts';`,
    allowed: `import { pick } from '../accounts/pickAccounts.ts';`,
  },
  'core does not even know types of the engine': {
    file: 'src/core/run/fold.ts',
    refused: `import type { Git } from '../../engine/git/plumbing.ts';`,
    allowed: `import type { Account } from '../accounts/account.ts';`,
  },
  'core does not re-export a head': {
    file: 'src/core/run/fold.ts',
    refused: `export * from '../../cli/main.ts';`,
    allowed: `export * from '../lanes/laneState.ts';`,
  },
  'core has no effects': {
    file: 'src/core/run/fold.ts',
    refused: `import fs from 'node:fs';`,
    allowed: `import path from 'node:path';`,
  },
  'core finds no effect without the prefix either': {
    file: 'src/core/run/fold.ts',
    refused: `import { readFile } from 'fs/promises';`,
    allowed: `import { z } from 'zod';`,
  },
  'core does not load an effect on the way': {
    file: 'src/core/run/fold.ts',
    refused: `export const os = () => import('node:os');`,
    allowed: `export const zod = () => import('zod');`,
  },
  'core does not know the editor': {
    file: 'src/core/run/fold.ts',
    refused: `import * as vscode from 'vscode';`,
    allowed: `import picomatch from 'picomatch';`,
  },
  'the engine does not know the command line': {
    file: 'src/engine/conductor/act.ts',
    refused: `import { print } from '../../cli/print.ts';`,
    allowed: `import { decide } from '../../core/run/decide.ts';`,
  },
  'the engine does not know the editor': {
    file: 'src/engine/conductor/act.ts',
    refused: `import { store } from '../../vscode/stores/laneStore.ts';`,
    allowed: `import { openJournal } from '../store/journal.ts';`,
  },
  'the engine does not know VS Code': {
    file: 'src/engine/conductor/act.ts',
    refused: `import type { Uri } from 'vscode';`,
    allowed: `import { parse } from 'yaml';`,
  },
  'only engine/store holds locks': {
    file: 'src/engine/git/plumbing.ts',
    refused: `import { DatabaseSync } from 'node:sqlite';`,
    allowed: `import { spawn } from 'node:child_process';`,
  },
  'the conductor starts no process by itself': {
    file: 'src/engine/conductor/act.ts',
    refused: `import { spawn } from 'node:child_process';`,
    allowed: `import { rm } from 'node:fs/promises';`,
  },
  'the command line has only the facade of the engine': {
    file: 'src/cli/commands/pick.ts',
    refused: `import { git } from '../../engine/git/plumbing.ts';`,
    allowed: `import { createAgentKit } from '../../engine/agentKit.ts';`,
  },
  'the command line takes types of core': {
    file: 'src/cli/commands/pick.ts',
    refused: `import { decide } from '../../core/run/decide.ts';`,
    allowed: `import { type RunState } from '../../core/run/runState.ts';`,
  },
  'the command line does not know the editor': {
    file: 'src/cli/commands/pick.ts',
    refused: `import { lanes } from '../../vscode/views/lanesTree.ts';`,
    allowed: `import { Command } from 'commander';`,
  },
  'a room of the editor does not reach into another': {
    file: 'src/vscode/views/lanesTree.ts',
    refused: `import { LaneTerminals } from '../terminals/laneTerminals.ts';`,
    allowed: `import { LaneStore } from '../stores/laneStore.ts';`,
  },
  'a room that is new is one too': {
    file: 'src/vscode/plan/fanOut.ts',
    refused: `import { registerBoard } from '../board/registerBoard.ts';`,
    allowed: `import type { Boards } from '../board/registerBoard.ts';`,
  },
  'the heads read plans, and leave runs to the engine': {
    file: 'src/vscode/board/boardModel.ts',
    refused: `import { fold } from '../../core/run/fold.ts';`,
    allowed: `import { parsePlan } from '../../core/plan/parsePlan.ts';`,
  },
  'the editor does not know the parts of the engine': {
    file: 'src/vscode/stores/laneStore.ts',
    refused: `import { openJournal } from '../../engine/store/journal.ts';`,
    allowed: `import type { AgentKit } from '../../engine/agentKitTypes.ts';`,
  },
  'the editor takes the facade as a type, for it is loaded late': {
    file: 'src/vscode/platform/engine.ts',
    refused: `import { createAgentKit } from '../../engine/agentKit.ts';`,
    allowed: `import type { createAgentKit } from '../../engine/agentKit.ts';`,
  },
  'only the board speaks its protocol': {
    file: 'src/vscode/views/lanesTree.ts',
    refused: `import type { ToPage } from '../../protocol/boardMessages.ts';`,
    allowed: `import type { LaneView } from '../../core/lanes/laneView.ts';`,
  },
  'the board speaks it': {
    file: 'src/vscode/board/planBoardEditor.ts',
    refused: `import { draw } from '../../../webview/view/board.ts';`,
    allowed: `import { toPageSchema } from '../../protocol/boardMessages.ts';`,
  },
  'the protocol has only types of core': {
    file: 'src/protocol/boardMessages.ts',
    refused: `import { decide } from '../core/run/decide.ts';`,
    allowed: `import type { LaneView } from '../core/lanes/laneView.ts';`,
  },
  'the protocol has no library but zod': {
    file: 'src/protocol/boardMessages.ts',
    refused: `import path from 'node:path';`,
    allowed: `import { z } from 'zod';`,
  },
  'the page knows nothing of src but the protocol': {
    file: 'webview/view/card.ts',
    refused: `import type { LaneView } from '../../src/core/lanes/laneView.ts';`,
    allowed: `import type { ToPage } from '../../src/protocol/boardMessages.ts';`,
  },
  'the page runs in a browser': {
    file: 'webview/view/card.ts',
    refused: `import path from 'node:path';`,
    allowed: `import { repeat } from 'lit/directives/repeat.js';`,
  },
  'the page does not know VS Code': {
    file: 'webview/view/card.ts',
    refused: `import type { Uri } from 'vscode';`,
    allowed: `import { html } from 'lit';`,
  },
};

for (const [name, { file, refused, allowed }] of Object.entries(imports)) {
  describe(`import rules: ${name}`, () => {
    it('refuses', async () => assert.deepEqual(await violations(file, refused), ['agentkit/imports']));
    it('allows', async () => assert.deepEqual(await violations(file, allowed), []));
  });
}

describe('import rules: one file has the toolkit', () => {
  const toolkit = `import { provideVSCodeDesignSystem } from '@vscode/webview-ui-toolkit/dist/toolkit.js';`;
  it('refuses the others', async () => {
    assert.deepEqual(await violations('webview/view/card.ts', toolkit), ['agentkit/imports']);
  });
  it('allows that one', async () =>
    assert.deepEqual(await violations('webview/shared/controls.ts', toolkit), []));
});

const purity: Record<string, Case & { rule: string }> = {
  'core reads no clock': {
    rule: 'no-restricted-properties',
    file: 'src/core/run/decide.ts',
    refused: 'export const now = Date.now();',
    allowed: `export const at = Date.parse('2026-01-01T00:00:00Z');`,
  },
  'core makes no date of now': {
    rule: 'no-restricted-syntax',
    file: 'src/core/run/decide.ts',
    refused: 'export const now = new Date();',
    allowed: 'export const at = (time: number) => new Date(time);',
  },
  'core does not know its process': {
    rule: 'no-restricted-globals',
    file: 'src/core/run/decide.ts',
    refused: 'export const home = process.env;',
    allowed: 'export const home = (env: Record<string, string>) => env;',
  },
  'nobody ends the process': {
    rule: 'no-restricted-properties',
    file: 'src/cli/commands/pick.ts',
    refused: `import process from 'node:process';\nprocess.exit(1);`,
    allowed: `import process from 'node:process';\nprocess.exitCode = 1;`,
  },
};

for (const [name, { rule, file, refused, allowed }] of Object.entries(purity)) {
  describe(`rules: ${name}`, () => {
    it('refuses', async () => assert.deepEqual(await violations(file, refused), [rule]));
    it('allows', async () => assert.deepEqual(await violations(file, allowed), []));
  });
}

describe('rules: the entry of `ak`', () => {
  it('alone may end the process', async () => {
    const exit = `import process from 'node:process';\nprocess.exit(1);`;
    assert.deepEqual(await violations('src/cli/main.ts', exit), []);
    assert.deepEqual(await violations('src/cli/print.ts', exit), ['no-restricted-properties']);
  });
});

/** The rules that a file of this content breaks, but for names that the content imports and does not use. */
async function violations(file: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: file });
  return result!.messages
    .map(({ ruleId, message }) => ruleId ?? message)
    .filter((rule) => !rule.endsWith('no-unused-vars'));
}
