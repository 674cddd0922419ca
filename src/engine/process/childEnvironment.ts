import { attemptMark } from './attemptMark.ts';

/** What we set in an agent's environment ourselves; inherited values belong to somebody else's attempt. */
export const ownMarks: readonly string[] = [
  'AGENTKIT_ACTIVE_ACCOUNT',
  'AGENTKIT_RUN',
  'AGENTKIT_LANE',
  attemptMark,
  'AGENTKIT_DEMO_PROFILE',
];

/**
 * Names that a child must not inherit, and why. What stays on purpose: PATH, HOME, proxies, JAVA_HOME, SSH_AUTH_SOCK,
 * NPM_TOKEN and NODE_AUTH_TOKEN (setup installs from private registries with them), the cloud credentials that a
 * project's own tests use, and AGENTKIT_PERMISSIONS, the person's opt-out.
 */
const patterns: readonly RegExp[] = [
  // Agent CLIs: keys and switches here override the login of the chosen profile, and sessions leak into children.
  /^(ANTHROPIC|CODEX|OPENAI|GEMINI|OPENCODE)_/,
  /^CLAUDE(CODE$|_)/,
  /^GOOGLE_(API_KEY$|GEMINI_|GENAI_)/,
  /^(PI_CODING_AGENT_DIR|PI_OFFLINE|CODE_ASSIST_ENDPOINT|AWS_BEARER_TOKEN_BEDROCK)$/,
  // Forges: an agent pushes nothing and opens nothing by itself.
  /^(GITHUB|GH|GITLAB|GL|GITEA|FORGEJO|BITBUCKET)_(.+_)?(TOKEN|PAT|PASSWORD)$/,
  /^(CI_JOB_TOKEN|ACTIONS_RUNTIME_TOKEN|ACTIONS_ID_TOKEN_REQUEST_TOKEN)$/,
  /^(GIT|SSH)_ASKPASS$/,
  // Git, when we were started from a hook: these would point every git call at another repository or index.
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX|COMMON_DIR|NAMESPACE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES)$/,
  // The editor: its sockets answer to whoever holds them, and Electron's variables change what a program is.
  /^(ELECTRON|VSCODE)_/,
];

/** Names of the given environment that are withheld from what we start (design chapters 3 and 5). */
export function withheldNames(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(environment)
    .filter(
      (name) =>
        ownMarks.includes(name) ||
        patterns.some((pattern) => pattern.test(name)) ||
        (name === 'NODE_OPTIONS' && loadsDebugger(environment)),
    )
    .sort();
}

/** The editor's debugger attaches by NODE_OPTIONS; a user's own options, like a heap size, stay. */
function loadsDebugger(environment: Readonly<Record<string, string | undefined>>): boolean {
  return (
    environment['VSCODE_INSPECTOR_OPTIONS'] !== undefined ||
    /js-debug/.test(environment['NODE_OPTIONS'] ?? '')
  );
}
