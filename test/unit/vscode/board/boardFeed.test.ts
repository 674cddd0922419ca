import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { ToPage } from '../../../../src/protocol/boardMessages.ts';
import { BoardFeed } from '../../../../src/vscode/board/boardFeed.ts';
import { runSnapshot } from '../../../../src/vscode/board/runSnapshot.ts';
import { makeRun, makeWorkedLane, now } from './views.ts';

const facts = { accounts: [], prompts: new Map<string, string>(), now };
const showing = (activity: string) =>
  runSnapshot(makeRun({ lanes: [makeWorkedLane({ state: 'running', activity })] }), facts);

describe('BoardFeed', () => {
  let sent: { at: number; message: ToPage }[];
  let feed: BoardFeed;

  beforeEach(() => {
    sent = [];
    feed = new BoardFeed((message) => sent.push({ at: Date.now(), message }));
  });
  afterEach(() => {
    feed.dispose();
  });

  const whenSent = async (count: number): Promise<void> => {
    const deadline = Date.now() + 2000;
    while (sent.length < count && Date.now() < deadline) await pause(5);
    assert.ok(sent.length >= count, `${sent.length} of ${count} messages came`);
  };

  it('sends the whole board, then only the newest of many changes, at most four times a second', async () => {
    feed.show(showing('start'));
    await whenSent(1);
    for (let step = 0; step < 50; step += 1) feed.show(showing(`step ${step}`));
    await whenSent(2);

    const [first, second] = sent;
    assert.equal(first?.message.type, 'snapshot');
    assert.ok(second?.message.type === 'cards');
    assert.equal(second.message.cards[0]?.activity, 'step 49');
    assert.ok(second.at - first.at >= 245, `only ${second.at - first.at} ms between them`);
    assert.equal(sent.length, 2);
  });

  it('sends nothing to a page that is gone, also of what came too late', async () => {
    feed.show(showing('start'));
    feed.dispose();
    feed.show(showing('late'));
    await pause(50);
    assert.deepEqual(sent, []);
  });

  it('sends the whole board again to a page that starts anew', async () => {
    feed.show(showing('start'));
    await whenSent(1);
    feed.restart();
    await whenSent(2);
    assert.equal(sent[1]?.message.type, 'snapshot');
  });
});
