import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKinds } from '../../../src/engine/agents/kinds.ts';

const recorded = new URL('recorded/', import.meta.url);

describe('demo kind', function () {
  this.timeout(30_000);
  const demo = createKinds({ node: '/opt/node', dist: '/opt/dist', environment: {} }).get('demo')!;
  const folder = mkdtempSync(join(tmpdir(), "agentkit usage's ü "));
  const profile = { kind: 'demo', name: '@one', folder };
  const file = join(folder, 'usage.json');
  after(() => rmSync(folder, { recursive: true }));

  it('is started with our own program and the profile, with nothing of the prompt', () => {
    assert.deepEqual(demo.launch(profile, { posture: 'auto' }), {
      argv: ['/opt/node', '/opt/dist/demoAgent.js'],
      env: { ELECTRON_RUN_AS_NODE: '1', AGENTKIT_DEMO_PROFILE: folder },
    });
  });

  for (const [name, ok] of [
    ['demo-success.jsonl', true],
    ['demo-failure.jsonl', false],
  ] as const) {
    it(`reads the recorded run ${name}`, () => {
      const signals = readFileSync(new URL(name, recorded), 'utf8')
        .split('\n')
        .flatMap((line) => demo.parseLine(line));
      assert.equal(signals[0]?.type, 'session');
      const result = signals.at(-1);
      assert.deepEqual([result?.type, result?.type === 'result' && result.ok], ['result', ok]);
      const shown = signals.flatMap((signal) => (signal.type === 'progress' ? [signal.line] : []));
      assert.match(shown[0]?.text ?? '', /no AI/);
      assert.equal(shown.at(-1)?.kind, ok ? 'text' : 'error');
      assert.equal(
        shown.some((line) => line.kind === 'output'),
        false,
      );
    });
  }

  it('shows lines that it does not know, and takes no half record for a result', () => {
    for (const line of ['plain words', '{"type":"result","ok":true', '{"type":"later"}', '[]', 'null']) {
      assert.deepEqual(demo.parseLine(line), [{ type: 'progress', line: { kind: 'output', text: line } }]);
    }
    assert.deepEqual(demo.parseLine('  '), []);
  });

  it('tells what the agent waits for', () => {
    const line = JSON.stringify({ type: 'waiting', reason: 'login', text: 'Log in' });
    assert.deepEqual(demo.parseLine(line), [{ type: 'waiting', reason: 'login', message: 'Log in' }]);
    const other = JSON.stringify({ type: 'waiting', reason: 'fun', text: 'Log in' });
    assert.equal(demo.parseLine(other)[0]?.type, 'progress');
  });

  it('reads windows, with resets counted from the time the file was saved', async () => {
    writeFileSync(
      file,
      JSON.stringify({
        plan: 'demo',
        windows: [
          { id: '5h', used_pct: 40, resets_in_s: 3600 },
          { id: 'weekly', used_pct: 12.5 },
          { id: 'weekly:large', used_pct: 90, resets_at: '2099-01-01T00:00:00+01:00' },
        ],
      }),
    );
    const saved = new Date(Math.floor(Date.now() / 1000) * 1000 - 600_000);
    utimesSync(file, saved, saved);
    assert.deepEqual(await demo.readUsage(profile), {
      status: 'ok',
      plan: 'demo',
      windows: [
        {
          id: '5h',
          label: '5 hours',
          seconds: 18_000,
          used_pct: 40,
          free_pct: 60,
          resets_at: new Date(saved.getTime() + 3_600_000).toISOString(),
        },
        { id: 'weekly', label: 'Week', seconds: 604_800, used_pct: 12.5, free_pct: 87.5, resets_at: null },
        {
          id: 'weekly:large',
          label: 'Week, large',
          seconds: 604_800,
          model: 'large',
          used_pct: 90,
          free_pct: 10,
          resets_at: '2098-12-31T23:00:00.000Z',
        },
      ],
    });
  });

  it('starts a window anew once its reset is over', async () => {
    writeFileSync(file, JSON.stringify({ windows: [{ id: '5h', used_pct: 99, resets_in_s: 60 }] }));
    const saved = new Date(Date.now() - 61_000);
    utimesSync(file, saved, saved);
    const { windows } = await demo.readUsage(profile);
    assert.deepEqual([windows[0]?.used_pct, windows[0]?.free_pct, windows[0]?.resets_at], [0, 100, null]);
  });

  it('says limits and logins as the file does', async () => {
    writeFileSync(file, '{ "status": "rate_limited", "windows": [] }');
    assert.equal((await demo.readUsage(profile)).status, 'rate_limited');
    writeFileSync(file, '{ "status": "not_logged_in", "windows": [] }');
    assert.equal((await demo.readUsage(profile)).status, 'not_logged_in');
  });

  const broken: [string, string, RegExp][] = [
    ['half a file', '{\n "plan": "demo",\n "windows": [', /usage\.json, line 3: /],
    [
      'a percentage above 100',
      '{\n "windows": [\n  { "id": "5h", "used_pct": 140 }\n ]\n}',
      /usage\.json, line 3: windows\.0\.used_pct: /,
    ],
    [
      'an unknown window',
      '{"windows": [{ "id": "daily", "used_pct": 1 }]}',
      /line 1: windows\.0\.id: must be 5h, weekly/,
    ],
    ['a misspelt key', '{\n"windows": [],\n"stauts": "ok" }', /usage\.json, line 1: .*stauts/],
    ['no windows', '{}', /windows/],
    ['something else', 'hello', /usage\.json, line 1/],
  ];
  for (const [what, content, reason] of broken) {
    it(`makes the account unknown with the reason for ${what}`, async () => {
      writeFileSync(file, content);
      const answer = await demo.readUsage(profile);
      assert.deepEqual([answer.status, answer.windows], ['unknown', []]);
      assert.match(answer.reason ?? '', reason);
    });
  }

  it('makes the account unknown when there is no file', async () => {
    rmSync(file);
    assert.match((await demo.readUsage(profile)).reason ?? '', /usage\.json/);
    mkdirSync(file);
    assert.equal((await demo.readUsage(profile)).status, 'unknown');
    rmSync(file, { recursive: true });
  });
});
