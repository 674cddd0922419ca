import { AgentKitError } from '../../core/agentKitError.ts';
import { toBytes } from './byteNames.ts';
import type { Entry, EntryKind } from './scanFolder.ts';

/** Tar works in blocks of this size. */
export const blockBytes = 512;

const flags: Partial<Record<EntryKind, string>> = { file: '0', link: '2', folder: '5' };
/** GNU's entries that carry a long name or link target for the next one. */
export const longName = 'L';
export const longTarget = 'K';

/** Field of a header block: offset and length. */
const field = {
  name: [0, 100],
  mode: [100, 8],
  size: [124, 12],
  time: [136, 12],
  sum: [148, 8],
  link: [157, 100],
} as const;

/** The header blocks of an entry, as GNU tar writes and reads them; names are raw bytes. `time` in whole seconds. */
export function tarHeader(entry: Entry, time: number): Buffer {
  const flag = flags[entry.kind];
  if (flag === undefined) throw new Error(`${entry.target} cannot be archived`);
  const name = toBytes(entry.kind === 'folder' ? `${entry.path}/` : entry.path);
  const target = toBytes(entry.target);
  return Buffer.concat([
    ...(name.length > field.name[1] ? long(longName, name) : []),
    ...(target.length > field.link[1] ? long(longTarget, target) : []),
    block(flag, name, target, entry.mode, entry.size, time),
  ]);
}

/** Zero bytes that fill the last block of this many bytes. */
export function padding(bytes: number): Buffer {
  return Buffer.alloc((blockBytes - (bytes % blockBytes)) % blockBytes);
}

function long(flag: string, value: Buffer): Buffer[] {
  const bytes = value.length + 1;
  const empty = Buffer.alloc(0);
  const header = block(flag, Buffer.from('././@LongLink'), empty, 0, bytes, 0);
  return [header, value, Buffer.alloc(1), padding(bytes)];
}

function block(flag: string, name: Buffer, target: Buffer, mode: number, size: number, time: number): Buffer {
  const header = Buffer.alloc(blockBytes);
  name.copy(header, field.name[0], 0, field.name[1]);
  target.copy(header, field.link[0], 0, field.link[1]);
  octal(header, field.mode, mode);
  octal(header, [108, 8], 0);
  octal(header, [116, 8], 0);
  octal(header, field.size, size);
  octal(header, field.time, time);
  header.write(flag, 156, 'latin1');
  header.write('ustar  \0', 257, 'latin1');
  header.write(`${checksum(header).toString(8).padStart(6, '0')}\0 `, field.sum[0], 'latin1');
  return header;
}

function octal(header: Buffer, [offset, length]: readonly [number, number], value: number): void {
  const digits = value.toString(8);
  if (digits.length < length) {
    header.write(`${digits.padStart(length - 1, '0')}\0`, offset, 'latin1');
    return;
  }
  // Beyond what fits in digits, GNU writes the number itself.
  header.writeUInt8(0x80, offset);
  header.writeBigUInt64BE(BigInt(value), offset + length - 8);
}

/** What a header block says; null for the empty block at the end. @throws AgentKitError `invalid_input` */
export function parseTarHeader(
  header: Buffer,
): { flag: string; name: string; target: string; mode: number; size: number } | null {
  if (header.length === blockBytes && header.every((byte) => byte === 0)) return null;
  if (header.length < blockBytes || number(header, field.sum) !== checksum(header)) {
    throw new AgentKitError('invalid_input', 'The archive of ignored files is damaged');
  }
  return {
    flag: header.toString('latin1', 156, 157),
    name: text(header, field.name),
    target: text(header, field.link),
    mode: number(header, field.mode),
    size: number(header, field.size),
  };
}

/** What kind of entry a flag stands for. */
export function kindOfFlag(flag: string): EntryKind {
  if (flag === flags.link) return 'link';
  return flag === flags.folder ? 'folder' : 'file';
}

function text(header: Buffer, [offset, length]: readonly [number, number]): string {
  return header.toString('latin1', offset, offset + length).replace(/\0[^]*$/, '');
}

function number(header: Buffer, at: readonly [number, number]): number {
  const [offset, length] = at;
  if (header.readUInt8(offset) === 0x80) return Number(header.readBigUInt64BE(offset + length - 8));
  return Number.parseInt(text(header, at).trim() || '0', 8);
}

/** The sum of all bytes, with its own field taken for spaces. */
function checksum(header: Buffer): number {
  const [offset, length] = field.sum;
  return header.reduce((sum, byte, n) => sum + (n >= offset && n < offset + length ? 0x20 : byte), 0);
}
