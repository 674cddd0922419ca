import { readFileSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { AgentKitError } from '../../../core/agentKitError.ts';
import type { PlanProblem } from '../../../core/plan/plan.ts';
import { PlanSource } from '../../../core/plan/planSource.ts';
import { schemaProblems } from '../../../core/plan/schemaProblems.ts';
import { settingsFiles } from '../../accounts/personSettings.ts';
import { userKindsSchema, type UserKindDefinition } from './userKindSchema.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const settingsSchema = z.looseObject({ kinds: userKindsSchema.optional() });

/**
 * The kinds that the person's own settings describe, by their id. Without a home, or a file of settings, there are none.
 * What else is wrong in that file others tell. Reads at once: what needs kinds is made at once.
 * @throws AgentKitError `invalid_input` with file, line and column, `refused` for a file that others may write
 */
export function readPersonKinds(environment: Environment): ReadonlyMap<string, UserKindDefinition> {
  const found = readSettings(environment);
  return found === null ? new Map() : kindsIn(found);
}

/**
 * For who misses a kind: it may be one that they describe where nobody can read it.
 * @throws AgentKitError as `readPersonKinds`, and `invalid_input` for settings that are no YAML
 */
export function requirePersonKinds(environment: Environment): void {
  const found = readSettings(environment);
  if (found === null) return;
  const { file, source } = found;
  if (source.problems.length > 0) throw invalid(file, source.problems);
  kindsIn(found);
}

interface SettingsFile {
  file: string;
  mode: number;
  source: PlanSource;
}

function readSettings(environment: Environment): SettingsFile | null {
  if (!isAbsolute(environment['HOME'] ?? '')) return null;
  const { settings: file } = settingsFiles(environment);
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) return null;
  return { file, mode: found.mode, source: new PlanSource(readFileSync(file, 'utf8')) };
}

function kindsIn({ file, mode, source }: SettingsFile): ReadonlyMap<string, UserKindDefinition> {
  if (!(source.value instanceof Object) || !('kinds' in source.value)) {
    return new Map();
  }
  if ((mode & 0o022) !== 0) {
    throw new AgentKitError(
      'refused',
      `${file} can be written by others, and it names programs; make it yours alone`,
    );
  }
  const parsed = settingsSchema.safeParse(source.value);
  if (!parsed.success) throw invalid(file, schemaProblems(parsed.error, source));
  return new Map(Object.entries(parsed.data.kinds ?? {}));
}

function invalid(file: string, problems: readonly PlanProblem[]): AgentKitError {
  const lines = problems.map(({ line, column, message }) => `${file}:${line}:${column} ${message}`);
  return new AgentKitError('invalid_input', lines.join('\n'));
}
