import { attemptMark, laneRunMark, stepMark } from './attemptMark.ts';

/** What we set in an agent's environment ourselves; inherited values belong to somebody else's attempt. */
export const ownMarks: readonly string[] = [
  'AGENTKIT_ACTIVE_ACCOUNT',
  'AGENTKIT_RUN',
  'AGENTKIT_LANE',
  attemptMark,
  stepMark,
  laneRunMark,
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
  /^(PI_CODING_AGENT_DIR|PI_OFFLINE|CODE_ASSIST_ENDPOINT|AWS_BEARER_TOKEN_BEDROCK|COPILOT_GITHUB_TOKEN)$/,
  // Forges: an agent pushes nothing and opens nothing by itself.
  /^(GITHUB|GH|GITLAB|GL|GITEA|FORGEJO|BITBUCKET)_(.+_)?(TOKEN|PAT|PASSWORD)$/,
  /^(CI_JOB_TOKEN|ACTIONS_RUNTIME_TOKEN|ACTIONS_ID_TOKEN_REQUEST_TOKEN)$/,
  /^(GIT|SSH)_ASKPASS$/,
  // Git, when we were started from a hook: these would point every git call at another repository or index.
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX|COMMON_DIR|NAMESPACE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES)$/,
  // The editor: its sockets answer to whoever holds them, and Electron's variables change what a program is.
  /^(ELECTRON|VSCODE)_/,
];

/**
 * Keys of vendors whose models some CLI uses as soon as it finds one, whatever login was chosen. Only a kind that a
 * user describes may name one of them as what it works with.
 */
const modelKeys: readonly RegExp[] = [
  /^(AI_GATEWAY|AI21|ALIBABA|ANT_LING|ANYSCALE|ARK|AZURE|AZURE_COGNITIVE_SERVICES|AZURE_OPENAI|BASETEN|BEDROCK)_API_KEY$/,
  /^(CEREBRAS|CHUTES|COHERE|CO|DASHSCOPE|DEEPINFRA|DEEPSEEK|FIREWORKS|FRIENDLI|GITHUB_MODELS|GLM|GROK|GROQ)_API_KEY$/,
  /^(GOOGLE_CLOUD|GOOGLE_GENERATIVE_AI|HELICONE|HUGGINGFACE|HYPERBOLIC|INCEPTION|INFERENCE|KIMI|LLAMA|META)_API_KEY$/,
  /^(MINIMAX|MISTRAL|MODELSCOPE|MOONSHOT|MORPH|NEBIUS|NOVITA|NVIDIA|OLLAMA|OPENROUTER|PERPLEXITY|POE|QWEN)_API_KEY$/,
  /^(REQUESTY|SAMBANOVA|SILICONFLOW|SYNTHETIC|TOGETHER|UPSTAGE|V0|VENICE|VERCEL|VOYAGE|XAI|XIAOMI|ZAI|ZENMUX|ZHIPU)_API_KEY$/,
  // Plans and regions of some of them.
  /^(MINIMAX|MOONSHOT|QWEN|XIAOMI|ZAI)_([A-Z0-9]+_)+API_KEY$/,
  /^(HF_TOKEN|HUGGING_?FACE(_HUB)?_(API_)?TOKEN|REPLICATE_API_TOKEN|AZURE_OPENAI_AD_TOKEN|DATABRICKS_TOKEN)$/,
];

interface Exceptions {
  /** What the person keeps from everything, as in `deniedName`. */
  deny?: readonly string[];
  /** Keys that a kind was described to work with. */
  needs?: readonly string[];
}

/**
 * Names of the given environment that are withheld from what we start (design chapters 3 and 5). A person's word can
 * only add to them.
 */
export function withheldNames(
  environment: Readonly<Record<string, string | undefined>>,
  { deny = [], needs = [] }: Exceptions = {},
): string[] {
  const denied = deny.map(deniedName);
  return Object.keys(environment)
    .filter(
      (name) =>
        denied.some((pattern) => pattern.test(name)) ||
        (modelKeys.some((pattern) => pattern.test(name)) && !needs.includes(name)) ||
        ownMarks.includes(name) ||
        patterns.some((pattern) => pattern.test(name)) ||
        (name === 'NODE_OPTIONS' && loadsDebugger(environment)),
    )
    .sort();
}

/** A name of a variable, in which `*` stands for any characters, for none too. */
function deniedName(text: string): RegExp {
  const parts = text.split('*').map((part) => part.replace(/[^A-Za-z0-9_]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}

/** The editor's debugger attaches by NODE_OPTIONS; a user's own options, like a heap size, stay. */
function loadsDebugger(environment: Readonly<Record<string, string | undefined>>): boolean {
  return (
    environment['VSCODE_INSPECTOR_OPTIONS'] !== undefined ||
    /js-debug/.test(environment['NODE_OPTIONS'] ?? '')
  );
}
