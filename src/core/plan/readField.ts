import { parseAccount } from '../accounts/account.ts';
import { messageOf } from '../agentKitError.ts';
import { globProblem } from './globs.ts';

/** The fields of a job that the board edits. */
export type JobField = 'prompt' | 'paths' | 'kind' | 'account';

/** What was typed for a field: its value, undefined to leave it out of the plan. */
export type FieldValue = { value: string | string[] | undefined } | { problem: string };

export function readField(field: JobField, typed: string): FieldValue {
  if (field === 'paths') return readPaths(typed);
  if (field === 'prompt') {
    const prompt = typed.replace(/\r\n?/g, '\n').trimEnd();
    return prompt === '' ? { problem: 'the prompt may not be empty' } : { value: prompt };
  }
  const word = typed.trim();
  if (word === '') return { value: undefined };
  if (field === 'kind') {
    return /^[\w.-]+$/.test(word) ? { value: word } : { problem: `"${word}" is no kind; a kind is one word` };
  }
  try {
    parseAccount(word);
    return { value: word };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** One glob a line, or several with commas between; commas in braces and brackets belong to the glob. */
function readPaths(typed: string): FieldValue {
  const globs = typed
    .split(/[\r\n]+|,(?![^{}]*\})(?![^[\]]*\])/)
    .map((glob) => glob.trim())
    .filter((glob) => glob !== '');
  for (const glob of globs) {
    const problem = globProblem(glob);
    if (problem !== undefined) return { problem: `"${glob}" is not a path pattern: ${problem}` };
  }
  return { value: globs };
}
