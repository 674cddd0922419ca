import { isNode, LineCounter, parseDocument } from 'yaml';
import * as z from 'zod/mini';
import { AgentKitError } from '../../core/agentKitError.ts';
import '../../core/zodMessages.ts';

/**
 * Reads YAML (of which JSON is a part) and checks it. `name` stands for the text in messages.
 * @throws AgentKitError `invalid_input` with the line of the first thing that is wrong
 */
export function readYaml<T>(text: string, schema: z.core.$ZodType<T>, name: string): T {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = document.errors[0];
  if (broken) {
    throw invalid(name, lines.linePos(broken.pos[0]).line, broken.message);
  }
  const checked = z.safeParse(schema, document.toJS());
  if (checked.success) {
    return checked.data;
  }
  const issue = checked.error.issues[0];
  const path = issue?.path ?? [];
  const where = path.length > 0 ? `${path.join('.')}: ` : '';
  throw invalid(name, lineOf(path), `${where}${issue?.message ?? 'not as it should be'}`);

  /** Line of a value, or of the nearest one around it that is there. */
  function lineOf(wanted: readonly PropertyKey[]): number {
    const node: unknown = wanted.length > 0 ? document.getIn(wanted, true) : document.contents;
    if (isNode(node) && node.range) {
      return lines.linePos(node.range[0]).line;
    }
    return wanted.length > 0 ? lineOf(wanted.slice(0, -1)) : 1;
  }
}

function invalid(name: string, line: number, message: string): AgentKitError {
  return new AgentKitError('invalid_input', `${name}, line ${line}: ${message}`);
}
