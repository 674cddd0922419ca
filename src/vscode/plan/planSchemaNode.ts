/** The part of a JSON Schema that completion and hover read. */
export interface PlanSchemaNode {
  description?: string;
  type?: string;
  enum?: readonly string[];
  default?: unknown;
  properties?: Readonly<Record<string, PlanSchemaNode>>;
  items?: PlanSchemaNode;
}

/** What the schema says about the mapping below these keys; a list stands for its entries. */
export function schemaAt(schema: PlanSchemaNode, keys: readonly string[]): PlanSchemaNode | undefined {
  return keys.reduce<PlanSchemaNode | undefined>((node, key) => {
    const found = node?.properties?.[key];
    return found?.items ?? found;
  }, schema);
}
