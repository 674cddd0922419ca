import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findGuests, findOrphans } from '../../../src/engine/process/orphans.ts';
import { platform } from '../../../src/engine/process/platform/platform.ts';
import { readStep } from '../../../src/engine/process/steps.ts';
import { stepFiles } from '../../../src/engine/store/paths.ts';
import { kill, poll, untilDead } from './stepFixture.ts';
import { Runaways, stays } from './runawayProcesses.ts';

describe('orphans of lanes', function () {
  this.timeout(60_000);
  let runaways: Runaways;
  before(() => (runaways = new Runaways()));
  afterEach(() => runaways.end());
  after(() => runaways.fixture.close());

  const find = async () => findOrphans(runaways);
  const pids = async () => (await find()).map(({ pid }) => pid).sort();

  it('are all that a killed supervisor left, with what they are and take; nothing while it lives', async () => {
    const { fixture } = runaways;
    const [agent, server, bare] = [runaways.tellsPid(), runaways.tellsPid(), runaways.tellsPid()];
    const listen = `require('net').createServer().listen(0, '127.0.0.1', function () {
      require('fs').writeFileSync('port', String(this.address().port)); });`;
    const run = (code: string, more: string) =>
      `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(code)}], { stdio: 'ignore', ${more} });`;
    const code =
      run(`${server.code} ${listen}`, 'detached: true') +
      run(`${bare.code} ${stays}`, 'env: {}') +
      `${agent.code} ${stays}`;
    const folder = await fixture.start(
      fixture.script(code, { env: { AGENTKIT_ATTEMPT: 'run1/team/api/2' } }),
      runaways.step('team~api/attempt-2'),
    );
    const left: number[] = [];
    for (const { file } of [agent, server, bare]) left.push((await runaways.known(file)).pid);
    const port = Number(await poll('a port', 10_000, () => tryRead('port') || undefined));
    // One without the mark is known only once its supervisor has noted it.
    await poll('all to be noted', 15_000, () => {
      const noted = tryRead(join('runs/run1/lanes/team~api/attempt-2', 'processes.json'));
      return left.every((pid) => noted.includes(`${pid}`)) || undefined;
    });
    assert.deepEqual(await find(), []);

    const { status } = await readStep(folder);
    assert.ok(status);
    kill(status.supervisor.pid);
    await untilDead(status.supervisor);
    const orphans = await find();
    assert.deepEqual(orphans.map(({ pid }) => pid).sort(), left.sort());
    const found = orphans.find(({ ports }) => ports.length > 0);
    assert.deepEqual(
      { ...found, command: '', cpu_s: 0, rss_bytes: 0, started: '', pid: 0 },
      {
        run: 'run1',
        lane: 'team/api',
        attempt: 2,
        cwd: realpathSync(fixture.root),
        ports: [port],
        boot: platform.boot(),
        ...{ command: '', cpu_s: 0, rss_bytes: 0, started: '', pid: 0 },
      },
    );
    assert.match(found?.command ?? '', /this\.address\(\)\.port/);
    assert.ok((found?.cpu_s ?? 0) > 0 && (found?.rss_bytes ?? 0) > 1_000_000);
  });

  function tryRead(file: string): string {
    try {
      return runaways.read(file);
    } catch {
      return '';
    }
  }

  it('are supervisors and what they started once no run knows their step, whoever started them', async () => {
    const { fixture } = runaways;
    const journal = join(runaways.runsFolder, 'run1', 'journal.jsonl');
    const seen = async () => {
      const orphans = await findOrphans({ ...runaways, dist: fixture.dist });
      return orphans.map(({ pid }) => pid).sort();
    };
    const start = async (lane: string) => {
      const agent = runaways.tellsPid();
      const launch = fixture.script(`${agent.code} ${stays}`, {
        env: { AGENTKIT_ATTEMPT: `run1/${lane}/1` },
      });
      const folder = await fixture.start(launch, runaways.step(`${lane}/attempt-1`));
      const { pid } = await runaways.known(agent.file);
      const { supervisor } = await poll('a status', 10_000, async () => (await readStep(folder)).status);
      return { folder, pids: [pid, supervisor.pid], supervisor };
    };
    const [kept, gone] = [await start('kept'), await start('gone')];
    assert.deepEqual(await seen(), []);
    rmSync(gone.folder, { recursive: true });
    assert.deepEqual(await seen(), gone.pids.sort());
    rmSync(journal);
    assert.deepEqual(await seen(), [...gone.pids, ...kept.pids].sort());
    writeFileSync(journal, '');
    assert.deepEqual(await seen(), gone.pids.sort());
    for (const { supervisor } of [kept, gone]) {
      kill(supervisor.pid);
      await untilDead(supervisor);
    }
    rmSync(kept.folder, { recursive: true });
  });

  it('are what left the tree of an agent that has ended, but not while another step of the attempt runs', async () => {
    const { fixture } = runaways;
    const mark = { AGENTKIT_ATTEMPT: 'run1/web/1' };
    await fixture.run(fixture.script('', { env: mark }), runaways.step('web/attempt-1'));
    const stray = await runaways.away('run1/web/1', stays);
    assert.deepEqual(await pids(), [stray.pid]);
    const gate = await fixture.start(fixture.script(stays, { env: mark }), runaways.step('web/gate-1/test'));
    assert.deepEqual(await find(), []);
    writeFileSync(stepFiles(gate).stop, '');
    await fixture.result(gate);
    await poll('the end of the supervisor', 10_000, async () => (await pids()).length > 0 || undefined);
    assert.deepEqual(await pids(), [stray.pid]);
  });

  it('are none of another repository, though its run has the same name, nor of a single agent', async () => {
    const { root } = runaways.fixture;
    const other = join(root, 'other', 'runs');
    const elsewhere = await runaways.away('run1/api/1', stays, {
      step: join(other, 'run1/lanes/api/attempt-1'),
    });
    await runaways.away('run/01ABC', stays, { step: join(root, 'state/runs/01ABC') });
    for (const mark of ['run1/api', 'run1', '']) await runaways.away(mark, stays);
    assert.deepEqual(await find(), []);
    assert.deepEqual(await findOrphans({ ...runaways, runsFolder: join(root, 'nothing') }), []);
    symlinkSync(join(root, 'other'), join(root, 'link'));
    for (const runsFolder of [other, join(root, 'link', 'runs')]) {
      mkdirSync(other, { recursive: true });
      assert.deepEqual(
        (await findOrphans({ ...runaways, runsFolder })).map(({ pid }) => pid),
        [elsewhere.pid],
      );
    }
  });

  it('are no processes that have ended and were not collected', async () => {
    const shell = `sleep 600 & echo $! > ended; exec tail -f /dev/null`;
    const parent = await runaways.away(
      'run1/api/1',
      `require('child_process').spawn('/bin/sh', ['-c', ${JSON.stringify(shell)}], { stdio: 'ignore' }); ${stays}`,
    );
    const pid = await poll('a process', 10_000, () => Number(tryRead('ended')) || undefined);
    const collector = platform.find(pid)?.parent ?? 0;
    await poll('a parent that collects nothing', 10_000, () =>
      platform.command(collector)[0] === 'tail' ? true : undefined,
    );
    assert.deepEqual(await pids(), [parent.pid, collector, pid].sort());
    kill(pid);
    await poll('its end', 10_000, () => platform.find(pid)?.zombie || undefined);
    assert.deepEqual(await pids(), [parent.pid, collector].sort());
  });

  it('are not those that only work in a worktree, which are told apart as guests', async () => {
    const worktree = join(runaways.fixture.root, 'lanes', 'web');
    mkdirSync(join(worktree, 'src'), { recursive: true });
    const guest = spawn(process.execPath, ['-e', stays], { cwd: join(worktree, 'src'), stdio: 'ignore' });
    const beside = spawn(process.execPath, ['-e', stays], { cwd: runaways.fixture.root, stdio: 'ignore' });
    const env = { ...process.env, AGENTKIT_ATTEMPT: 'run1/web/1', AGENTKIT_STEP: runaways.step('any') };
    const marked = spawn(process.execPath, ['-e', stays], { cwd: worktree, stdio: 'ignore', env });
    const children = [guest, beside, marked];
    try {
      // Seen by a process that none of them descends from.
      const orphans = new URL('../../../src/engine/process/orphans.ts', import.meta.url).href;
      const request = { runsFolder: runaways.runsFolder, dist: runaways.dist };
      const look = `import { findGuests, findOrphans } from ${JSON.stringify(orphans)};
        const request = ${JSON.stringify(request)};
        const guests = await findGuests(request, [${JSON.stringify(worktree)}, '/nowhere']);
        console.log(JSON.stringify([guests, await findOrphans(request)].map((all) => all.map(({ pid, worktree }) => [pid, worktree]))));`;
      const file = runaways.write('guests.mjs', look);
      const [guests, left] = JSON.parse(
        execFileSync(process.execPath, [file], { encoding: 'utf8' }),
      ) as unknown[];
      assert.deepEqual(guests, [[guest.pid, worktree]]);
      assert.deepEqual(left, [[marked.pid, null]]);
      assert.deepEqual(await findGuests(request, []), []);
    } finally {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(
        children.map(async (child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')),
      );
    }
  });

  describe('are never', () => {
    const starts = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stays)}]); ${stays}`;

    it('ak itself or what it started, whoever started it', async () => {
      for (const name of ['ak.js', 'ak-orchestrate.js', 'supervisor.js']) {
        const own = await runaways.away('run1/api/1', starts, { script: name });
        await poll(
          'its child',
          10_000,
          () => platform.list().some(({ parent }) => parent === own.pid) || undefined,
        );
        assert.deepEqual(await find(), [], name);
        kill(own.pid);
        // What it started has nobody any more.
        const [left] = await poll('its child', 10_000, async () => {
          const found = await find();
          return found.length === 1 ? found : undefined;
        });
        kill(left?.pid ?? 0);
        await poll('its end', 10_000, async () => (await find()).length === 0 || undefined);
      }
      mkdirSync(join(runaways.fixture.root, 'theirs'));
      const others = [];
      for (const script of ['server.js', 'theirs/supervisor.js', 'theirs/ak.js'])
        others.push(await runaways.away('run1/api/1', stays, { script }));
      const spared = await runaways.away('run1/api/1', stays, { script: 'supervisor.js' });
      assert.deepEqual(await pids(), others.map(({ pid }) => pid).sort());
      kill(spared.pid);
    });

    it('the process that looks, or those that it descends from', async () => {
      const orphans = new URL('../../../src/engine/process/orphans.ts', import.meta.url).href;
      const look = `import { findGuests, findOrphans } from ${JSON.stringify(orphans)};
        import { writeFileSync } from 'node:fs';
        writeFileSync('seen', JSON.stringify(await findOrphans({ runsFolder: 'runs', dist: 'nowhere' })));`;
      const file = runaways.write('look.mjs', look.replace("'runs'", JSON.stringify(runaways.runsFolder)));
      const starter = await runaways.away(
        'run1/api/1',
        `require('child_process').spawn(process.execPath, [${JSON.stringify(file)}], { stdio: 'ignore' }); ${stays}`,
      );
      assert.equal(await poll('what it saw', 20_000, () => tryRead('seen') || undefined), '[]');
      assert.ok((await pids()).includes(starter.pid));
    });

    it('the owner of a run, or what it started', async () => {
      const owner = await runaways.away('run1/api/1', starts, { script: 'editor.js' });
      await poll('its child', 10_000, async () => (await find()).length === 2 || undefined);
      const journal = join(runaways.runsFolder, 'run1', 'journal.jsonl');
      const line = (each: object) => JSON.stringify({ seq: 1, type: 'owner', owner: each, fence: 1 });
      writeFileSync(journal, `${line(owner)}\n{"seq":2,"type":"lane.queued"}\n{"seq":3,"type":"owner","ow`);
      assert.deepEqual(await find(), []);
      // Somebody else has taken the run.
      appendFileSync(journal, `\n${line({ ...owner, started: '1' })}\n`);
      const found = await find();
      assert.equal(found.length, 2);
      writeFileSync(journal, '');
    });

    it('of an attempt whose supervisor cannot be told to be dead', async () => {
      const { fixture } = runaways;
      const folder = runaways.step('db/attempt-1');
      mkdirSync(folder, { recursive: true });
      const files = stepFiles(folder);
      const launch = fixture.script('', { env: { AGENTKIT_ATTEMPT: 'run1/db/1' } });
      writeFileSync(files.launch, JSON.stringify(launch));
      const left = await runaways.away('run1/db/1', stays);
      assert.deepEqual(await pids(), [left.pid]);
      writeFileSync(files.claim, '{');
      assert.deepEqual(await find(), []);
      writeFileSync(files.claim, JSON.stringify({ ...left, boot: 'another' }));
      writeFileSync(files.processes, '{');
      assert.deepEqual(await pids(), [left.pid]);
      // A live supervisor whose launch is damaged may be that of this attempt.
      writeFileSync(files.claim, JSON.stringify(platform.find(process.pid) && { ...left }));
      writeFileSync(files.launch, '{');
      assert.deepEqual(await find(), []);
      rmSync(folder, { recursive: true });
    });
  });
});
