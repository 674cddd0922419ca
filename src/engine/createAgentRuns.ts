import { createPersonKinds } from './agents/kinds.ts';
import type { AgentRunAnswer, AgentRunRequest, AgentRunWatch } from './agentRuns/agentRun.ts';
import { runAgent } from './agentRuns/runAgent.ts';
import type { AgentKitOptions } from './agentKitTypes.ts';

export type { AgentRunAnswer, AgentRunRequest, AgentRunWatch };
export type { TranscriptLine } from './process/launch.ts';

/** Runs single agents on this machine, for whoever needs no plan. */
export function createAgentRuns(options: Pick<AgentKitOptions, 'node' | 'dist' | 'environment'>): {
  run(request: AgentRunRequest, watch: AgentRunWatch): Promise<AgentRunAnswer>;
} {
  const context = { ...options, kinds: createPersonKinds(options), now: () => new Date() };
  return { run: (request, watch) => runAgent(context, request, watch) };
}
