import { createHash, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AgentKitError } from '../../core/agentKitError.ts';
import { stateFiles } from '../store/paths.ts';
import { userFolders } from '../store/userFolders.ts';

/**
 * Who a login belongs to, so that it can be compared and not told: the vendor's name of it, hashed with a salt of this
 * machine. Kinds are kept apart, since a vendor's names mean something only there.
 */
export async function identityHash(
  environment: Readonly<Record<string, string | undefined>>,
  kind: string,
  identity: string,
): Promise<string> {
  const salt = await readSalt(stateFiles(userFolders(environment).state).identitySalt);
  return createHash('sha256').update(`${salt}\0${kind}\0${identity}`).digest('hex').slice(0, 32);
}

/** Made once; whoever is slower takes what the faster one made. */
async function readSalt(file: string): Promise<string> {
  const known = await saltIn(file);
  if (known !== null) return known;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  await writeFile(draft, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return (await saltIn(file)) ?? readSalt(file);
}

/** Null where there is none. @throws AgentKitError `invalid_input` for one that keeps nothing secret */
async function saltIn(file: string): Promise<string | null> {
  const salt = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (salt === null || /^[0-9a-f]{64}$/.test(salt)) return salt;
  throw new AgentKitError(
    'invalid_input',
    `${file} is damaged, so logins cannot be told apart; delete it, then read the accounts anew: ak usage`,
  );
}
