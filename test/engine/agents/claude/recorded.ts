import { readFileSync } from 'node:fs';
import type { AgentSignal } from '../../../../src/engine/agents/agentKind.ts';
import { parseClaudeLine } from '../../../../src/engine/agents/claude/parseClaudeLine.ts';

/** A file that was recorded from the real CLI: its fields and values, with texts of our own. */
export function recorded(name: string): string {
  return readFileSync(new URL(`../recorded/claude-${name}`, import.meta.url), 'utf8');
}

/** The same, with windows that are over in 2100. */
export function notYetReset(name: string): string {
  return recorded(name).replaceAll(/"resetsAt":\s*\d+/g, '"resetsAt":4102444800');
}

/** Everything that the stream of a recorded run says. */
export function signalsOf(name: string): AgentSignal[] {
  return recorded(`${name}.jsonl`).split('\n').flatMap(parseClaudeLine);
}

export function ofType<T extends AgentSignal['type']>(
  signals: readonly AgentSignal[],
  type: T,
): Extract<AgentSignal, { type: T }>[] {
  return signals.filter((signal): signal is Extract<AgentSignal, { type: T }> => signal.type === type);
}
