import assert from 'node:assert/strict';
import { workspace } from '../fakeEditor.ts';

const { askedInSettings, copiesInSettings } = await import('../../../../src/vscode/platform/settings.ts');

describe('where the settings tell agents to ask', () => {
  /** Stands in for the configuration: what is said at each level, and for a folder of the workspace. */
  function say(levels: object, ofFolder: object = {}): void {
    const inspect = (place: unknown) => (id: string) => {
      assert.equal(id, 'agentkit.permissions');
      return { key: id, defaultValue: 'auto', ...levels, ...(place !== undefined && ofFolder) };
    };
    const getConfiguration = (_section: undefined, place?: unknown) => ({ inspect: inspect(place) });
    Object.assign(workspace, { getConfiguration });
  }
  after(() => Object.assign(workspace, { getConfiguration: undefined }));

  it('is nowhere while nobody says so', () => {
    say({});
    assert.equal(askedInSettings(), null);
    say({ globalValue: 'auto', workspaceValue: 'auto', workspaceFolderValue: undefined });
    assert.equal(askedInSettings(), null);
  });

  it('is any level that says so, and no other level takes it back', () => {
    const all = { globalValue: 'auto', workspaceValue: 'auto', globalRemoteValue: 'auto' };
    for (const level of ['globalValue', 'workspaceValue', 'globalLocalValue', 'globalRemoteValue']) {
      say({ ...all, [level]: 'ask' });
      assert.equal(askedInSettings(), 'agentkit.permissions in the settings', level);
    }
    say(all, { workspaceFolderValue: 'ask' });
    assert.notEqual(askedInSettings(), null);
  });

  it('is also where the word is misspelt', () => {
    for (const slip of ['Ask', 'asks', '', true, null]) {
      say({ globalValue: slip });
      assert.notEqual(askedInSettings(), null, String(slip));
    }
  });
});

describe('what VS Code copies into new worktrees', () => {
  const of = (said: unknown) => {
    const getConfiguration = (_section: undefined, place: { fsPath: string }) => ({
      get: (id: string) =>
        id === 'git.worktreeIncludeFiles' && place.fsPath === '/repository' ? said : undefined,
    });
    Object.assign(workspace, { getConfiguration });
    return copiesInSettings('/repository');
  };
  after(() => Object.assign(workspace, { getConfiguration: undefined }));

  it('is what the setting says for the repository', () => {
    assert.deepEqual(of(['.env', '**/*.local.json']), ['.env', '**/*.local.json']);
  });

  it('is nothing where it says nothing, or something else than globs', () => {
    for (const said of [undefined, null, '.env', [], [7, null, '../secrets/**', '/etc/passwd']])
      assert.deepEqual(of(said), [], JSON.stringify(said));
  });
});
