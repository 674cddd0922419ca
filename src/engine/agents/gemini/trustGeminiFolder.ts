import { mkdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { AgentKitError } from '../../../core/agentKitError.ts';
import { writeJson } from '../../store/atomicFile.ts';
import type { Profile } from '../agentKind.ts';

const trustSchema = z.record(z.string(), z.string());

/** Folder of a profile's own files. */
export function geminiFolder(
  profile: Profile,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  return join(profile.folder ?? environment['HOME'] ?? homedir(), '.gemini');
}

/**
 * Writes down that a folder, by its real path, is trusted, as Gemini's own dialog would; what else stands there stays.
 * Gemini trusts what is below it, too.
 * @throws AgentKitError `invalid_input` when the file is not as Gemini writes it, `refused` when the folder is
 *   distrusted in it
 */
export async function trustGeminiFolder(
  profile: Profile,
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const file = join(geminiFolder(profile, environment), 'trustedFolders.json');
  const trusted = await readTrusted(file);
  if (trusted[folder] === 'TRUST_FOLDER') {
    return;
  }
  if (trusted[folder] === 'DO_NOT_TRUST') {
    throw new AgentKitError('refused', `${file} says that ${folder} is not to be trusted; change it there`);
  }
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeJson(file, { ...trusted, [folder]: 'TRUST_FOLDER' });
}

async function readTrusted(file: string): Promise<Record<string, string>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  try {
    return trustSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new AgentKitError('invalid_input', `${file} is not as Gemini CLI writes it; mend or remove it`, {
      cause: error,
    });
  }
}
