const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** Bytes for people, in steps of 1024: `512 B`, `1.5 GB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[power] ?? ''}`;
}
