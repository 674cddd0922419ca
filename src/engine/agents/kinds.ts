import type { AgentKind } from './agentKind.ts';
import { createClaudeKind } from './claude/claude.ts';
import { createCodexKind } from './codex/codex.ts';
import { createDemoKind } from './demo.ts';
import { createPiKind } from './pi/pi.ts';

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
  const kinds = [
    createDemoKind(options),
    createClaudeKind({ environment: options.environment, userId: process.getuid?.() }),
    createCodexKind(options),
    createPiKind(options),
  ];
  return new Map(kinds.map((kind) => [kind.id, kind]));
}
