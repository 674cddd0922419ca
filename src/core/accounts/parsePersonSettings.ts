import * as z from 'zod';
import type { PlanProblem } from '../plan/plan.ts';
import { PlanSource } from '../plan/planSource.ts';
import { schemaProblems } from '../plan/schemaProblems.ts';
import { isProfileName, normalAccount, parseAccount } from './account.ts';
import { messageOf } from '../agentKitError.ts';
import type { AccountSetting } from './personSettings.ts';

export const accountSettingSchema = z.strictObject({
  /** More writers than these on one login race for its tokens. */
  slots: z.number().int().min(1).max(16).default(1),
  exclude: z.boolean().default(false),
});

const settingsSchema = z.strictObject({
  version: z.literal(1).default(1),
  permissions: z.enum(['auto', 'ask']).optional(),
  accounts: z.record(z.string(), accountSettingSchema).default({}),
  default_profiles: z
    .record(z.string(), z.string().refine(isProfileName, 'write a profile like @work'))
    .default({}),
  env: z
    .strictObject({
      deny: z
        .array(
          z
            .string()
            .regex(/^[A-Za-z_*][A-Za-z0-9_*]*$/, 'write the name of a variable, like STRIPE_KEY or AWS_*'),
        )
        .default([]),
    })
    .optional(),
  kinds: z.unknown().optional(),
});

/** The settings file, read; its accounts as `normalAccount` writes them. */
export interface ParsedSettings {
  permissions: 'auto' | 'ask' | undefined;
  accounts: ReadonlyMap<string, AccountSetting>;
  defaultProfiles: ReadonlyMap<string, string>;
  denied: readonly string[];
  kinds: unknown;
}

/** Reads the text of the person's settings.yaml. Every problem comes with its line and column. Never throws. */
export function parsePersonSettings(
  text: string,
): { settings: ParsedSettings } | { problems: PlanProblem[] } {
  const source = new PlanSource(text);
  if (source.problems.length > 0) return { problems: source.problems };
  const value = source.value ?? {};
  if (!(value instanceof Object) || Array.isArray(value)) {
    return { problems: [source.problemAt([], 'the settings are a mapping, like permissions: ask')] };
  }
  const parsed = settingsSchema.safeParse(value);
  if (!parsed.success) return { problems: schemaProblems(parsed.error, source) };
  const { permissions, default_profiles, env, kinds } = parsed.data;
  const accounts = new Map<string, AccountSetting>();
  const problems: PlanProblem[] = [];
  for (const [name, setting] of Object.entries(parsed.data.accounts)) {
    const problem = accountProblem(name, accounts);
    if (problem !== undefined) problems.push(source.problemAtKey(['accounts'], name, problem));
    accounts.set(normalAccount(name), setting);
  }
  if (problems.length > 0) return { problems };
  return {
    settings: {
      permissions,
      accounts,
      defaultProfiles: new Map(Object.entries(default_profiles)),
      denied: env?.deny ?? [],
      kinds,
    },
  };
}

function accountProblem(name: string, known: ReadonlyMap<string, unknown>): string | undefined {
  try {
    parseAccount(name);
  } catch (error) {
    return messageOf(error);
  }
  return known.has(normalAccount(name)) ? `account "${name}" is there twice` : undefined;
}
