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
  ...['VSCODE_IPC_HOOK_CLI', 'AGENTKIT_ATTEMPT', 'AGENTKIT_LANE', 'AGENTKIT_RUN', 'AGENTKIT_RUN_FOLDER'],
  'AGENTKIT_ACTIVE_ACCOUNT',
];

/** Keys that Pi, OpenCode or another CLI takes for a login as soon as it finds one. */
const modelKeys = [
  ...['OPENROUTER', 'MISTRAL', 'GROQ', 'XAI', 'DEEPSEEK', 'CEREBRAS', 'AZURE_OPENAI', 'GOOGLE_GENERATIVE_AI'],
  ...[
    'AI_GATEWAY',
    'ANT_LING',
    'BASETEN',
    'FIREWORKS',
    'GOOGLE_CLOUD',
    'KIMI',
    'META',
    'MINIMAX',
    'MINIMAX_CN',
  ],
  ...['MOONSHOT', 'NVIDIA', 'QWEN_TOKEN_PLAN_TEAM_CN', 'TOGETHER', 'XIAOMI_TOKEN_PLAN_SGP', 'ZAI_CODING_CN'],
].map((vendor) => `${vendor}_API_KEY`);

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
  ...['AWS_ACCESS_KEY_ID', 'STRIPE_API_KEY', 'MY_MISTRAL_API_KEY', 'MISTRAL_API_KEY_FILE', 'XAI_API'],
  ...['AGENTKIT_PERMISSIONS', 'AGENTKIT_PROFILES_DIR', 'CLAUDETTE', 'MY_OPENAI_THING', 'EDITOR', 'PI'],
];

describe('withheldNames', () => {
  for (const name of [...withheld, ...modelKeys, 'COPILOT_GITHUB_TOKEN', 'HF_TOKEN', 'HUGGINGFACE_API_KEY']) {
    it(`withholds ${name}`, () => assert.deepEqual(withheldNames({ [name]: 'x', PATH: '/bin' }), [name]));
  }

  for (const name of passed) {
    it(`passes ${name}`, () => assert.deepEqual(withheldNames({ [name]: 'x' }), []));
  }

  it('leaves a key to the kind that was described to work with it, and no switch or login of a CLI of ours', () => {
    const environment = { MISTRAL_API_KEY: 'x', GROQ_API_KEY: 'x', ANTHROPIC_API_KEY: 'x', GH_TOKEN: 'x' };
    const needs = ['MISTRAL_API_KEY', 'ANTHROPIC_API_KEY', 'GH_TOKEN'];
    assert.deepEqual(withheldNames(environment, { needs }), [
      'ANTHROPIC_API_KEY',
      'GH_TOKEN',
      'GROQ_API_KEY',
    ]);
  });

  it('withholds what the person denies, whatever else is said, and never gives more for it', () => {
    const environment = {
      STRIPE_KEY: 'x',
      STRIPE: 'x',
      A_B: 'x',
      AXB: 'x',
      MISTRAL_API_KEY: 'x',
      OPENAI_API_KEY: 'x',
    };
    const denied = (...deny: string[]) => withheldNames(environment, { deny, needs: ['MISTRAL_API_KEY'] });
    assert.deepEqual(denied(), ['OPENAI_API_KEY']);
    assert.deepEqual(denied('STRIPE_*', 'A_B'), ['A_B', 'OPENAI_API_KEY', 'STRIPE_KEY']);
    assert.deepEqual(denied('STRIPE*'), ['OPENAI_API_KEY', 'STRIPE', 'STRIPE_KEY']);
    assert.deepEqual(denied('MISTRAL_API_KEY', 'TRIPE', 'stripe'), ['MISTRAL_API_KEY', 'OPENAI_API_KEY']);
    assert.deepEqual(denied('A.B', '[A', 'NONE'), ['OPENAI_API_KEY']);
    assert.deepEqual(denied('*'), Object.keys(environment).sort());
  });

  it('withholds NODE_OPTIONS only when they load the debugger of the editor', () => {
    const loader = { NODE_OPTIONS: '--require /x/ms-vscode.js-debug/bootloader.js' };
    assert.deepEqual(withheldNames(loader), ['NODE_OPTIONS']);
    const inspected = { NODE_OPTIONS: '--require x', VSCODE_INSPECTOR_OPTIONS: '{}' };
    assert.deepEqual(withheldNames(inspected), ['NODE_OPTIONS', 'VSCODE_INSPECTOR_OPTIONS']);
    assert.deepEqual(withheldNames({ NODE_OPTIONS: '--max-old-space-size=8192' }), []);
  });
});
