import type { Posture } from '../agentKind.ts';

/** The agent of ours that only reads; OpenCode's own `plan` may run any command. */
export const readingAgent = 'agentkit-read-only';

/** The agent that OpenCode uses where nobody chooses another. */
export const usualAgent = 'build';

/** Not what holds secrets, as OpenCode itself has it. */
const reading = (secrets: 'ask' | 'deny') => ({
  read: { '*': 'allow', '*.env': secrets, '*.env.*': secrets, '*.env.example': 'allow' },
  glob: 'allow',
  grep: 'allow',
  list: 'allow',
  todowrite: 'allow',
});

const acting = [
  'edit',
  'bash',
  'task',
  'external_directory',
  'webfetch',
  'websearch',
  'skill',
  'lsp',
  'doom_loop',
];

/** The last rule that fits counts, so every one is named: settings that come before ours keep their places. */
const asking = {
  '*': 'ask',
  ...reading('ask'),
  ...Object.fromEntries(acting.map((what) => [what, 'ask'])),
};

const readingOnly = {
  '*': 'deny',
  ...Object.fromEntries(acting.map((what) => [what, 'deny'])),
  ...reading('deny'),
};

/**
 * Settings of a posture, as variables that win over those of the person and of the folder. OpenCode allows everything
 * where nobody says otherwise. Rules of an agent come after those for all, those of a `mode` after the agent's.
 */
export function postureSettings(posture: Posture): Record<string, string> {
  if (posture === 'auto') {
    return {};
  }
  if (posture === 'ask') {
    return content({
      permission: asking,
      agent: { [usualAgent]: { permission: asking } },
      mode: { [usualAgent]: { permission: asking } },
    });
  }
  const agent = { mode: 'primary', description: 'Reads and answers', permission: readingOnly };
  return {
    ...content({
      permission: readingOnly,
      agent: { [readingAgent]: agent },
      mode: { [readingAgent]: { permission: readingOnly } },
    }),
    // The folder's own settings could bring an agent of the same name.
    OPENCODE_DISABLE_PROJECT_CONFIG: '1',
  };
}

function content(settings: object): Record<string, string> {
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify(settings) };
}
