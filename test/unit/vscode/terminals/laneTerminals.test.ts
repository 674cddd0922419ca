import assert from 'node:assert/strict';
import type { RunView } from '../../../../src/core/lanes/laneView.ts';
import type { Services } from '../../../../src/vscode/platform/services.ts';
import { EventEmitter, shown, startOver, Uri } from '../fakeEditor.ts';
import { sampleLane, sampleRun } from '../sampleRuns.ts';

const { LaneTerminals } = await import('../../../../src/vscode/terminals/laneTerminals.ts');

describe('LaneTerminals', () => {
  const mine = { pid: 7, head: 'editor', self: true, alive: true } as const;
  const anotherWindow = { ...mine, pid: 8, self: false };
  const lanes = [
    sampleLane(),
    sampleLane({ lane: 'ui', job: 'ui' }),
    sampleLane({ lane: 'docs', job: 'docs', state: 'failed' }),
  ];
  let see: (owner: RunView['owner']) => void;
  let terminals: InstanceType<typeof LaneTerminals>;

  function open(isOnLane: boolean): void {
    startOver();
    const changes = new EventEmitter<{ after: RunView[] }>();
    see = (owner) => changes.fire({ after: [sampleRun({ owner, lanes })] });
    const services = {
      lanes: { onDidChange: changes.event },
      requireTrust: () => undefined,
      extensionUri: new Uri('/extension'),
    } as unknown as Services;
    terminals = new LaneTerminals(services, { isOnLane: () => isOnLane });
  }
  afterEach(() => terminals.dispose());
  const attached = () => shown.terminals.map(({ shellArgs }) => shellArgs.at(-1));

  it('attaches one terminal to each agent at work, once', () => {
    open(false);
    see(mine);
    see(mine);
    assert.deepEqual(attached(), ['run-1/api', 'run-1/ui']);
  });

  it('shows those of another window too, and no second ones once this window drives the run', () => {
    open(false);
    see(anotherWindow);
    assert.deepEqual(attached(), ['run-1/api', 'run-1/ui']);
    see({ ...anotherWindow, alive: false });
    see(mine);
    assert.equal(attached().length, 2);
  });

  it('leaves those of another window alone in a window on a lane, which shows its own', () => {
    open(true);
    see(anotherWindow);
    assert.deepEqual(attached(), []);
    see(mine);
    assert.equal(attached().length, 2);
  });

  it('makes none for a run of ak or one that was left', () => {
    open(false);
    see({ ...anotherWindow, head: 'ak' });
    see({ ...anotherWindow, alive: false });
    see(null);
    assert.deepEqual(attached(), []);
  });
});
