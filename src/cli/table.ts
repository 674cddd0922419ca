import { printableName } from './printable.ts';

/** Rows in aligned columns, two spaces apart. */
export function table(texts: readonly (readonly string[])[]): string {
  const rows = texts.map((row) => row.map(printableName));
  const widths = rows.reduce<number[]>(
    (all, row) => row.map((cell, index) => Math.max(all[index] ?? 0, cell.length)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
