import { keysAbove } from './keysAbove.ts';
import { schemaAt, type PlanSchemaNode } from './planSchemaNode.ts';

/**
 * What a key of a plan means, in Markdown; undefined when the cursor is on none.
 *
 * @param line From 0.
 * @param word The word under the cursor.
 */
export function planHover(
  lines: readonly string[],
  line: number,
  word: string,
  schema: PlanSchemaNode,
): string | undefined {
  const key = /^\s*(?:- +)*([a-z_]+):/.exec(lines[line] ?? '')?.[1];
  if (key !== word) return undefined;
  const node = schemaAt(schema, keysAbove(lines, line))?.properties?.[key];
  if (!node) return undefined;
  const facts = [
    node.enum && `One of ${node.enum.map((value) => `\`${value}\``).join(', ')}.`,
    typeof node.default === 'string' || typeof node.default === 'number'
      ? `Default: \`${node.default}\`.`
      : undefined,
  ].filter((fact) => fact !== undefined);
  return [`**${key}**: ${node.description ?? 'a key of AgentKit plans'}`, facts.join(' ')]
    .filter(Boolean)
    .join('\n\n');
}
