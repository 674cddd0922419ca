import { loadSqlite } from './loadSqlite.ts';

/**
 * The first row that somebody else's database answers with; undefined where there is none. It is only read.
 * @throws what node:sqlite does: the file is not there or no database, or the question does not fit it
 */
export function readRow(file: string, question: string, values: readonly string[]): unknown {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(file, { readOnly: true, timeout: 1000 });
  try {
    return database.prepare(question).get(...values);
  } finally {
    database.close();
  }
}
