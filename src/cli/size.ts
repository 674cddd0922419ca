const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Bytes for people: `512 B`, `1.5 GiB`. */
export function size(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[power] ?? ''}`;
}
