import * as z from 'zod';
import { AgentKitError } from '../../../core/agentKitError.ts';
import { askCodex, type CodexQuestion } from './askCodex.ts';

/** One of Codex's two words, by the path of a folder. */
const configSchema = z.object({
  config: z.object({
    projects: z.record(z.string(), z.object({ trust_level: z.string().nullish() })).nullish(),
  }),
});

/**
 * Has Codex write down in the profile's `config.toml` that a folder, given by its real path, is trusted. Codex keeps
 * what else is there, comments too, and refuses a file that it cannot read.
 * @throws AgentKitError `refused` when the person said there that they do not trust it, or what Codex answers
 */
export async function trustCodexFolder(
  codex: Pick<CodexQuestion, 'command' | 'profile' | 'inherited' | 'env'>,
  folder: string,
): Promise<void> {
  const ask = async (method: string, params: object): Promise<unknown> => {
    const reply = await askCodex({ ...codex, method, params });
    if ('result' in reply) return reply.result;
    const why = 'error' in reply ? reply.error : reply.silence;
    throw new AgentKitError('invalid_input', `Codex cannot write down that ${folder} is trusted: ${why}`);
  };
  const read = configSchema.safeParse(await ask('config/read', { includeLayers: false }));
  const level = read.data?.config.projects?.[folder]?.trust_level;
  if (level === 'trusted') return;
  if (level === 'untrusted') {
    const message = `The Codex of ${codex.profile.name} says that ${folder} is not trusted; take that out of its config.toml first`;
    throw new AgentKitError('refused', message);
  }
  const value = { [folder]: { trust_level: 'trusted' } };
  await ask('config/value/write', { keyPath: 'projects', mergeStrategy: 'upsert', value });
}
