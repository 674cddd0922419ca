import { AgentKitError } from '../../core/agentKitError.ts';

/**
 * Names and paths of files are raw bytes and need not be UTF-8. Inside this room they are strings with one character a
 * byte, so that they can be compared and joined; this is the way back.
 */
export function toBytes(name: string): Buffer {
  return Buffer.from(name, 'latin1');
}

/** The bytes of a text (a path that somebody gave us) as this room keeps them. */
export function fromText(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** A name as people read it. */
export function toText(name: string): string {
  return toBytes(name).toString('utf8');
}

/** An absolute path for a file call: a folder, given as text, and a raw path below it. */
export function rawPath(folder: string, path: string): Buffer {
  return path === '' ? Buffer.from(folder) : Buffer.concat([Buffer.from(`${folder}/`), toBytes(path)]);
}

/** The folder of a raw path; empty at the top. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

const encoded = 'agentkit-hex:';

/** Names that git takes for its own folder, on any file system; a tree with one is refused by servers. */
const gitsOwn = /^(\.git|git~1)[ .]*(:|$)/i;

/** A file name as it stands in a rescue's trees. */
export function encodeName(name: string): string {
  const plain = name.replace(/[\x80-\xff]/g, '');
  const taken = gitsOwn.test(plain) || name.includes('\\') || name.startsWith(encoded);
  return taken ? encoded + toBytes(name).toString('hex') : name;
}

/** The way back from `encodeName`. @throws AgentKitError `invalid_input` for what no file can be called */
export function decodeName(name: string): string {
  const plain = name.startsWith(encoded)
    ? Buffer.from(name.slice(encoded.length), 'hex').toString('latin1')
    : name;
  if (plain === '' || plain === '.' || plain === '..' || /[/\0]/.test(plain) || encodeName(plain) !== name) {
    throw new AgentKitError(
      'invalid_input',
      `The rescue names a file "${toText(plain)}", which is not a name`,
    );
  }
  return plain;
}

/** Each name of a path encoded. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeName).join('/');
}

/** Each name of a path of a rescue's tree decoded. */
export function decodePath(path: string): string {
  return path.split('/').map(decodeName).join('/');
}
