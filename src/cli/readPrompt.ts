import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { AgentKitError } from '../core/agentKitError.ts';

/** Longest prompt in bytes; whoever writes without an end is stopped there. */
const maxBytes = 16 * 1024 * 1024;

const whereItGoes = 'put it behind --, write -- - for standard input, or name a file: --prompt-file FILE';

/** Where a prompt comes from: words behind `--`, of which a single `-` means standard input, or a file. */
export interface PromptSource {
  behind: readonly string[] | undefined;
  file: string | undefined;
}

/** The bytes of a prompt, as they are. @throws AgentKitError `usage`; what the system says of a file */
export async function readPrompt({ behind, file }: PromptSource): Promise<Uint8Array> {
  if (behind !== undefined && file !== undefined) {
    throw new AgentKitError(
      'usage',
      'The prompt is given twice, by --prompt-file and behind --; leave one out',
    );
  }
  const prompt = await read({ behind, file });
  if (Buffer.from(prompt).toString('latin1').trim() === '') {
    throw new AgentKitError('usage', `The prompt is empty; ${whereItGoes}`);
  }
  return prompt;
}

async function read({ behind = [], file }: PromptSource): Promise<Uint8Array> {
  if (file !== undefined) return readAll(createReadStream(file));
  if (behind.length === 0) throw new AgentKitError('usage', `There is no prompt; ${whereItGoes}`);
  return behind.length === 1 && behind[0] === '-' ? readAll(process.stdin) : Buffer.from(behind.join(' '));
}

async function readAll(stream: Readable): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new AgentKitError('usage', `The prompt is longer than ${maxBytes / 1024 / 1024} MiB`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
