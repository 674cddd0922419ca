import assert from 'node:assert/strict';
import { userKindsSchema } from '../../../../src/engine/agents/user/userKindSchema.ts';

const simple = { run: ['mytool', 'exec', '{prompt_file}'], result: 'jsonl:$.text', home_env: 'MYTOOL_HOME' };
const problems = (kinds: object) =>
  (userKindsSchema.safeParse(kinds).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

describe('description of a kind', () => {
  it('is fine as the documentation has it, and with all that can be said', () => {
    assert.deepEqual(problems({ mytool: simple }), []);
    const more = {
      ask: ['mytool', '--ask'],
      read_only: ['/opt/my tool/bin/mytool', '--read'],
      session: '$.session.id',
      resume: ['--resume={session}'],
      model: ['--model', '{model}'],
      env: ['MYTOOL_KEY', 'HTTPS_PROXY'],
      version: ['mytool', '--version'],
      label: 'My tool',
      install: 'npm install -g mytool',
    };
    assert.deepEqual(problems({ 'my-tool_2': { ...simple, ...more } }), []);
    assert.deepEqual(problems({ mytool: { run: ['mytool'], result: 'text' } }), []);
    assert.deepEqual(problems({}), []);
  });

  const refused: [string, object, RegExp][] = [
    ['a key that is not known', { shell: 'mytool' }, /shell|Unrecognized/],
    ['a command line in one text', { run: 'mytool exec' }, /run/],
    ['no program', { run: [] }, /run/],
    ['a program of the folder', { run: ['./mytool'] }, /name of a program on PATH/],
    ['a program that a prompt names', { run: ['{prompt_file}'] }, /name of a program on PATH/],
    ['the prompt as an argument', { run: ['mytool', '{prompt}'] }, /\{prompt\} has no meaning here/],
    ['a session in the command', { run: ['mytool', '{session}'] }, /\{session\} has no meaning here/],
    ['options without their value', { model: ['--model'] }, /\{model\}/],
    ['a resume without a session', { resume: ['--continue'] }, /\{session\}/],
    ['another result', { result: 'json:$.text' }, /jsonl:\$\.text/],
    ['a result without a path', { result: 'jsonl:text' }, /jsonl:\$\.text/],
    ['a session in lines of text', { result: 'text', session: '$.id' }, /no session/],
    ['a home that is no variable', { home_env: 'MYTOOL HOME' }, /name of a variable/],
    ['PATH as a home', { home_env: 'PATH' }, /means something else/],
    ['a mark of ours as a home', { home_env: 'AGENTKIT_RUN' }, /means something else/],
    ['a key that no agent gets', { env: ['ANTHROPIC_API_KEY'] }, /withheld/],
  ];
  for (const [what, change, message] of refused) {
    it(`may not have ${what}`, () => {
      assert.match(problems({ mytool: { ...simple, ...change } }).join('\n'), message);
    });
  }

  it('may have the key of a vendor that it works with', () => {
    assert.deepEqual(problems({ mytool: { ...simple, env: ['MISTRAL_API_KEY', 'MYTOOL_KEY'] } }), []);
  });

  for (const id of ['claude', 'demo', 'opencode']) {
    it(`may not take the name of ${id}`, () => {
      assert.deepEqual(problems({ [id]: simple }), [`${id}: "${id}" is here already; choose another name`]);
    });
  }

  for (const id of ['', '../x', 'My', '-x', 'a/b', 'x'.repeat(33), '__proto__x']) {
    it(`may not be called "${id.slice(0, 12)}"`, () => {
      assert.match(problems({ [id]: simple }).join('\n'), /is no name of a kind/);
    });
  }
});
