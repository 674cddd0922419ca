/** A path of git as text that no other path has: bytes that are not UTF-8 stand as `\xNN`. */
export function pathText(raw: Buffer): string {
  const text = raw.toString('utf8');
  if (Buffer.from(text).equals(raw)) return text;
  return [...raw]
    .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`))
    .join('');
}
