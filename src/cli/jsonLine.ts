/** An answer of `--json`: one object on one line, without control characters of either set. */
export function jsonLine(schema: string, value: object): string {
  // JSON leaves the second set of control characters as it is.
  const escaped = (sign: string) => `\\u00${sign.charCodeAt(0).toString(16)}`;
  return `${JSON.stringify({ interface: 1, schema, ...value }).replace(/[\u007f-\u009f]/g, escaped)}\n`;
}
