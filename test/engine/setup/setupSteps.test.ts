import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StepResult } from '../../../src/engine/process/launch.ts';
import { platform } from '../../../src/engine/process/platform/platform.ts';
import { setupFailure } from '../../../src/engine/setup/setupFailure.ts';
import { setupLaunch, type SetupRequest } from '../../../src/engine/setup/setupLaunch.ts';
import { stepFiles } from '../../../src/engine/store/paths.ts';
import { StepFixture } from '../process/stepFixture.ts';

describe('steps of a setup', function () {
  this.timeout(60_000);
  let fixture: StepFixture;
  before(() => {
    fixture = new StepFixture();
    Object.assign(fixture.environment, {
      ANTHROPIC_API_KEY: 'sk-ant-of-the-person',
      GITHUB_TOKEN: 'ghp-of-the-person',
      OPENROUTER_API_KEY: 'or-of-the-person',
      MY_OWN_SECRET: 'denied-by-the-person',
      NPM_TOKEN: 'npm-of-the-person',
    });
  });
  after(() => fixture.close());

  /** Runs a command as a step and tells how it went, and why not. */
  async function run(
    command: string,
    more: Partial<SetupRequest> = {},
  ): Promise<{ result: StepResult; failure: string | undefined; output: string }> {
    const request: SetupRequest = {
      role: 'setup',
      command,
      cwd: fixture.root,
      ports: {},
      marks: { AGENTKIT_LANE: 'api', AGENTKIT_RUN: 'r1' },
      environment: fixture.environment,
      deny: [],
      timeoutS: 30,
      ...more,
    };
    const folder = fixture.folder();
    const result = await fixture.run(setupLaunch(request), folder);
    const { output: file } = stepFiles(folder);
    const output = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return { result, failure: await setupFailure(folder, request, result, request.timeoutS), output };
  }

  it('run a command line in the lane, with its ports and marks, and end well with it', async () => {
    const { result, failure, output } = await run(
      'echo "$PORT-$API_PORT $CI $AGENTKIT_LANE $AGENTKIT_RUN"; echo made > made-by-setup && pwd',
      { ports: { PORT: 4101, API_PORT: 4102 } },
    );
    assert.deepEqual([result.outcome, result.exit, failure], ['succeeded', 0, undefined]);
    assert.equal(output, `4101-4102 1 api r1\n${fixture.root}\n`);
    assert.equal(readFileSync(join(fixture.root, 'made-by-setup'), 'utf8'), 'made\n');
  });

  it('tell the command, its exit code and the last of what it printed when it fails', async () => {
    const { result, failure, output } = await run(
      'for n in $(seq 1 40); do echo "line $n"; done; printf "10%%\\r100%%\\n\\033[31mno such package\\033[0m\\n" >&2; exit 7',
    );
    assert.equal(result.outcome, 'failed');
    assert.match(failure ?? '', /^setup `for n in .*` failed with exit 7: line 3\d\n/);
    assert.match(failure ?? '', /\n100%\nno such package/);
    assert.ok(output.includes('line 1\n'), 'all of it is kept');
  });

  it('say what else became of it: never begun, too slow, ended by a signal', async () => {
    const gone = await run('true', { cwd: join(fixture.root, 'gone'), role: 'teardown' });
    assert.match(gone.failure ?? '', /^teardown `true` did not start: .*gone to start it in does not exist$/);
    const slow = await run('echo begun; sleep 100', { timeoutS: 1 });
    assert.equal(slow.result.outcome, 'timeout');
    assert.equal(slow.failure, 'setup `echo begun; sleep 100` did not end within 1s: begun');
    const killed = await run('kill -9 $$');
    assert.equal(killed.failure, 'setup `kill -9 $$` failed (Ended by signal SIGKILL)');
  });

  it('shorten an ending without lines', async () => {
    writeFileSync(join(fixture.root, 'long.txt'), 'x'.repeat(50_000));
    const { failure = '' } = await run('cat long.txt; exit 1');
    assert.match(failure, /exit 1: …x+$/);
    assert.ok(failure.length < 1000);
  });

  it('get no keys of vendors, of forges or that the person withholds, but those of registries', async () => {
    const { output } = await run(
      'for name in ANTHROPIC_API_KEY GITHUB_TOKEN OPENROUTER_API_KEY MY_OWN_SECRET NPM_TOKEN; do eval "echo $name=\\${$name:+set}"; done',
      { deny: ['MY_*'] },
    );
    assert.deepEqual(output.trimEnd().split('\n'), [
      'ANTHROPIC_API_KEY=',
      'GITHUB_TOKEN=',
      'OPENROUTER_API_KEY=',
      'MY_OWN_SECRET=',
      'NPM_TOKEN=set',
    ]);
  });

  it('have nobody to ask: what reads from standard input finds its end', async () => {
    const { result, output } = await run('read answer || echo "nobody answered"');
    assert.deepEqual([result.outcome, output], ['succeeded', 'nobody answered\n']);
  });

  it('end with everything that they started in the background', async () => {
    const { result } = await run('sleep 300 & echo $! > background.pid');
    assert.equal(result.outcome, 'succeeded');
    const pid = Number(readFileSync(join(fixture.root, 'background.pid'), 'utf8'));
    assert.ok(pid > 0);
    const entry = platform.find(pid);
    assert.ok(entry === null || entry.zombie, `${pid} still runs`);
  });
});
