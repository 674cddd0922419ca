import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { AgentKitError } from '../core/agentKitError.ts';

/** Longest prompt in bytes; whoever writes without an end is stopped there. */
const maxBytes = 16 * 1024 * 1024;

/** Where a prompt comes from: words behind `--`, of which a single `-` means standard input, or a file. */
export interface PromptSource {
  behind: readonly string[] | undefined;
  /** Left out by commands that take none. */
  file?: string | undefined;
}

/** The bytes of a prompt, as they are. @throws AgentKitError `usage`; what the system says of a file */
export async function readPrompt(source: PromptSource): Promise<Uint8Array> {
  const { behind, file } = source;
  if (behind !== undefined && file !== undefined) {
    throw new AgentKitError(
      'usage',
      'The prompt is given twice, by --prompt-file and behind --; leave one out',
    );
  }
  const prompt = await read(source);
  if (Buffer.from(prompt).toString('latin1').trim() === '') {
    throw new AgentKitError('usage', `The prompt is empty; ${whereItGoes(source)}`);
  }
  return prompt;
}

function whereItGoes(source: PromptSource): string {
  return 'file' in source
    ? 'put it behind --, write -- - for standard input, or name a file: --prompt-file FILE'
    : 'put it behind --, or write -- - for standard input';
}

async function read(source: PromptSource): Promise<Uint8Array> {
  const { behind = [], file } = source;
  if (file !== undefined) return readAll(createReadStream(file), file);
  if (behind.length === 0) throw new AgentKitError('usage', `There is no prompt; ${whereItGoes(source)}`);
  return behind.length === 1 && behind[0] === '-'
    ? readAll(process.stdin, 'standard input')
    : Buffer.from(behind.join(' '));
}

/** @param name What it is read from; the system does not say it of a folder. */
async function readAll(stream: Readable, name: string): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('error', (error: NodeJS.ErrnoException) => (error.path ??= name));
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new AgentKitError('usage', `The prompt is longer than ${maxBytes / 1024 / 1024} MiB`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
