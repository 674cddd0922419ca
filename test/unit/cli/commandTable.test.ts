import assert from 'node:assert/strict';
import { Command } from 'commander';
import { commandTable } from '../../../src/cli/commandTable.ts';
import { helpOfAk } from '../../../src/cli/createProgram.ts';
import { Session } from '../../../src/cli/session.ts';

describe('the table of commands', () => {
  const session = new Session('/nowhere');
  after(() => session.close());

  for (const { name, description, load } of commandTable)
    it(`loads ${name}, which then does something, or has commands that do`, async () => {
      const command = new Command(name).description(description);
      (await load())(command, session);
      const all = command.commands.length > 0 ? command.commands : [command];
      for (const each of all) {
        assert.notEqual(each.description(), '');
        assert.ok('_actionHandler' in each && each._actionHandler !== null, each.name());
      }
    });

  it('names each command once, and the help of ak tells all of them', () => {
    const names = commandTable.map(({ name }) => name);
    assert.deepEqual([...new Set(names)], names);
    for (const name of names) assert.match(helpOfAk(), new RegExp(`^  ${name} `, 'm'));
  });
});
