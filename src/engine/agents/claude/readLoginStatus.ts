import * as z from 'zod';
import type { CliAnswer } from '../../process/askCli.ts';

const nullableText = z.string().nullish().catch(undefined);

const statusSchema = z.object({
  loggedIn: z.boolean(),
  /** `claude.ai`, `oauth_token`, `api_key`, `third_party` or `none`. */
  authMethod: nullableText,
  email: nullableText,
  orgId: nullableText,
  /** RFC 3339; null where it can be renewed without a person. */
  loginExpiresAt: nullableText,
});

export type LoginStatus = z.output<typeof statusSchema>;

/** Reads the answer of `claude auth status --json`; undefined when it has another shape. */
export function readLoginStatus({ lines }: Pick<CliAnswer, 'lines'>): LoginStatus | undefined {
  try {
    return statusSchema.safeParse(JSON.parse(lines.join('\n'))).data;
  } catch {
    return undefined;
  }
}
