/** One thing that the model of a test has its agent do; each becomes one or more calls of the CLI's own tools. */
export type AgentStep =
  | { write: { path: string; content: string } }
  | { replace: { path: string; find: string; with: string } }
  | { shell: string };

/** What the model does and then says when a prompt contains the words. */
export interface ModelAnswer {
  when: string;
  steps: readonly AgentStep[];
  say: string;
}
