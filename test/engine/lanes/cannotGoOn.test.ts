import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DemoWorld } from '../conductor/demoWorld.ts';

describe('a request about a lane that something outside of it keeps from being carried out', function () {
  this.timeout(120_000);
  let world: DemoWorld;

  before(() => {
    world = new DemoWorld(['one']);
  });
  after(() => world.dispose());

  const runs = () => join(world.repo, '.git', 'agentkit', 'runs');
  const timesTaken = () =>
    readFileSync(join(runs(), 'manual', 'journal.jsonl'), 'utf8').split('"type":"owner"').length;
  const requests = () => readdirSync(join(runs(), 'manual', 'requests'));

  it('says that there is no home before anything is made, and makes it where there is one', async () => {
    const { HOME, XDG_STATE_HOME } = world.environment;
    Object.assign(world.environment, { HOME: '', XDG_STATE_HOME: undefined });
    await assert.rejects((await world.kit()).lanes.create(['made']), { reason: 'usage', message: /HOME/ });
    assert.ok(!existsSync(join(runs(), 'manual')));
    Object.assign(world.environment, { HOME, XDG_STATE_HOME });
    const [lane] = await (await world.kit()).lanes.create(['made']);
    assert.equal(lane?.state, 'open', lane?.why_not.join());
  });

  it('keeps a lane whose account cannot be freed and names the damaged file, and removes it once that is mended', async () => {
    const kit = await world.kit();
    const leases = join(world.root, 'state', 'agentkit', 'leases.json');
    mkdirSync(join(world.root, 'state', 'agentkit'), { recursive: true });
    writeFileSync(leases, '{ damaged');
    const before = timesTaken();
    const answer = await kit.lanes.discard('made');
    assert.equal(answer.ok, false);
    assert.match(answer.message, /leases\.json/);
    assert.ok(timesTaken() <= before + 1, 'the run is taken once');
    assert.equal((await kit.findLane('made')).state, 'open');
    rmSync(leases);
    const again = await kit.lanes.discard('made');
    assert.ok(again.ok, again.message);
  });

  it('ends with the error that ended the conductor, withdraws the request, and is answered afterwards', async () => {
    const kit = await world.kit();
    await kit.lanes.create(['later']);
    const records = join(world.root, 'state', 'agentkit', 'runs');
    rmSync(records, { recursive: true, force: true });
    writeFileSync(records, '');
    const before = timesTaken();
    await assert.rejects(kit.lanes.discard('later'), /runs/);
    assert.ok(timesTaken() <= before + 1, 'the run is taken once');
    assert.deepEqual(requests(), []);
    rmSync(records);
    const again = await kit.lanes.discard('later');
    assert.ok(again.ok, again.message);
  });
});
