import type { AgentKind } from './agentKind.ts';
import { createDemoKind } from './demo.ts';

export interface KindOptions {
  /** Node (or Electron) that runs our own programs. */
  node: string;
  /** Folder with our own programs. */
  dist: string;
  /** Where the CLIs are looked up, and what those that are asked about an account inherit. */
  environment: Readonly<Record<string, string | undefined>>;
}

/** Every kind of agent we can drive, by its id. */
export function createKinds(options: KindOptions): ReadonlyMap<string, AgentKind> {
  const kinds = [createDemoKind(options)];
  return new Map(kinds.map((kind) => [kind.id, kind]));
}
