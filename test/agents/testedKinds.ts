// Neither of them asks: with `ask` they may read only.
const codexRefusals = [/writing is blocked by read-only sandbox/, /Read-only file system/];
const piRefusals = [/^Tool write not found$/, /^Tool bash not found$/];

/** Kinds whose real CLIs are driven here, and what differs between them. */
export const testedKinds = {
  claude: {
    /** Folder of its sessions, below an account's home. */
    sessions: 'projects',
    /** Exit code where the vendor refused. */
    refused: 1,
    /** A model to ask for by name. */
    model: 'claude-test-1',
    /** Whether it tells limits and quota; else they look like any throttled request. */
    tellsLimits: true,
    /** What the CLI answers its model that calls a tool to write, and then one to run a command that writes. */
    refusals: {
      'read-only': [/No such tool available: Write\b/, /\bBash was not run\b/],
      ask: [/requested permissions to write to .*, but you haven't granted it/, /needs approval/],
    },
  },
  codex: {
    sessions: 'sessions',
    refused: 1,
    model: 'gpt-test-1',
    tellsLimits: true,
    refusals: { 'read-only': codexRefusals, ask: codexRefusals },
  },
  pi: {
    sessions: 'sessions',
    refused: 0,
    model: 'claude-opus-4-5',
    tellsLimits: false,
    refusals: { 'read-only': piRefusals, ask: piRefusals },
  },
};

export type TestedKind = keyof typeof testedKinds;

export const kindNames = Object.keys(testedKinds) as TestedKind[];
