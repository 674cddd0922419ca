import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AgentKitError } from '../../../core/agentKitError.ts';
import { userFolders } from '../../store/userFolders.ts';

/** The tools of Gemini that change nothing. */
const readingTools = [
  'glob',
  'grep_search',
  'list_directory',
  'read_file',
  'read_many_files',
  'google_web_search',
  'get_internal_docs',
  'update_topic',
];

/** Without a person both are allowed by Gemini's own rules, and the second one ends in a mode that edits. */
const planningTools = ['enter_plan_mode', 'exit_plan_mode'];

const policies = {
  ask: [rule(planningTools, 'deny', 999)],
  'read-only': [rule(['*'], 'deny', 1), rule(readingTools, 'allow', 2), rule(planningTools, 'deny', 999)],
} as const;

/** Where an administrator's rules are; where there are any, Gemini takes none that a caller brings. */
const systemFolders = ['/etc/gemini-cli/policies', '/Library/Application Support/GeminiCli/policies'];

/**
 * Writes the rules of a posture to a file of ours; its path. Starts at the same time write the same.
 * @throws AgentKitError `refused` where Gemini would pass our rules over
 */
export function writeGeminiPolicy(
  posture: keyof typeof policies,
  environment: Readonly<Record<string, string | undefined>>,
  admin: readonly string[] = systemFolders,
): string {
  const rules = admin.find((folder) => listFiles(folder).some((name) => name.endsWith('.toml')));
  if (rules !== undefined) {
    throw new AgentKitError(
      'refused',
      `Gemini CLI takes no rules but those of ${rules}, so nothing keeps its agent from acting by itself; use another kind for this`,
    );
  }
  const folder = join(userFolders(environment).state, 'gemini');
  const file = join(folder, `${posture}.toml`);
  const text = policies[posture].join('\n');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (readIfThere(file) !== text) {
    const part = `${file}.${process.pid}`;
    writeFileSync(part, text, { mode: 0o600 });
    renameSync(part, file);
  }
  return file;
}

function rule(tools: readonly string[], decision: 'allow' | 'deny', priority: number): string {
  return `[[rule]]\ntoolName = ${JSON.stringify(tools)}\ndecision = "${decision}"\npriority = ${priority}\n`;
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
