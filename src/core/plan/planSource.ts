import {
  isMap,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type Alias,
  type Document,
  type Node,
} from 'yaml';
import { messageOf } from '../agentKitError.ts';
import type { PlanProblem } from './plan.ts';

/** A key or index a step of the way. */
export type NodePath = readonly PropertyKey[];

/** A broken file can make thousands that follow from the first. */
const maxProblems = 20;

/** A plan's YAML text with the position of everything in it. */
export class PlanSource {
  /** The text as plain data; undefined when there are problems. */
  readonly value: unknown;
  readonly problems: PlanProblem[] = [];
  readonly #lines = new LineCounter();
  readonly #document: Document.Parsed | undefined;

  constructor(text: string) {
    try {
      const options = { prettyErrors: false, stringKeys: true, logLevel: 'error' } as const;
      this.#document = parseDocument(text, { ...options, lineCounter: this.#lines });
      for (const found of [...this.#document.errors, ...this.#document.warnings].slice(0, maxProblems)) {
        const message =
          found.code === 'MULTIPLE_DOCS' ? 'a plan file holds one document, this is a second' : found.message;
        this.problems.push({ ...this.#position(found.pos[0]), message });
      }
      if (this.problems.length === 0) this.value = this.#document.toJS();
    } catch (error) {
      // Too many aliases, or one without its anchor: these come without a position.
      const alias = this.#unresolvedAlias();
      const at = alias?.range ? this.#position(alias.range[0]) : { line: 1, column: 1 };
      this.problems.push({ ...at, message: `cannot be read: ${messageOf(error)}` });
    }
  }

  /** A problem at the node, or at the nearest one above it that exists. */
  problemAt(path: NodePath, message: string): PlanProblem {
    for (let length = path.length; length >= 0; length--) {
      const node = this.#nodeAt(path.slice(0, length));
      if (node?.range) return { ...this.#position(node.range[0]), message };
    }
    return { line: 1, column: 1, message };
  }

  /** A problem at the key itself, of the mapping at `path`. */
  problemAtKey(path: NodePath, key: string, message: string): PlanProblem {
    const parent = this.#nodeAt(path);
    const pair = isMap(parent)
      ? parent.items.find((item) => isScalar(item.key) && String(item.key.value) === key)
      : null;
    if (isScalar(pair?.key) && pair.key.range) return { ...this.#position(pair.key.range[0]), message };
    return this.problemAt(path, message);
  }

  #unresolvedAlias(): Alias | undefined {
    let found: Alias | undefined;
    const document = this.#document;
    if (!document) return undefined;
    visit(document, {
      Alias(_, alias) {
        if (alias.resolve(document)) return undefined;
        found = alias;
        return visit.BREAK;
      },
    });
    return found;
  }

  #nodeAt(path: NodePath): Node | undefined {
    const node = path.length === 0 ? this.#document?.contents : this.#document?.getIn(path, true);
    return node instanceof Object && 'range' in node ? (node as Node) : undefined;
  }

  #position(offset: number): { line: number; column: number } {
    const { line, col } = this.#lines.linePos(offset);
    return line > 0 ? { line, column: col } : { line: 1, column: 1 };
  }
}
