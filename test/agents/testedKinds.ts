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
  },
  codex: { sessions: 'sessions', refused: 1, model: 'gpt-test-1', tellsLimits: true },
  pi: { sessions: 'sessions', refused: 0, model: 'claude-opus-4-5', tellsLimits: false },
};

export type TestedKind = keyof typeof testedKinds;

export const kindNames = Object.keys(testedKinds) as TestedKind[];
