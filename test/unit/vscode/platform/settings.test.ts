import assert from 'node:assert/strict';
import { workspace } from '../fakeEditor.ts';

const { askedInSettings } = await import('../../../../src/vscode/platform/settings.ts');

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
