import { AgentKitError } from '../../core/agentKitError.ts';
import type { AgentKind } from './agentKind.ts';
import { createClaudeKind } from './claude/claude.ts';
import { createCodexKind } from './codex/codex.ts';
import { createDemoKind } from './demo.ts';
import { createGeminiKind } from './gemini/gemini.ts';
import { createOpencodeKind } from './opencode/opencode.ts';
import { createPiKind } from './pi/pi.ts';
import { createUserKind } from './user/createUserKind.ts';
import { readPersonKinds } from './user/readPersonKinds.ts';
import type { UserKindDefinition } from './user/userKindSchema.ts';

export interface KindOptions {
  /** Node (or Electron) that runs our own programs. */
  node: string;
  /** Folder with our own programs. */
  dist: string;
  /** Where the CLIs are looked up, and what those that are asked about an account inherit. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Kinds that a user describes, whose programs may be run. */
  described?: ReadonlyMap<string, UserKindDefinition>;
}

/**
 * The kinds of this machine: ours, and those that the person's own settings describe.
 * @throws AgentKitError `invalid_input`, `refused` when the settings are not as they should be
 */
export function createPersonKinds(options: Omit<KindOptions, 'described'>): ReadonlyMap<string, AgentKind> {
  return createKinds({ ...options, described: readPersonKinds(options.environment) });
}

/** The same for who looks at the machine: where those settings are broken, which doctor tells, ours alone. */
export function createKnownKinds(options: Omit<KindOptions, 'described'>): ReadonlyMap<string, AgentKind> {
  try {
    return createPersonKinds(options);
  } catch (error) {
    if (error instanceof AgentKitError) return createKinds(options);
    throw error;
  }
}

/** Every kind of agent we can drive, by its id. */
export function createKinds(options: KindOptions): ReadonlyMap<string, AgentKind> {
  const described = [...(options.described ?? [])];
  const kinds = [
    createDemoKind(options),
    createClaudeKind({ environment: options.environment, userId: process.getuid?.() }),
    createCodexKind(options),
    createPiKind(options),
    createGeminiKind(options),
    createOpencodeKind(options),
    ...described.map(([id, definition]) => createUserKind(id, definition, options)),
  ];
  return new Map(kinds.map((kind) => [kind.id, kind]));
}
