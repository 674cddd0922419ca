import assert from 'node:assert/strict';
import fc from 'fast-check';
import { editJob } from '../../../../src/core/plan/editPlan.ts';
import { parsePlan } from '../../../../src/core/plan/parsePlan.ts';
import type { JobField } from '../../../../src/core/plan/readField.ts';

const plan = `# The plan
version: 1   # always
name:   shop

jobs:
  - id: api       # the first
    kind: demo    # which agent
    prompt: | # what to do
      Write the API.

      With tests.
    # what it may write
    paths:
      - src/api/**   # the API
      # and its tests
      - test/api/**

  - id: web
    prompt: Write the page.   # one line
    paths: [src/web/**,   "test/web/**"]  # both
    depends_on: [ api ]
  - account: demo/@one
    id: docs
    prompt: "Write the docs: all"
`;

function edit(job: string, field: JobField, value: string, text = plan): string {
  const edited = editJob(text, job, field, value);
  assert.ok('text' in edited, JSON.stringify(edited));
  return edited.text;
}

function problem(job: string, field: JobField, value: string, text = plan): string {
  const edited = editJob(text, job, field, value);
  return 'problem' in edited ? edited.problem : 'no problem';
}

/** The plan with one stretch of text exchanged, and nothing else. */
function changed(from: string, to: string): string {
  assert.equal(plan.split(from).length, 2, `"${from}" has to be there once`);
  return plan.replace(from, () => to);
}

describe('editJob', () => {
  it('changes a prompt in a block, its comment and all around it stays', () => {
    assert.equal(edit('api', 'prompt', 'Do it.'), changed('Write the API.\n\n      With tests.', 'Do it.'));
    assert.equal(
      edit('api', 'prompt', '  Two\r\n\r\nlines: # of them  \n\n'),
      changed(
        '| # what to do\n      Write the API.\n\n      With tests.',
        '|2 # what to do\n        Two\n\n      lines: # of them',
      ),
    );
  });

  it('changes a prompt of one line, and makes it a block when it gets several', () => {
    assert.equal(edit('web', 'prompt', 'Write it'), changed('Write the page.', 'Write it'));
    assert.equal(edit('web', 'prompt', 'a: b'), changed('Write the page.', '"a: b"'));
    assert.equal(
      edit('web', 'prompt', 'One\nTwo'),
      changed('Write the page.   # one line', '|   # one line\n      One\n      Two'),
    );
    assert.equal(edit('docs', 'prompt', 'Plain'), changed('"Write the docs: all"', 'Plain'));
  });

  it('changes paths in brackets, given as lines or with commas', () => {
    const expected = changed('[src/web/**,   "test/web/**"]', '[src/**, "*.{ts,js}", "**/[,x]"]');
    assert.equal(edit('web', 'paths', 'src/**\n *.{ts,js} \n\n**/[,x]'), expected);
    assert.equal(edit('web', 'paths', 'src/**, *.{ts,js}, **/[,x]'), expected);
    assert.equal(edit('web', 'paths', ''), changed('[src/web/**,   "test/web/**"]', '[]'));
  });

  it('keeps the lines of listed paths that stay, with their comments', () => {
    assert.equal(
      edit('api', 'paths', 'src/api/**, test/api/**, docs/*'),
      changed('      - test/api/**\n', '      - test/api/**\n      - docs/*\n'),
    );
    assert.equal(edit('api', 'paths', 'test/api/**'), changed('      - src/api/**   # the API\n', ''));
    assert.equal(
      edit('api', 'paths', ''),
      changed(
        'paths:\n      - src/api/**   # the API\n      # and its tests\n      - test/api/**\n',
        'paths: []\n',
      ),
    );
  });

  it('adds paths behind the prompt, kind and account behind the id', () => {
    assert.equal(edit('docs', 'paths', 'docs'), `${plan}    paths: [docs]\n`);
    assert.equal(edit('web', 'kind', 'demo'), changed('- id: web\n', '- id: web\n    kind: demo\n'));
    assert.equal(
      edit('api', 'account', 'demo/@two'),
      changed('- id: api       # the first\n', '- id: api       # the first\n    account: demo/@two\n'),
    );
    assert.equal(edit('docs', 'kind', 'demo'), changed('id: docs\n', 'id: docs\n    kind: demo\n'));
  });

  it('changes kind and account, and takes them out when they are empty', () => {
    assert.equal(edit('api', 'kind', 'other'), changed('kind: demo    #', 'kind: other    #'));
    assert.equal(edit('docs', 'account', 'demo/@two'), changed('demo/@one', 'demo/@two'));
    assert.equal(edit('api', 'kind', ' '), changed('    kind: demo    # which agent\n', ''));
    assert.equal(edit('docs', 'account', ''), changed('account: demo/@one\n    id', 'id'));
    assert.equal(edit('web', 'account', ''), plan);
  });

  it('leaves a text as it is when nothing changes', () => {
    assert.equal(edit('api', 'prompt', 'Write the API.\n\nWith tests.\n'), plan);
    assert.equal(edit('web', 'paths', 'src/web/**, test/web/**'), plan);
  });

  it('keeps Windows line ends', () => {
    const windows = plan.replaceAll('\n', '\r\n');
    const edits: [string, JobField, string][] = [
      ['web', 'prompt', 'One\nTwo'],
      ['api', 'prompt', 'One\n\nTwo'],
      ['api', 'paths', 'test/api/**, docs'],
      ['api', 'kind', ''],
      ['web', 'kind', 'demo'],
      ['docs', 'paths', 'docs'],
    ];
    for (const [job, field, value] of edits) {
      assert.equal(
        edit(job, field, value, windows),
        edit(job, field, value).replaceAll('\n', '\r\n'),
        `${job} ${field}`,
      );
    }
  });

  it('edits jobs in braces and a text without a last line end', () => {
    const text = 'version: 1\nname: x\njobs: [{ id: a, prompt: x, paths: [b] }] # all';
    assert.equal(
      edit('a', 'prompt', 'One\n"two"', text),
      text.replace('prompt: x', 'prompt: "One\\n\\"two\\"\\n"'),
    );
    assert.equal(edit('a', 'paths', 'c, d', text), text.replace('[b]', '[c, d]'));
    for (const [field, value] of [
      ['kind', 'demo'],
      ['account', 'demo/@a'],
    ] as const) {
      const edited = edit('a', field, value, text);
      assert.match(edited, /# all/);
      const parsed = parsePlan(edited);
      assert.equal('plan' in parsed && parsed.plan.jobs[0]?.[field], value);
      assert.doesNotMatch(edit('a', field, '', edited), new RegExp(field));
    }
    const open = 'version: 1\nname: x\njobs:\n- id: a\n  prompt: x';
    assert.equal(edit('a', 'paths', 'src', open), `${open}\n  paths: [src]`);
    assert.equal(edit('a', 'kind', 'demo', open), open.replace('id: a\n', 'id: a\n  kind: demo\n'));
  });

  it('refuses what it could not do alone', () => {
    const shared = `version: 1
name: x
jobs:
  - id: a
    prompt: &text Do it
    kind: &k demo
  - { id: b, prompt: *text, kind: *k }
`;
    assert.match(problem('a', 'prompt', 'Other', shared), /cannot be changed alone here; edit the plan file/);
    // The one that only refers to it can be.
    const parsed = parsePlan(edit('b', 'prompt', 'Other', shared));
    assert.deepEqual('plan' in parsed && parsed.plan.jobs.map(({ prompt }) => prompt), ['Do it', 'Other']);
  });

  it('refuses when another job would change along', () => {
    const shared = `version: 1
name: x
jobs:
  - { id: a, prompt: x, paths: &p [src, docs] }
  - { id: b, prompt: y, paths: *p }
`;
    assert.match(problem('a', 'paths', 'src', shared), /cannot be changed alone here/);
    assert.equal(
      edit('a', 'paths', 'src', shared.replace('&p ', '').replace('*p', '[src]')).includes('paths: [src] }'),
      true,
    );
  });

  it('says what is wrong with the input', () => {
    assert.equal(problem('gone', 'prompt', 'x'), 'there is no job "gone" in this plan');
    assert.equal(problem('api', 'prompt', ' \n'), 'the prompt may not be empty');
    assert.equal(
      problem('api', 'paths', 'src, ../x'),
      '"../x" is not a path pattern: ".." would leave its folder',
    );
    assert.match(problem('api', 'account', 'one'), /"one" is not an account/);
    assert.match(problem('api', 'kind', 'two words'), /a kind is one word/);
    assert.match(problem('api', 'kind', 'demo', 'jobs: [a\n'), /^line 2: /);
    assert.equal(problem('api', 'kind', 'demo', 'jobs: 3\n'), 'there is no job "api" in this plan');
    assert.equal(problem('api', 'kind', 'demo', ''), 'there is no job "api" in this plan');
  });

  it('any prompt is read back as typed, and the other jobs stay to the letter', () => {
    const odd = fc.string({
      unit: fc.constantFrom(
        'a',
        ' ',
        '\n',
        '\t',
        '#',
        ':',
        '-',
        '"',
        "'",
        '|',
        '{',
        '\u2028',
        '\\',
        '\u0007',
      ),
    });
    fc.assert(
      fc.property(
        fc.oneof(odd, fc.string({ unit: 'binary' })),
        fc.constantFrom('api', 'web', 'docs'),
        (typed, id) => {
          fc.pre(typed.trim() !== '');
          const text = edit(id, 'prompt', typed);
          const parsed = parsePlan(text);
          const prompt = 'plan' in parsed ? parsed.plan.jobs.find((job) => job.id === id)?.prompt : undefined;
          assert.equal(prompt?.trimEnd(), typed.replace(/\r\n?/g, '\n').trimEnd());
          const jobs = (all: string): string[] => all.split(/^(?= {2}- )/m);
          const index = ['', 'api', 'web', 'docs'].indexOf(id);
          if (!/^ {2}- /m.test(typed)) {
            assert.deepEqual(
              jobs(text).filter((_, at) => at !== index),
              jobs(plan).filter((_, at) => at !== index),
            );
          }
        },
      ),
      { numRuns: 200 },
    );
  }).timeout(20_000);
});
