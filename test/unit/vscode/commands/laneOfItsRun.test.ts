import assert from 'node:assert/strict';
import type { LaneView } from '../../../../src/core/lanes/laneView.ts';
import type { Services } from '../../../../src/vscode/platform/services.ts';
import { EventEmitter, shown, startOver, Uri } from '../fakeEditor.ts';

const { mergeLane } = await import('../../../../src/vscode/commands/mergeLane.ts');
const { Reviews } = await import('../../../../src/vscode/review/reviews.ts');
const { LaneTerminals } = await import('../../../../src/vscode/terminals/laneTerminals.ts');
const { LanesTree } = await import('../../../../src/vscode/views/lanesTree.ts');

/** A newer run may have a lane of the same id; what is clicked is meant. */
describe('a lane that was chosen in the editor', () => {
  const changes = { files: 1, insertions: 1, deletions: 0, commits: 1, outside_paths: [] };
  const lane = {
    ...{ lane: 'api', job: 'api', run: 'older-run', path: '/lanes/api', head: 'b', changes },
    ...{ base: { ref: 'main', sha: 'a' }, attempts: [{ n: 1 }], account: null },
  } as unknown as LaneView;
  let asked: string[];
  const events = new EventEmitter<never>().event;
  const plan = { whyNot: ['no'], conflicts: [], target: 'main' };
  const kit = {
    planMerge: (address: string) => Promise.resolve((asked.push(address), plan)),
    changedFiles: (address: string) => Promise.resolve((asked.push(address), [])),
  };
  const services = {
    kit: () => Promise.resolve(kit),
    requireTrust: () => undefined,
    lanes: { runs: [], lane: () => lane, onDidChange: events, onDidFail: events },
    log: { warn: () => undefined },
    notify: { warn: () => undefined },
    extensionUri: new Uri('/extension'),
  } as unknown as Services;

  beforeEach(() => {
    startOver();
    asked = [];
  });

  it('is merged in its own run', async () => {
    await mergeLane(services, lane, () => Promise.resolve());
    assert.deepEqual(asked, ['older-run/api']);
  });

  it('is reviewed in its own run', async () => {
    await assert.rejects(new Reviews(services).open(lane), /no committed changes/);
    assert.deepEqual(asked, ['older-run/api']);
  });

  it('shows the files of its own run', async () => {
    await new LanesTree(services).getChildren({ type: 'files', run: 'older-run', lane: 'api' });
    assert.deepEqual(asked, ['older-run/api']);
  });

  it('is attached to in its own run', () => {
    new LaneTerminals(services, { isOnLane: () => false }).show(lane);
    assert.equal(shown.terminals[0]?.shellArgs.at(-1), 'older-run/api');
  });
});
