const cells = 6;

/** A percentage as text: `▓▓▓▓░░`. */
export function bar(pct: number): string {
  const full = Math.round((Math.min(100, Math.max(0, pct)) / 100) * cells);
  return '▓'.repeat(full) + '░'.repeat(cells - full);
}
