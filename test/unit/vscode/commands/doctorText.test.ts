import assert from 'node:assert/strict';
import type { DoctorReport } from '../../../../src/engine/agentKit.ts';
import { render } from '../sampleRuns.ts';

const { doctorText } = await import('../../../../src/vscode/commands/doctorText.ts');

const healthy: DoctorReport = {
  node: '24.22.3',
  git: '2.47.1',
  kinds: {},
  accounts: [],
  keys: [],
  permissions: 'auto',
  repository: '/repository',
  findings: [],
};

describe('doctorText', () => {
  it('says what is wrong first, each with the command that cures it', () => {
    const findings: DoctorReport['findings'] = [
      {
        about: 'kind',
        severity: 'note',
        message: 'Codex is not installed',
        cure: 'npm install -g @openai/codex',
      },
      {
        about: 'account',
        severity: 'problem',
        message: 'claude/@work2 is not logged in',
        cure: 'claude auth login',
      },
    ];
    const text = doctorText({ ...healthy, findings }, render);
    assert.match(
      text,
      /One thing is wrong\.\n\n## What is wrong\n\n- claude\/@work2 is[^\n]*\n\n {6}claude auth login\n/,
    );
    assert.ok(text.indexOf('What is wrong') < text.indexOf('Worth knowing'));
  });

  it('says that nothing is wrong, and has no empty sections', () => {
    const text = doctorText(healthy, render);
    assert.match(text, /Nothing is wrong\./);
    assert.doesNotMatch(text, /What is wrong|Worth knowing|## Accounts/);
  });

  it('lets nothing that was found become markup', () => {
    const message = '[x](command:y) <img src=z> `code`';
    const text = doctorText(
      { ...healthy, findings: [{ about: 'folder', severity: 'problem', message, cure: '[a](command:b)' }] },
      render,
    );
    assert.doesNotMatch(text, /(?<!\\)(?:\[x|<img|`code)/);
    // Indented so far it is a block of code.
    assert.match(text, /\n {6}\[a\]\(command:b\)\n/);
  });
});
