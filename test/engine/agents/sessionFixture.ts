import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A session as a kind leaves it behind, with words of our own in the shape of the measured versions. */
export interface SessionOf {
  /** Folder of the profile. */
  home: string;
  session: string;
  /** Folder that it was begun in; absolute. */
  cwd: string;
}

export type FileKind = 'claude' | 'codex' | 'pi' | 'gemini' | 'demo';

interface FileOf {
  /** Relative to the home. */
  path: (of: SessionOf) => string;
  /** Records: what it begins with, what the person said, what the agent said. */
  records: (of: SessionOf) => [object, object, object];
}

const at = '2026-11-30T09:56:03.780Z';

const files: Record<FileKind, FileOf> = {
  claude: {
    path: ({ cwd, session }) => `projects/${realpathSync(cwd).replace(/[^a-z0-9]/gi, '-')}/${session}.jsonl`,
    records: ({ session, cwd }) => [
      { type: 'session-owner', accountUuid: 'one', sessionId: session },
      {
        type: 'user',
        message: { role: 'user', content: 'The word is marmalade.' },
        cwd,
        sessionId: session,
      },
      { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: 'Noted.' }] } },
    ],
  },
  codex: {
    path: ({ session }) => `sessions/2026/11/30/rollout-2026-11-30T09-56-03-${session}.jsonl`,
    records: ({ session, cwd }) => [
      { timestamp: at, ordinal: 0, type: 'session_meta', payload: { id: session, cwd } },
      {
        timestamp: at,
        ordinal: 1,
        type: 'event_msg',
        payload: { type: 'item_completed', item: { type: 'UserMessage', content: [] } },
      },
      { timestamp: at, ordinal: 2, type: 'event_msg', payload: { type: 'task_complete' } },
    ],
  },
  pi: {
    path: ({ cwd, session }) =>
      `sessions/--${realpathSync(cwd).slice(1).replaceAll('/', '-')}--/2026-11-30T09-56-06-493Z_${session}.jsonl`,
    records: ({ session, cwd }) => [
      { type: 'session', version: 3, id: session, timestamp: at, cwd: realpathSync(cwd) },
      {
        type: 'message',
        id: 'a',
        message: { role: 'user', content: [{ type: 'text', text: 'The word is marmalade.' }] },
      },
      {
        type: 'message',
        id: 'b',
        message: { role: 'assistant', content: [{ type: 'text', text: 'Noted.' }] },
      },
    ],
  },
  gemini: {
    path: ({ session }) => `.gemini/tmp/shop/chats/session-2026-11-30T09-57-${session.slice(0, 8)}.jsonl`,
    records: ({ session }) => [
      { sessionId: session, projectHash: 'b1d8', startTime: at, kind: 'main' },
      { id: 'a', timestamp: at, type: 'user', content: [{ text: 'The word is marmalade.' }] },
      { id: 'b', timestamp: at, type: 'gemini', content: 'Noted.' },
    ],
  },
  demo: {
    path: ({ session }) => `sessions/${session}.jsonl`,
    records: ({ session }) => [
      { type: 'session', id: session },
      { type: 'told', steps: [{ say: 'The word is marmalade.' }] },
      { type: 'done' },
    ],
  },
};

/** Makes the file of a session; `change` makes other text of its lines. Its path is returned. */
export function makeSession(
  kind: FileKind,
  of: SessionOf,
  change: (lines: [string, string, string]) => string = (lines) => lines.join(''),
): string {
  const { path, records } = files[kind];
  const file = join(of.home, path(of));
  mkdirSync(dirname(file), { recursive: true });
  const [first, said, answer] = records(of).map((record) => `${JSON.stringify(record)}\n`);
  writeFileSync(file, change([first ?? '', said ?? '', answer ?? '']));
  if (kind === 'gemini') {
    const projects = { projects: { [realpathSync(of.cwd)]: 'shop' } };
    writeFileSync(join(of.home, '.gemini', 'projects.json'), JSON.stringify(projects));
  }
  return file;
}

/** Makes OpenCode's database, with those of its columns that matter. */
export function makeOpencodeSession({ home, session, cwd }: SessionOf, role: 'user' | 'assistant' = 'user') {
  const folder = join(home, 'data', 'opencode');
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(join(folder, 'opencode.db'));
  database.exec(`PRAGMA journal_mode=WAL; CREATE TABLE session (id text PRIMARY KEY, directory text NOT NULL);
    CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, data text NOT NULL)`);
  database.prepare('INSERT INTO session VALUES (?, ?)').run(session, realpathSync(cwd));
  const data = JSON.stringify({ role, time: { created: 1 } });
  database.prepare('INSERT INTO message VALUES (?, ?, ?)').run('msg', session, data);
  database.close();
}
