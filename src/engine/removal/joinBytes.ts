/** Joins a folder and a name that need not be UTF-8. */
export function joinBytes(folder: Buffer, name: Buffer): Buffer {
  const end = folder.at(-1) === 0x2f ? [] : [Buffer.from('/')];
  return Buffer.concat([folder, ...end, name]);
}
