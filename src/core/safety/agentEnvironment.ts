/** Names that a coding agent, ours or a vendor's own, sets in the environment of what it starts. */
const marks: readonly RegExp[] = [
  /^AGENTKIT_(ACTIVE_ACCOUNT|RUN|LANE|ATTEMPT)$/,
  /^CLAUDECODE$/,
  /^CLAUDE_CODE_(SESSION_ID|CHILD_SESSION)$/,
  /^CODEX_(SANDBOX|THREAD_ID)/,
  /^GEMINI_CLI$/,
  /^OPENCODE(_SESSION|$)/,
];

/** The first mark that tells that this environment belongs to an agent; undefined in a person's own. */
export function agentMark(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  return Object.keys(environment).find((name) => marks.some((mark) => mark.test(name)));
}
