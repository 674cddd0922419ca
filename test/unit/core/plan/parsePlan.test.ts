import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parsePlan } from '../../../../src/core/plan/parsePlan.ts';
import type { Plan } from '../../../../src/core/plan/plan.ts';

const head = 'version: 1\nname: demo\n';
const one = `${head}jobs:\n  - id: a\n    prompt: Do it\n`;

/** Problems as `line:column message`. */
function problems(text: string, kinds?: string[]): string[] {
  const parsed = parsePlan(text, kinds);
  return 'problems' in parsed
    ? parsed.problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
    : [];
}

function plan(text: string, kinds?: string[]): Plan {
  const parsed = parsePlan(text, kinds);
  assert.ok('plan' in parsed, JSON.stringify(parsed));
  return parsed.plan;
}

describe('parsePlan', () => {
  it('reads a plan and fills in what it leaves out', () => {
    assert.deepEqual(plan(one), {
      version: 1,
      name: 'demo',
      merge: { strategy: 'merge' },
      commit: 'kit',
      on_limit: 'restart',
      when_empty: 'stop',
      jobs: [
        {
          id: 'a',
          prompt: 'Do it',
          task: 'implement',
          importance: 'normal',
          paths: [],
          depends_on: [],
          effect: 'write',
          timeout: 1800,
          expects: 'changes',
        },
      ],
    });
  });

  it('reads every key, comments, anchors and Windows line ends', () => {
    const text = `# A plan
version: 1
name: billing
base: main
concurrency: 3
accounts: [demo/@one, demo/@two]
gate:
  - { name: test, run: npm test, timeout: 10m, matcher: $tap }
  - { name: lint, run: npm run lint }
review: { kind: demo, when: never }
merge: { strategy: merge, into: main }
commit: agent
on_limit: restart
when_empty: stop
jobs:
  - id: api
    kind: demo # which one
    model: big
    task: docs
    importance: high
    prompt: &text |
      Write it.
    paths: [src/api/**, test/api/**]
    depends_on: []
    effect: write
    timeout: 90
    expects: file:README.md
    issue: 31
  - { id: web, account: demo/@two, prompt: *text, depends_on: [api] }
`;
    const read = plan(text, ['demo']);
    assert.deepEqual(plan(text.replaceAll('\n', '\r\n'), ['demo']), read);
    assert.equal(read.gate?.[0]?.timeout, 600);
    assert.equal(read.jobs[0]?.timeout, 90);
    assert.equal(read.jobs[1]?.prompt, 'Write it.\n');
  });

  it('tells syntax errors with their place', () => {
    assert.match(problems('version: 1\nname: [a\n').join(), /^3:1 Flow sequence/);
    assert.deepEqual(problems(`${head}name: again\n`), ['3:1 Map keys must be unique']);
    assert.match(problems('version: 1\n\tname: x').join(), /^2:1 .*[Tt]abs/);
    assert.deepEqual(problems(`${one}---\nversion: 1\n`), [
      '6:1 a plan file holds one document, this is a second',
    ]);
    assert.deepEqual(problems('version: !big 1'), ['1:10 Unresolved tag: !big']);
    assert.match(problems(`${head}jobs: *none`).join(), /^3:7 cannot be read: Unresolved alias/);
    assert.match(problems(`${head}? [a]\n: b\n`).join(), /^3:3 .*keys must be strings/);
  });

  it('tells an empty file and one that is no mapping', () => {
    for (const text of ['', '# nothing yet\n', '~'])
      assert.match(problems(text).join(), /^1:1 the plan is empty$/);
    for (const text of ['- a', 'text', '3', 'true']) {
      assert.deepEqual(problems(text), ['1:1 a plan is a mapping with version, name and jobs'], text);
    }
  });

  it('tells what the schema refuses at the value, all at once and in order', () => {
    const text = `version: 2
name: 7
jobs:
  - id: Api
    prompt: ""
    timeout: 10x
    expects: much
    paths: src
    max_attempts: 0
  - {}
gate:
  - { name: test, run: x, timeout: true }
`;
    assert.deepEqual(problems(text), [
      '1:10 version: expected 1',
      '2:7 name: expected string, received number; put it in quotes',
      '4:9 jobs[0].id: use lower-case letters, digits and "-", at most 40',
      '5:13 jobs[0].prompt: Too small: expected string to have >=1 characters',
      '6:14 jobs[0].timeout: write a duration like 90s, 10m or 2h',
      '7:14 jobs[0].expects: write changes, none or file:<path>',
      '8:12 jobs[0].paths: expected array, received string',
      '9:19 jobs[0].max_attempts: Too small: expected number to be >=1',
      '10:5 jobs[1].id is missing',
      '10:5 jobs[1].prompt is missing',
      '12:36 gate[0].timeout: expected number or string',
    ]);
  });

  it('tells unknown keys at the key, also where they are dangerous', () => {
    assert.deepEqual(problems(`${one}    propmt: x\n`), ['6:5 unknown key "propmt"']);
    assert.deepEqual(problems(`${one}extra: 1\nmerge: { onto: x }\n`), [
      '6:1 unknown key "extra"',
      '7:10 unknown key "onto"',
    ]);
    assert.deepEqual(problems(`${one}__proto__: { version: 1 }\n`), ['6:1 unknown key "__proto__"']);
  });

  it('refuses a promised file outside of the repository, and takes one inside with any letters', () => {
    const found = (file: string) => problems(`${one}    expects: "file:${file}"\n`).join();
    for (const file of ['../../x', '/etc/x', 'src/../../x', '.git/config', ' x', 'src//x'])
      assert.match(found(file), /^6:14 "[^"]*" is no file of the repository: /, file);
    assert.match(found('src/'), /names a folder/);
    for (const file of ['x', 'src/[id].ts', 'a{b', 'what?.md', '!now', '..x/y'])
      assert.equal(found(file), '', file);
  });

  it('refuses two jobs or two checks of one name', () => {
    assert.deepEqual(problems(`${one}  - id: a\n    prompt: x\n`), [
      '6:9 job "a" is there twice, first as jobs[0]',
    ]);
    assert.deepEqual(problems(`${one}  - id: b\n    prompt: x\n`), []);
    const gate = 'gate:\n  - { name: t, run: a }\n  - { name: t, run: b }\n';
    assert.deepEqual(problems(one + gate), ['8:13 check "t" is there twice, first as gate[0]']);
  });

  it('refuses dependencies on jobs that are not there', () => {
    assert.deepEqual(problems(`${one}    depends_on:\n      - b\n`), [
      '7:9 depends_on names "b", which is no job of this plan',
    ]);
    assert.deepEqual(problems(`${one}    depends_on: [b]\n  - { id: b, prompt: x }\n`), []);
  });

  it('names cycles, at the entry that closes them', () => {
    const jobs = (...lines: string[]): string =>
      `${head}jobs:\n${lines.map((line) => `  - ${line}\n`).join('')}`;
    assert.deepEqual(
      problems(jobs('{ id: a, prompt: x, depends_on: [b] }', '{ id: b, prompt: x, depends_on: [a] }')),
      ['4:38 jobs wait for one another: a -> b -> a'],
    );
    assert.deepEqual(problems(jobs('{ id: a, prompt: x, depends_on: [a] }')), [
      '4:38 jobs wait for one another: a -> a',
    ]);
    assert.deepEqual(
      problems(
        jobs(
          '{ id: start, prompt: x, depends_on: [a] }',
          '{ id: a, prompt: x, depends_on: [done, b] }',
          '{ id: b, prompt: x, depends_on: [c] }',
          '{ id: c, prompt: x, depends_on: [a] }',
          '{ id: done, prompt: x }',
        ),
      ),
      ['5:44 jobs wait for one another: a -> b -> c -> a'],
    );
    const diamond = jobs(
      '{ id: a, prompt: x, depends_on: [b, c] }',
      '{ id: b, prompt: x, depends_on: [d] }',
      '{ id: c, prompt: x, depends_on: [d] }',
      '{ id: d, prompt: x }',
    );
    assert.deepEqual(problems(diamond), []);
  });

  it('refuses paths that are no patterns', () => {
    assert.deepEqual(problems(`${one}    paths:\n      - src/**\n      - ../other\n      - "a**"\n`), [
      '8:9 "../other" is not a path pattern: ".." would leave its folder',
      '9:9 "a**" is not a path pattern: "**" must stand alone between slashes',
    ]);
  });

  it('refuses accounts that are none, or contradict the kind', () => {
    assert.deepEqual(problems(`${one}    account: claude\n`), [
      '6:14 "claude" is not an account; write it as kind/@profile, like demo/@one',
    ]);
    assert.deepEqual(problems(`${one}    kind: demo\n    account: other/@one\n`), [
      '7:14 account "other/@one" contradicts kind "demo"; leave one of them out',
    ]);
    assert.deepEqual(problems(`${one}    kind: demo\n    account: demo/@one\n`), []);
    assert.match(
      problems(`${one}accounts: [demo/@one, nobody]\n`).join(),
      /^6:23 "nobody" is not an account/,
    );
  });

  it('refuses unknown kinds wherever they stand, if it knows the known ones', () => {
    const text = `${one}    kind: dmeo\n  - { id: b, prompt: x, account: odex/@a }\naccounts: [pii/@b]\nreview: { kind: zz, when: never }\n`;
    assert.deepEqual(problems(text, ['demo', 'codex']), [
      '6:11 unknown kind "dmeo"; known: demo, codex',
      '7:34 unknown kind "odex"; known: demo, codex',
      '8:12 unknown kind "pii"; known: demo, codex',
      '9:17 unknown kind "zz"; known: demo, codex',
    ]);
    assert.deepEqual(problems(text, ['dmeo', 'odex', 'pii', 'zz']), []);
    assert.deepEqual(problems(text), []);
  });

  const unsupported: [string, string, string][] = [
    ['review: { when: always }', '6:17 "review: when: always"', 'review: { when: never }'],
    ['review: { when: writes }', '6:17 "review: when: writes"', 'review: { kind: demo, when: never }'],
    ['merge: { strategy: squash }', '6:20 "merge: strategy: squash"', 'merge: { strategy: merge }'],
    ['merge: { strategy: rebase }', '6:20 "merge: strategy: rebase"', 'merge: { into: main }'],
    ['    effect: observe', '6:13 "effect: observe"', '    effect: write'],
  ];
  for (const [refused, problem, allowed] of unsupported) {
    it(`says that ${refused.trim()} is not supported, and takes ${allowed.trim()}`, () => {
      assert.deepEqual(problems(`${one}${refused}\n`), [`${problem} is not supported by this version`]);
      assert.deepEqual(problems(`${one}${allowed}\n`), []);
    });
  }

  it('takes every way to go on at a limit, without an account, and after a failure', () => {
    for (const said of [
      'on_limit: continue',
      'on_limit: handover',
      'when_empty: wait',
      '    max_attempts: 10',
    ])
      assert.deepEqual(problems(`${one}${said}\n`), [], said);
    for (const wrong of ['on_limit: go', 'when_empty: sleep', '    max_attempts: 0', '    max_attempts: 11'])
      assert.equal(problems(`${one}${wrong}\n`).length, 1, wrong);
  });

  it('can have agents ask, and cannot take that back', () => {
    assert.deepEqual(problems(`${one}permissions: ask\n`), []);
    for (const said of ['auto', 'Ask', '[ask]'])
      assert.deepEqual(problems(`${one}permissions: ${said}\n`), [
        '6:14 permissions: a plan can only have agents ask: write ask, or leave permissions out',
      ]);
  });

  it('keeps the number of problems small and never throws', () => {
    for (const text of [
      '['.repeat(4_000),
      '{a: '.repeat(4_000),
      '- '.repeat(4_000),
      '&a [*a]',
      `${head}jobs: &a [*a]`,
    ]) {
      const found = problems(text);
      assert.ok(found.length > 0 && found.length <= 20, text.slice(0, 20));
    }
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from('bcdefgh', (name, index) => `${name}: &${name} [${`*${'abcdefg'[index]},`.repeat(9)}]\n`).join('')}`;
    assert.match(problems(bomb).join(), /^1:1 cannot be read: Excessive alias count/);
  }).timeout(20_000);

  it('never throws, whatever the text', () => {
    const line = fc.constantFrom(
      ...`${one}    paths: [a, {b}]\n    depends_on: [a]\n  - &x *x\n  ? !t\n: |\n"\n'\n%YAML\n---\n\t-\n{`.split(
        '\n',
      ),
    );
    const texts = fc.oneof(
      fc.string(),
      fc.array(fc.oneof(line, fc.string({ maxLength: 8 }))).map((lines) => lines.join('\n')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parsePlan(text, []);
        const lines = text.split('\n').length;
        for (const { line, column } of 'problems' in parsed ? parsed.problems : []) {
          assert.ok(line >= 1 && line <= lines && column >= 1);
        }
      }),
      { numRuns: 500 },
    );
  }).timeout(20_000);
});
