import assert from 'node:assert/strict';
import { withheldNames } from '../../../src/engine/process/childEnvironment.ts';

const withheld = [
  ...[
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_BASE_URL',
    'CLAUDECODE',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CONFIG_DIR',
    'CLAUDE_PID',
  ],
  ...[
    'CODEX_HOME',
    'CODEX_API_KEY',
    'OPENAI_API_KEY',
    'GEMINI_API_KEY',
    'GOOGLE_API_KEY',
    'GOOGLE_GEMINI_BASE_URL',
  ],
  ...[
    'OPENCODE_AUTH_CONTENT',
    'PI_CODING_AGENT_DIR',
    'GITHUB_TOKEN',
    'GH_TOKEN',
    'GH_ENTERPRISE_TOKEN',
    'GITLAB_TOKEN',
  ],
  ...[
    'GITLAB_PRIVATE_TOKEN',
    'CI_JOB_TOKEN',
    'GIT_ASKPASS',
    'GIT_DIR',
    'GIT_INDEX_FILE',
    'ELECTRON_RUN_AS_NODE',
  ],
  ...['VSCODE_IPC_HOOK_CLI', 'AGENTKIT_ATTEMPT', 'AGENTKIT_LANE', 'AGENTKIT_RUN', 'AGENTKIT_ACTIVE_ACCOUNT'],
];

const passed = [
  ...[
    'PATH',
    'HOME',
    'HTTPS_PROXY',
    'no_proxy',
    'JAVA_HOME',
    'SSH_AUTH_SOCK',
    'LANG',
    'NPM_TOKEN',
    'NODE_OPTIONS',
  ],
  ...[
    'GITHUB_ACTIONS',
    'GITHUB_REPOSITORY',
    'GIT_AUTHOR_NAME',
    'GIT_SSH_COMMAND',
    'GOOGLE_APPLICATION_CREDENTIALS',
  ],
  ...['AGENTKIT_PERMISSIONS', 'AGENTKIT_PROFILES_DIR', 'CLAUDETTE', 'MY_OPENAI_THING', 'EDITOR', 'PI'],
];

describe('withheldNames', () => {
  for (const name of withheld) {
    it(`withholds ${name}`, () => assert.deepEqual(withheldNames({ [name]: 'x', PATH: '/bin' }), [name]));
  }

  for (const name of passed) {
    it(`passes ${name}`, () => assert.deepEqual(withheldNames({ [name]: 'x' }), []));
  }

  it('withholds NODE_OPTIONS only when they load the debugger of the editor', () => {
    const loader = { NODE_OPTIONS: '--require /x/ms-vscode.js-debug/bootloader.js' };
    assert.deepEqual(withheldNames(loader), ['NODE_OPTIONS']);
    const inspected = { NODE_OPTIONS: '--require x', VSCODE_INSPECTOR_OPTIONS: '{}' };
    assert.deepEqual(withheldNames(inspected), ['NODE_OPTIONS', 'VSCODE_INSPECTOR_OPTIONS']);
    assert.deepEqual(withheldNames({ NODE_OPTIONS: '--max-old-space-size=8192' }), []);
  });
});
