import { keysAbove } from './keysAbove.ts';
import { schemaAt, type PlanSchemaNode } from './planSchemaNode.ts';

/** One thing that may be written at the cursor. */
export interface PlanCompletion {
  kind: 'key' | 'value';
  label: string;
  insert: string;
  description: string;
}

/**
 * Keys and fixed values that a plan may have at the cursor.
 *
 * @param line From 0.
 * @param before The line's text up to the cursor.
 */
export function planCompletions(
  lines: readonly string[],
  line: number,
  before: string,
  schema: PlanSchemaNode,
): PlanCompletion[] {
  const [, key, value] = /^\s*(?:- +)*([a-z_]*)(: +\S*)?$/.exec(before) ?? [];
  if (key === undefined) return [];
  const mapping = schemaAt(schema, keysAbove([...lines.slice(0, line), before], line));
  if (value !== undefined) {
    const node = mapping?.properties?.[key];
    return (node?.enum ?? []).map((label) => ({
      kind: 'value',
      label,
      insert: label,
      description: label === node?.default ? 'default' : '',
    }));
  }
  return Object.entries(mapping?.properties ?? {}).map(([label, node]) => ({
    kind: 'key',
    label,
    insert: `${label}: `,
    description: node.description ?? '',
  }));
}
