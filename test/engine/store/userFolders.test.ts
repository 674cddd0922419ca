import assert from 'node:assert/strict';
import type { AgentKitError } from '../../../src/core/agentKitError.ts';
import { userFolders } from '../../../src/engine/store/userFolders.ts';

describe('userFolders', () => {
  it('lies below HOME', () => {
    assert.deepEqual(userFolders({ HOME: '/home/me' }), {
      state: '/home/me/.local/state/agentkit',
      config: '/home/me/.config/agentkit',
      profiles: '/home/me/.local/share/agentkit/profiles',
    });
  });

  it('moves with the variables, and ignores a relative XDG_STATE_HOME', () => {
    const moved = userFolders({ HOME: '/h', XDG_STATE_HOME: '/s', AGENTKIT_PROFILES_DIR: '/p' });
    assert.deepEqual([moved.state, moved.profiles], ['/s/agentkit', '/p']);
    const ignored = userFolders({ HOME: '/h', XDG_STATE_HOME: 's', AGENTKIT_PROFILES_DIR: '' });
    assert.deepEqual(
      [ignored.state, ignored.profiles],
      ['/h/.local/state/agentkit', '/h/.local/share/agentkit/profiles'],
    );
  });

  it('says so when AGENTKIT_PROFILES_DIR is relative', () => {
    assert.throws(
      () => userFolders({ HOME: '/h', AGENTKIT_PROFILES_DIR: 'accounts' }),
      (error: AgentKitError) =>
        error.exitCode === 2 && /AGENTKIT_PROFILES_DIR is "accounts"/.test(error.message),
    );
  });

  it('says so when HOME is needed and missing', () => {
    assert.throws(
      () => userFolders({ XDG_STATE_HOME: '/s' }),
      (error: AgentKitError) => error.reason === 'usage' && /HOME is not set/.test(error.message),
    );
  });
});
