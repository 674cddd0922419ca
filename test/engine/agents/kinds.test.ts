import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { AgentKitError } from '../../../src/core/agentKitError.ts';
import type { AgentKind, AgentSignal, LaunchOptions } from '../../../src/engine/agents/agentKind.ts';
import { createKinds } from '../../../src/engine/agents/kinds.ts';
import { usageKinds } from '../../../src/engine/agents/usageKinds.ts';
import { builtInKinds, userKindSchema } from '../../../src/engine/agents/user/userKindSchema.ts';
import { withheldNames } from '../../../src/engine/process/childEnvironment.ts';
import { readRecording } from './readRecording.ts';

const session = '01a22a26-01a3-7d80-bf0a-35a4a24f482e';
const secret = 'a-key-of-the-caller';
const keys = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'CODEX_API_KEY', 'GEMINI_API_KEY', 'OPENCODE_API_KEY'];

/** A kind as a user may describe it, with all that can be said. */
const described = userKindSchema.parse({
  run: ['usertool', 'exec', '{options}', '{prompt_file}'],
  ask: ['usertool', 'exec', '--ask', '{options}', '{prompt_file}'],
  read_only: ['usertool', 'exec', '--read', '{options}', '{prompt_file}'],
  result: 'jsonl:$.text',
  session: '$.session',
  resume: ['--resume', '{session}'],
  model: ['--model', '{model}'],
  home_env: 'USERTOOL_HOME',
  version: ['usertool', '--version'],
  install: 'npm install -g usertool',
});

const everyKindHas = ['environment', 'launch', 'parseLine', 'readUsage'] as const;
const mayBeNull: readonly string[] = ['interactive', 'login', 'trustFolder'];
const parts = [
  'interactive',
  'login',
  'trustFolder',
  'openStream',
  'parseErrorLine',
  'openErrorStream',
  'usageBefore',
  'readAfterwards',
  'hasSession',
  'carrySession',
  'probe',
  'prepareProfile',
] as const;
type Part = (typeof parts)[number];

/** The parts that not every kind has, and who has which. */
const partsOf: Readonly<
  Record<'demo' | 'claude' | 'codex' | 'pi' | 'gemini' | 'opencode' | 'usertool', readonly Part[]>
> = {
  demo: ['hasSession', 'carrySession', 'prepareProfile'],
  claude: ['interactive', 'login', 'trustFolder', 'usageBefore', 'hasSession', 'carrySession', 'probe'],
  codex: [
    'interactive',
    'login',
    'trustFolder',
    'usageBefore',
    'readAfterwards',
    'hasSession',
    'carrySession',
    'probe',
    'prepareProfile',
  ],
  pi: ['interactive', 'login', 'trustFolder', 'parseErrorLine', 'hasSession', 'probe'],
  gemini: ['interactive', 'login', 'trustFolder', 'openStream', 'openErrorStream', 'hasSession', 'probe'],
  opencode: ['interactive', 'login', 'openStream', 'parseErrorLine', 'hasSession', 'probe'],
  usertool: ['openStream', 'probe'],
};

/** Fails to compile when the kinds get a part that no list here names. */
type Listed = Part | (typeof everyKindHas)[number] | 'id' | 'label' | 'hasDefaultProfile' | 'install';
type Unlisted = Exclude<keyof AgentKind, Listed | 'cli' | 'needs' | 'usageIsLocal'>;
const unlisted: [Unlisted] extends [never] ? [] : Unlisted = [];

const signalTypes = ['progress', 'session', 'result', 'limit', 'refused', 'windows', 'waiting'];

describe('kinds', function () {
  this.timeout(30_000);
  const root = mkdtempSync(join(tmpdir(), 'agentkit kinds '));
  const bin = join(root, 'bin');
  const create = (path: string) =>
    createKinds({
      node: '/opt/node',
      dist: '/opt/dist',
      environment: {
        PATH: path,
        HOME: root,
        // Claude Code lets root work without asking only there.
        IS_SANDBOX: '1',
        ...Object.fromEntries(keys.map((name) => [name, secret])),
      },
      described: new Map([['usertool', described]]),
    });
  const kinds = create('/nowhere');
  const installed = create(bin);
  before(() => {
    mkdirSync(bin);
    vendors.forEach(({ id }) => writeFileSync(join(bin, id), '#!/bin/sh\n', { mode: 0o755 }));
  });
  after(() => rmSync(root, { recursive: true }));
  const vendors = [...kinds.values()].filter(({ id }) => id !== 'demo');

  it('are those of the list that no description may take', () => {
    assert.deepEqual([...kinds.keys()].sort(), [...builtInKinds, 'usertool'].sort());
  });

  it('say on their cards what they are', async () => {
    for (const path of ['/nowhere', bin]) {
      const whole = create(path);
      const options = { node: '/opt/node', dist: '/opt/dist', environment: { PATH: path, HOME: root } };
      for (const id of builtInKinds) {
        const [card] = (await usageKinds(id, options)).values();
        const kind = whole.get(id);
        assert.ok(card && kind, id);
        assert.deepEqual(
          [card.id, card.usageIsLocal, card.hasDefaultProfile, typeof card.probe],
          [id, kind.usageIsLocal ?? false, kind.hasDefaultProfile, typeof kind.probe],
        );
        const profile = { kind: id, name: '@one', folder: '/nowhere' };
        if (path === bin) continue;
        assert.deepEqual(await card.readUsage(profile), await kind.readUsage(profile));
        const environment = { PATH: path };
        assert.deepEqual(await card.probe?.(profile, environment), await kind.probe?.(profile, environment));
      }
    }
  });

  for (const [id, kind] of kinds) {
    it(`has all of ${id}`, async () => {
      assert.deepEqual(unlisted, []);
      assert.equal(kind.id, id);
      assert.match(kind.label, /\S/);
      assert.ok(kind.install === null ? id === 'demo' : /\S/.test(kind.install));
      assert.equal(typeof kind.hasDefaultProfile, 'boolean');
      for (const name of everyKindHas) assert.equal(typeof kind[name], 'function', name);
      const has = partsOf[id as keyof typeof partsOf];
      for (const name of parts) {
        const expected = has.includes(name) ? 'function' : mayBeNull.includes(name) ? 'object' : 'undefined';
        assert.equal(typeof kind[name], expected, name);
      }
      assert.equal(kind.cli?.program, id === 'demo' ? undefined : id);
      assert.deepEqual(kind.needs, id === 'usertool' ? [] : undefined);
      assert.equal(kind.usageIsLocal ?? false, id !== 'claude' && id !== 'codex');
      assert.deepEqual(kind.parseLine('  '), []);
      assert.equal(kind.parseLine('plain words')[0]?.type, 'progress');
      const nobody = { kind: id, name: '@one', folder: '/nowhere' };
      assert.equal((await kind.hasSession?.(nobody, session, root)) ?? false, false);
      const carried = kind.carrySession?.(nobody, { ...nobody, name: '@two' }, session, root);
      if (carried !== undefined) await assert.rejects(carried, { reason: 'not_found' });
      const usage = await kind.readUsage(nobody);
      assert.deepEqual([usage.status, usage.windows, typeof usage.reason], ['unknown', [], 'string']);
    });

    it(`reads whatever ${id} may print`, () => {
      const lines = fc.array(fc.oneof(fc.string(), fc.json(), brokenRecord(kind)), { maxLength: 10 });
      const read = (some: string[]) => [
        ...some.flatMap((line) => kind.parseLine(line)),
        ...some.flatMap(kind.openStream?.() ?? (() => [])),
        ...some.flatMap((line) => kind.parseErrorLine?.(line) ?? []),
        ...some.flatMap(kind.openErrorStream?.() ?? (() => [])),
      ];
      fc.assert(
        fc.property(lines, (some) => {
          const signals = read(some);
          return signals.every(isSignal);
        }),
        { numRuns: 250 },
      );
    });
  }

  for (const kind of vendors) {
    const there = installed.get(kind.id) ?? assert.fail();
    const profile = { kind: kind.id, name: '@one', folder: '/profiles/one' };
    const own = { kind: kind.id, name: '@default', folder: null };
    const starts = (['auto', 'ask', 'read-only'] as const).flatMap((posture): LaunchOptions[] => [
      { posture },
      { posture, model: 'some-model', resume: session },
    ]);

    it(`keeps the accounts of ${kind.id} apart, and its own home as it is`, () => {
      const selects = there.environment(profile);
      assert.ok(Object.values(selects).some((value) => value.startsWith('/profiles/one')));
      assert.equal(Object.values(there.environment(own)).join(' ').includes('/profiles'), false);
      for (const options of starts) {
        const { env } = there.launch(profile, options);
        assert.deepEqual({ ...env, ...selects }, env, 'what selects the profile is set');
        const { env: ofOwn } = there.launch(own, options);
        assert.equal(
          Object.keys(selects).some((name) => name in ofOwn && !(name in there.environment(own))),
          false,
        );
      }
    });

    it(`selects an account of ${kind.id} by variables that none inherits from another`, () => {
      if (kind.id === 'usertool' || kind.id === 'opencode') return; // Named by a user; XDG's, which are no vendor's.
      const names = Object.keys(there.environment(profile));
      assert.deepEqual(withheldNames(Object.fromEntries(names.map((name) => [name, 'x']))), names.sort());
    });

    it(`starts ${kind.id} in each posture, with a model and a session`, () => {
      const argvs = starts.map((options) => there.launch(profile, options).argv);
      for (const [index, argv] of argvs.entries()) {
        assert.equal(argv[0], join(bin, kind.id));
        const chosen = starts[index]?.model !== undefined;
        assert.equal(/some-model/.test(argv.join(' ')), chosen);
        assert.equal(argv.join(' ').includes(session), chosen);
      }
      const texts = starts.map((options) => JSON.stringify(there.launch(profile, options)));
      assert.notEqual(texts[0], texts[2], 'asking is not the same as working alone');
      assert.notEqual(texts[0], texts[4], 'reading is not the same as working alone');
    });

    it(`takes no value for ${kind.id} that would be an option`, () => {
      for (const [name, value] of [
        ['model', '--dangerous'],
        ['resume', '-x'],
      ] as const) {
        try {
          const { argv } = there.launch(profile, { posture: 'auto', [name]: value });
          assert.ok(argv.some((word) => word.endsWith(`=${value}`)) && !argv.includes(value));
        } catch (error) {
          assert.equal((error as AgentKitError).reason, 'invalid_input');
        }
      }
    });

    it(`hands no key of the caller to ${kind.id}, neither as an argument nor as a variable`, () => {
      for (const options of starts) {
        const start = JSON.stringify(there.launch(profile, options));
        assert.equal(start.includes(secret), false);
        assert.doesNotMatch(start, /\{prompt\}/);
      }
    });

    it(`opens the screen of ${kind.id}, where it has one, under the account, with the person's arguments`, () => {
      if (there.interactive === null) return;
      for (const resume of [undefined, 'last' as const, { id: session }]) {
        for (const posture of ['auto', 'ask'] as const) {
          const request = { posture, args: ['--own'], ...(resume && { resume }) };
          const { argv, env } = there.interactive(profile, request);
          assert.deepEqual([argv[0], argv.at(-1)], [join(bin, kind.id), '--own']);
          assert.deepEqual({ ...env, ...there.environment(profile) }, env);
          assert.equal(argv.join(' ').includes(session), typeof resume === 'object');
        }
      }
    });

    it(`logs in to ${kind.id}, where that can be, under the account`, () => {
      const start = there.login?.(profile);
      if (start === undefined) return;
      assert.equal(start.argv[0], join(bin, kind.id));
      assert.deepEqual({ ...start.env, ...there.environment(profile) }, start.env);
    });

    it(`does not start ${kind.id} where it is not installed`, () => {
      assert.deepEqual([there.hasDefaultProfile, kind.hasDefaultProfile], [true, false]);
      assert.throws(() => kind.launch(profile, { posture: 'read-only' }), { reason: 'not_installed' });
      if (kind.login !== null) assert.throws(() => kind.login?.(profile), { reason: 'not_installed' });
    });

    it(`says that ${kind.id} is not installed, and how to install it`, async () => {
      const found = await kind.probe?.(
        { kind: kind.id, name: '@one', folder: '/nowhere' },
        { PATH: '/nowhere' },
      );
      assert.deepEqual([found?.version, found?.login], [null, 'unknown']);
      assert.match(found?.problem ?? '', /npm install -g/);
    });
  }
});

/** A record of the kind's own, broken somewhere. */
function brokenRecord(kind: AgentKind): fc.Arbitrary<string> {
  const folder = new URL('recorded/', import.meta.url);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const own = names.filter((name) => name.startsWith(kind.id) && name.endsWith('.jsonl'));
  const lines = own.flatMap((name) => readRecording(name.slice(0, -'.jsonl'.length)));
  return fc
    .tuple(fc.constantFrom(...lines, '{"text":"words","session":"s"}'), fc.nat(500), fc.string())
    .map(([line, at, text]) => line.slice(0, at) + text + line.slice(at + text.length));
}

function isSignal(signal: AgentSignal): boolean {
  return (
    signalTypes.includes(signal.type) &&
    (signal.type !== 'progress' || typeof signal.line.text === 'string') &&
    (signal.type !== 'result' || (typeof signal.ok === 'boolean' && typeof signal.text === 'string')) &&
    (signal.type !== 'limit' || signal.resets_at === undefined || !Number.isNaN(Date.parse(signal.resets_at)))
  );
}
