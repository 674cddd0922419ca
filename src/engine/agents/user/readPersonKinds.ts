import { readFileSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { AgentKitError } from '../../../core/agentKitError.ts';
import { PlanSource } from '../../../core/plan/planSource.ts';
import { schemaProblems } from '../../../core/plan/schemaProblems.ts';
import { settingsFiles } from '../../accounts/personSettings.ts';
import { userKindsSchema, type UserKindDefinition } from './userKindSchema.ts';

const settingsSchema = z.looseObject({ kinds: userKindsSchema.optional() });

/**
 * The kinds that the person's own settings describe, by their id. Without a home, or a file of settings, there are none.
 * What else is wrong in that file others tell. Reads at once: what needs kinds is made at once.
 * @throws AgentKitError `invalid_input` with file, line and column, `refused` for a file that others may write
 */
export function readPersonKinds(
  environment: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, UserKindDefinition> {
  if (!isAbsolute(environment['HOME'] ?? '')) {
    return new Map();
  }
  const { settings: file } = settingsFiles(environment);
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) {
    return new Map();
  }
  const source = new PlanSource(readFileSync(file, 'utf8'));
  if (!(source.value instanceof Object) || !('kinds' in source.value)) {
    return new Map();
  }
  if ((found.mode & 0o022) !== 0) {
    throw new AgentKitError(
      'refused',
      `${file} can be written by others, and it names programs; make it yours alone`,
    );
  }
  const parsed = settingsSchema.safeParse(source.value);
  if (!parsed.success) {
    const lines = schemaProblems(parsed.error, source).map(
      ({ line, column, message }) => `${file}:${line}:${column} ${message}`,
    );
    throw new AgentKitError('invalid_input', lines.join('\n'));
  }
  return new Map(Object.entries(parsed.data.kinds ?? {}));
}
