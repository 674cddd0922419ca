import assert from 'node:assert/strict';
import { Command } from 'commander';
import { fillPick } from '../../../src/cli/commands/pick.ts';
import { readPickLine, type PickLine } from '../../../src/cli/quickPick.ts';
import { Session } from '../../../src/cli/session.ts';

describe('readPickLine', () => {
  const session = new Session('/nowhere');
  after(() => session.close());

  /** What the parser makes of the same words; undefined for what it refuses. */
  function parse(words: readonly string[]): PickLine | undefined {
    const command = new Command('pick').exitOverride().configureOutput({ writeOut() {}, writeErr() {} });
    fillPick(command, session);
    let line: PickLine | undefined;
    command.action((kind: string, { json, ...options }: PickLine['options'] & { json?: boolean }) => {
      line = { kind, options, json: json === true };
    });
    try {
      command.parse(words, { from: 'user' });
    } catch {
      return undefined;
    }
    return line;
  }

  const plain = [
    'demo',
    'demo --json',
    '--json demo',
    'claude --count 3 --model opus --reserve 0 --max-age 60 --json',
    'codex --max-age 0 --count 1 --count 2',
  ];
  for (const words of plain)
    it(`reads as the parser does: ${words}`, () => {
      const line = readPickLine(words.split(' '));
      assert.notEqual(line, undefined);
      assert.deepEqual(line, parse(words.split(' ')));
    });

  const lists = ['demo --exclude @one', 'demo --need 5h:30 --json', 'demo --count=2'];
  for (const words of lists)
    it(`leaves to the parser, which reads it: ${words}`, () => {
      assert.equal(readPickLine(words.split(' ')), undefined);
      assert.notEqual(parse(words.split(' ')), undefined);
    });

  const wrong = [
    '',
    '--json',
    'demo other',
    'demo --count',
    'demo --count 0',
    'demo --count -1',
    'demo --nope 1',
  ];
  for (const words of [...wrong, 'demo --max-age soon', 'demo --help', '-h', 'demo --model --json'])
    it(`leaves to the parser, which refuses it: ${words}`, () => {
      const split = words.split(' ').filter((word) => word !== '');
      assert.equal(readPickLine(split), undefined);
      if (!words.includes('--model')) assert.equal(parse(split), undefined);
    });
});
