import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { AgentSignal, Profile } from '../../../src/engine/agents/agentKind.ts';
import { createKinds } from '../../../src/engine/agents/kinds.ts';
import { makeSourceDist } from '../process/sourceDist.ts';

type Of<Type extends AgentSignal['type']> = Extract<AgentSignal, { type: Type }>;

describe('a session of the demo agent', function () {
  this.timeout(60_000);
  const root = mkdtempSync(join(tmpdir(), "agentkit demo's session ü "));
  const dist = makeSourceDist(root);
  const kind = createKinds({ node: process.execPath, dist, environment: {} }).get('demo') ?? assert.fail();
  let count = 0;
  let work: string;
  /** Two accounts, new ones for each test. */
  let one: Profile;
  let two: Profile;
  beforeEach(() => {
    count += 1;
    work = join(root, `work ${count}`);
    const account = (name: string) => ({ kind: 'demo', name, folder: join(root, `${count}`, name.slice(1)) });
    [one, two] = [account('@one'), account('@two')];
    [work, one.folder, two.folder].forEach((folder) => mkdirSync(folder ?? '', { recursive: true }));
    execFileSync('git', ['init', '--quiet', work]);
    git('config', 'user.name', 'Test');
    git('config', 'user.email', 'test@example.invalid');
  });
  after(() => rmSync(root, { recursive: true }));

  const git = (...args: string[]) => execFileSync('git', args, { cwd: work, encoding: 'utf8' });
  const log = () => git('log', '--reverse', '--format=%s').trim().split('\n');
  const block = (yaml: string) =>
    `Do this piece.\n\n\`\`\`demo\n${yaml}\n\`\`\`\n\n---\nYou may write: any.\n`;
  const file = (path: string) => readFileSync(join(work, path), 'utf8');
  const sessionFile = ({ folder }: Profile, session: string) =>
    join(folder ?? '', 'sessions', `${session}.jsonl`);

  /** Runs the agent under an account as its kind starts it. */
  async function run(profile: Profile, prompt: string, resume?: string) {
    const { argv, env } = kind.launch(profile, { posture: 'auto', ...(resume !== undefined && { resume }) });
    const [program = '', ...args] = argv;
    const child = spawn(program, args, { cwd: work, env: { ...process.env, ...env } });
    child.stdin.end(prompt);
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [stdout, stderr, exit] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    assert.equal(stderr, '');
    const signals = stdout.split('\n').flatMap((line) => kind.parseLine(line));
    const only = <Type extends AgentSignal['type']>(type: Type) =>
      signals.find((signal): signal is Of<Type> => signal.type === type);
    return { exit, session: only('session')?.id ?? '', limit: only('limit'), result: only('result') };
  }

  it('is kept for its account alone, and told by its id', async () => {
    const { session, exit } = await run(one, block('- say: hi'));
    assert.equal(exit, 0);
    assert.equal(await kind.hasSession?.(one, session, work), true);
    assert.equal(await kind.hasSession?.(two, session, work), false);
    assert.equal(statSync(sessionFile(one, session)).mode & 0o777, 0o600);
    assert.equal(statSync(join(one.folder ?? '', 'sessions')).mode & 0o777, 0o700);
  });

  it('takes a follow-up that has steps of its own, and one that has none as a note', async () => {
    const first = await run(one, block('- write: { path: a.txt, content: a }\n- commit: A'));
    const second = await run(one, block('- append: { path: a.txt, content: b }\n- commit: B'), first.session);
    assert.deepEqual([second.exit, second.session], [0, first.session]);
    assert.equal(file('a.txt'), 'ab');
    assert.deepEqual(log(), ['A', 'B']);
    const third = await run(one, 'Also the docs\n\n---\nYou may write: any.\n', first.session);
    assert.equal(third.exit, 0);
    assert.match(file('notes/also-the-docs.md'), /^# Also the docs/);
  });

  it('ends at a limit after its work, as its stream tells, and goes on there when it is over', async () => {
    const steps = `- write: { path: a.txt, content: a }
- commit: A
- write: { path: b.txt, content: b }
- limit: { accounts: ['@one'], window: weekly, resets_in_s: 600 }
- write: { path: c.txt, content: c }
- commit: The rest`;
    const began = Date.now();
    const { exit, limit, result, session } = await run(one, block(steps));
    assert.deepEqual([exit, result?.ok, limit?.window], [1, false, 'weekly']);
    const reset = Date.parse(limit?.resets_at ?? '');
    assert.ok(reset >= began + 600_000 && reset <= Date.now() + 600_000, limit?.resets_at);
    assert.deepEqual(log(), ['A']);
    assert.equal(git('status', '--porcelain'), '?? b.txt\n');
    // It is still used up; then the session goes on under another account, with what it had not committed.
    assert.equal((await run(one, 'Go on.', session)).limit?.window, 'weekly');
    const kept = readFileSync(sessionFile(one, session));
    await kind.carrySession?.(one, two, session, work);
    const rest = await run(two, 'Go on.', session);
    assert.deepEqual([rest.exit, rest.limit, rest.session], [0, undefined, session]);
    assert.deepEqual(log(), ['A', 'The rest']);
    assert.equal(git('show', '--format=', '--name-only'), 'b.txt\nc.txt\n');
    assert.equal(git('status', '--porcelain'), '');
    assert.deepEqual(readFileSync(sessionFile(one, session)), kept, 'the original is as it was');
  });

  it('ends every account at a limit that names none', async () => {
    const { session } = await run(one, block('- limit: {}\n- write: { path: a.txt, content: a }'));
    await kind.carrySession?.(one, two, session, work);
    const again = await run(two, 'Go on.', session);
    assert.deepEqual([again.exit, again.limit?.window], [1, '5h']);
  });

  it('lets another agent do the same steps over what is there, as after a handover', async () => {
    const steps = `- write: { path: a.txt, content: a }
- commit: A
- limit: { accounts: ['@one'] }
- write: { path: b.txt, content: b }
- commit: B`;
    assert.equal((await run(one, block(steps))).exit, 1);
    const other = await run(two, block(steps));
    assert.deepEqual([other.exit, other.result?.text], [0, 'Done, 5 steps.']);
    assert.deepEqual(log(), ['A', 'B']);
  });

  it('does no step twice, also where a crash tore its file', async () => {
    const { session } = await run(one, block('- append: { path: a.txt, content: a }\n- limit: {}'));
    appendFileSync(sessionFile(one, session), '{"type":"do');
    await run(one, block('- append: { path: a.txt, content: b }\n- limit: {}'), session);
    const last = await run(one, 'Go on.', session);
    assert.deepEqual([file('a.txt'), last.limit?.window], ['ab', '5h']);
  });

  it('is gone on with nowhere else, and never by a path', async () => {
    const { session } = await run(one, block('- say: hi'));
    writeFileSync(join(one.folder ?? '', 'outside.jsonl'), readFileSync(sessionFile(one, session)));
    for (const [profile, id] of [
      [two, session],
      [one, '67a3a89b-0f1d-4642-8866-a3bac68541e3'],
      [one, '../outside'],
      [{ ...one, folder: null }, session],
    ] as const) {
      const { exit, result } = await run(profile, block('- write: { path: no.txt, content: x }'), id);
      assert.deepEqual([exit, result?.ok], [1, false]);
      assert.match(result?.text ?? '', /has no session/);
    }
    assert.throws(() => file('no.txt'), { code: 'ENOENT' });
  });

  for (const [what, yaml] of [
    ['a limit of no window that there is', '- limit: { window: daily }'],
    ['an account without its @', '- limit: { accounts: [one] }'],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const { exit, limit, result } = await run(one, block(yaml));
      assert.deepEqual([exit, limit], [1, undefined]);
      assert.match(result?.text ?? '', /demo block, line 1/);
    });
  }
});
