import type { ProcessEntry } from './platform/platform.ts';

/** Living processes below `roots` among the listed ones, by parentage; one whose parent has died is not found. */
export function descendantsOf(
  roots: readonly Pick<ProcessEntry, 'pid'>[],
  entries: readonly ProcessEntry[],
): ProcessEntry[] {
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of entries) {
    const siblings = children.get(entry.parent);
    if (siblings) {
      siblings.push(entry);
    } else {
      children.set(entry.parent, [entry]);
    }
  }
  const found = new Set<ProcessEntry>();
  const open = roots.map((root) => root.pid);
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const child of children.get(parent) ?? []) {
      if (!found.has(child)) {
        found.add(child);
        open.push(child.pid);
      }
    }
  }
  return [...found].filter((entry) => !entry.zombie);
}
