import { open } from 'node:fs/promises';

/** What is looked for in the file of a session stands at its end, and the file may be long. */
const tailBytes = 2 * 1024 * 1024;

/** The end of a text file; its first line may lack its beginning where it is not `whole`. @throws as `open` */
export async function readTail(file: string): Promise<{ text: string; whole: boolean }> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - tailBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
    return { text: buffer.toString('utf8', 0, bytesRead), whole: start === 0 };
  } finally {
    await handle.close();
  }
}
