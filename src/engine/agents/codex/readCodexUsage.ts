import * as z from 'zod';
import { messageOf } from '../../../core/agentKitError.ts';
import { askCli, type CliAnswer } from '../../process/askCli.ts';
import type { Profile, UsageAnswer } from '../agentKind.ts';
import { loginSettings, quietSettings } from './codexArguments.ts';
import { codexLogin } from './codexLogin.ts';
import { readCodexLimits, readCodexRefusal } from './codexUsage.ts';
import { codexMissing, findCodex } from './findCodex.ts';

const questionId = 2;

/** The server takes its messages in order; they may all be sent at once. */
const messages = [
  {
    method: 'initialize',
    id: 1,
    params: { clientInfo: { name: 'agentkit', title: null, version: '1' }, capabilities: null },
  },
  { method: 'initialized' },
  { method: 'account/rateLimits/read', id: questionId },
];

const replySchema = z.object({
  id: z.literal(questionId),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

/**
 * Reads the quota through Codex itself, which keeps its login to itself: one request to the vendor, none to a model.
 * Never rejects: an account that cannot be read is unknown, with the reason.
 */
export async function readCodexUsage(
  profile: Profile,
  inherited: Readonly<Record<string, string | undefined>>,
  env: Record<string, string>,
): Promise<UsageAnswer> {
  const command = findCodex(inherited);
  if (command === null) {
    return unknown(codexMissing);
  }
  try {
    const answer = await askCli({
      argv: [command, 'app-server', ...quietSettings, ...loginSettings(profile)],
      inherited,
      env,
      input: messages.map((message) => `${JSON.stringify(message)}\n`).join(''),
      isAnswer: (line) => readReply(line) !== null,
    });
    const reply = readReply(answer.lines.at(-1) ?? '');
    if (!reply) {
      return unknown(silence(answer));
    }
    return reply.error
      ? readCodexRefusal(reply.error.message, codexLogin(profile))
      : readCodexLimits(reply.result);
  } catch (error) {
    return unknown(`Codex cannot be started: ${messageOf(error)}`);
  }
}

function readReply(line: string): z.output<typeof replySchema> | null {
  try {
    return replySchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

function silence({ timedOut, error, exit }: CliAnswer): string {
  if (timedOut) {
    return 'Codex did not answer in time';
  }
  const told = error === '' ? `exit code ${exit ?? 'none'}` : error.slice(0, 200);
  return `Codex ended without an answer: ${told}`;
}

function unknown(reason: string): UsageAnswer {
  return { status: 'unknown', reason, windows: [] };
}
