import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRequests, takeRequests, writeRequest } from '../../../src/engine/store/requests.ts';
import { requestsFolder } from '../../../src/engine/store/runFolder.ts';

describe('requests of a run', () => {
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'agentkit-requests-'));
    mkdirSync(requestsFolder(folder));
    for (const id of ['2', '1', '3']) await writeRequest(folder, { id, do: 'stopRun' });
    writeFileSync(join(requestsFolder(folder), '4.json'), '{ "do": "something newer" }');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const ids = (requests: readonly { id: string }[]) => requests.map(({ id }) => id);
  const files = () => readdirSync(requestsFolder(folder)).sort();

  it('are read by anybody, oldest first, and all stay: another version may be the owner that knows them', async () => {
    assert.deepEqual(ids(await readRequests(folder, { 3: {} })), ['1', '2']);
    assert.deepEqual(files(), ['1.json', '2.json', '3.json', '4.json']);
  });

  it('are taken by the owner, who clears away what is answered or none', async () => {
    assert.deepEqual(ids(await takeRequests(folder, { 3: {} })), ['1', '2']);
    assert.deepEqual(files(), ['1.json', '2.json']);
  });
});
