import type { TranscriptLine } from '../process/launch.ts';
import type { AgentSignal } from './agentKind.ts';

/** A readable line of what an agent does. */
export function progress(kind: TranscriptLine['kind'], text: string): AgentSignal {
  return { type: 'progress', line: { kind, text } };
}
