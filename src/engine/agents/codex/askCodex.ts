import * as z from 'zod';
import { askCli, type CliAnswer } from '../../process/askCli.ts';
import type { Profile } from '../agentKind.ts';
import { loginSettings, quietSettings } from './codexArguments.ts';

export interface CodexQuestion {
  command: string;
  profile: Profile;
  inherited: Readonly<Record<string, string | undefined>>;
  env: Record<string, string>;
  method: string;
  params?: object;
}

/** `silence` says how it ended without an answer. */
export type CodexReply = { result: unknown } | { error: string } | { silence: string };

const questionId = 2;

const replySchema = z.object({
  id: z.literal(questionId),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

/** Asks Codex's own server one thing, which keeps its login and its settings to itself. @throws when it cannot start */
export async function askCodex({
  command,
  profile,
  inherited,
  env,
  ...asked
}: CodexQuestion): Promise<CodexReply> {
  const clientInfo = { name: 'agentkit', title: null, version: '1' };
  // The server takes its messages in order; they may all be sent at once.
  const messages = [
    { method: 'initialize', id: 1, params: { clientInfo, capabilities: null } },
    { method: 'initialized' },
    { ...asked, id: questionId },
  ];
  const answer = await askCli({
    argv: [command, 'app-server', ...quietSettings, ...loginSettings(profile)],
    inherited,
    env,
    input: messages.map((message) => `${JSON.stringify(message)}\n`).join(''),
    isAnswer: (line) => readReply(line) !== null,
  });
  const reply = readReply(answer.lines.at(-1) ?? '');
  if (!reply) return { silence: describeSilence(answer) };
  return reply.error ? { error: reply.error.message } : { result: reply.result };
}

function readReply(line: string): z.output<typeof replySchema> | null {
  try {
    return replySchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

function describeSilence({ timedOut, error, exit }: CliAnswer): string {
  if (timedOut) {
    return 'Codex did not answer in time';
  }
  const told = error === '' ? `exit code ${exit ?? 'none'}` : error.slice(0, 200);
  return `Codex ended without an answer: ${told}`;
}
