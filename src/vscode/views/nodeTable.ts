/** The editor knows tree elements by object identity, so the node of a row is made once and found again. */
export class NodeTable<Node extends object> {
  readonly #nodes = new Map<string, Node>();

  /** The one node that equals this one. */
  of(node: Node): Node {
    const key = JSON.stringify(node);
    const known = this.#nodes.get(key);
    if (known) return known;
    this.#nodes.set(key, node);
    return node;
  }
}
