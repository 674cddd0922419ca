import type { AgentKind } from './agentKind.ts';
import { createDemoKind } from './demo.ts';

/** Every kind of agent we can drive, by its id. `dist` is the folder with our own programs, `node` runs them. */
export function createKinds(options: { node: string; dist: string }): ReadonlyMap<string, AgentKind> {
  const kinds = [createDemoKind(options)];
  return new Map(kinds.map((kind) => [kind.id, kind]));
}
