import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { laneStates } from '../../../src/core/lanes/laneState.ts';
import { laneItem } from '../../../src/vscode/views/laneItem.ts';
import { runItem } from '../../../src/vscode/views/runItem.ts';
import { render, sampleLane, sampleRun } from './sampleRuns.ts';

interface Entry {
  command: string;
  when?: string;
  group?: string;
}

interface Manifest {
  contributes: {
    commands: { command: string; title: string; category?: string; icon?: string }[];
    menus: Record<string, Entry[]>;
    configuration: {
      properties: Record<string, { description?: string; default?: unknown; scope?: string }>;
    }[];
    viewsWelcome: { view: string; contents: string }[];
    walkthroughs: {
      steps: { id: string; description: string; media: { markdown: string }; completionEvents: string[] }[];
    }[];
  };
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
}

const root = path.resolve(import.meta.dirname, '..', '..', '..');
const text = readFileSync(path.join(root, 'package.json'), 'utf8');
const { contributes, capabilities } = JSON.parse(text) as Manifest;
const strings = JSON.parse(readFileSync(path.join(root, 'package.nls.json'), 'utf8')) as Record<
  string,
  string
>;
const said = (value: string) => strings[value.replaceAll('%', '')] ?? value;
const rows = contributes.menus['view/item/context'] ?? [];

describe('the manifest', () => {
  it('has a text for every key, and a use for every text', () => {
    const used = [...text.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key!);
    assert.deepEqual([...new Set(used)].toSorted(), Object.keys(strings).toSorted());
  });

  it('names its commands agentkit.noun.verb, in title case, under one category', () => {
    for (const { command, title, category } of contributes.commands) {
      assert.match(command, /^agentkit\.[a-z]+\.[a-zA-Z]+$/);
      assert.equal(category, 'AgentKit');
      for (const word of said(title).split(' '))
        assert.match(word, /^(?:@?[A-Z]|the$|on$|to$|and$|as$|in$|…$)/, said(title));
    }
  });

  it('hides from the palette what only makes sense on a row', () => {
    const hidden = contributes.menus['commandPalette']!.filter(({ when }) => when === 'false');
    const names = hidden.map(({ command }) => command);
    for (const id of [
      'agentkit.lane.addToThisWindow',
      'agentkit.lane.copyBranch',
      'agentkit.account.openTerminal',
      'agentkit.account.remove',
      'agentkit.account.copyName',
    ]) {
      assert.ok(names.includes(id), id);
    }
  });

  it('has in the palette what asks for its account, and says that it asks', () => {
    const titles = new Map(contributes.commands.map(({ command, title }) => [command, said(title)]));
    const conditional = new Set(contributes.menus['commandPalette']!.map(({ command }) => command));
    for (const verb of ['logIn', 'exclude', 'include', 'resumeSession', 'pick', 'add']) {
      const id = `agentkit.account.${verb}`;
      assert.ok(!conditional.has(id), id);
      assert.match(titles.get(id) ?? '', /…$/, id);
    }
  });

  it('gives every inline action an icon, and no row of a lane more than three', () => {
    const icons = new Map(contributes.commands.map(({ command, icon }) => [command, icon]));
    const inline = rows.filter(({ group }) => group?.startsWith('inline'));
    for (const { command } of inline) assert.ok(icons.get(command), `${command} has an icon`);
    const settled = sampleLane({ mergeable: false });
    for (const state of laneStates) {
      const lane = { ...settled, state, mergeable: state === 'ready' };
      const shown = inline.filter((entry) => matches(entry, laneItem(lane, render).words.join(' ')));
      assert.ok(shown.length <= 3, `${state}: ${shown.map(({ command }) => command).join(', ')}`);
    }
  });

  it('offers on a row what its words allow', () => {
    const offered = (words: string[]) =>
      new Set(rows.filter((entry) => matches(entry, words.join(' '))).map(({ command }) => command));
    const ready = laneItem(sampleLane({ state: 'ready', mergeable: true }), render);
    const running = laneItem(sampleLane(), render);
    assert.ok(offered(ready.words).has('agentkit.lane.merge'));
    assert.ok(!offered(running.words).has('agentkit.lane.merge'));
    assert.ok(offered(running.words).has('agentkit.lane.stop'));
    assert.ok(!offered(ready.words).has('agentkit.lane.stop'));
    const left = runItem(sampleRun({ status: 'interrupted' }), true, render);
    assert.ok(offered(left.words).has('agentkit.run.resume'));
    assert.ok(!offered(runItem(sampleRun(), true, render).words).has('agentkit.run.resume'));
  });

  it('describes every setting and lets no repository say what is put on the PATH or withheld', () => {
    for (const { properties } of contributes.configuration) {
      for (const [id, { description, default: value }] of Object.entries(properties)) {
        assert.ok(description, id);
        assert.notEqual(value, undefined, id);
      }
    }
    const all = Object.assign({}, ...contributes.configuration.map((each) => each.properties)) as Record<
      string,
      { scope?: string }
    >;
    const restricted = ['agentkit.terminal.addToPath', 'agentkit.env.deny'];
    for (const id of restricted) assert.equal(all[id]?.scope, 'machine', id);
    assert.deepEqual(capabilities.untrustedWorkspaces.restrictedConfigurations, restricted);
  });

  it('has a welcome for every state in which a view has no rows', () => {
    const states = (view: string) =>
      contributes.viewsWelcome.filter((welcome) => welcome.view === view).length;
    assert.equal(states('agentkit.lanes'), 5);
    assert.equal(states('agentkit.accounts'), 2, 'accounts need no repository');
  });

  it('walks through the first steps with commands and texts that are there', () => {
    const ids = new Set(contributes.commands.map(({ command }) => command));
    const [walkthrough] = contributes.walkthroughs;
    assert.deepEqual(
      walkthrough?.steps.map(({ id }) => id),
      ['agents', 'accounts', 'demo', 'fanOut', 'merge'],
    );
    for (const { description, media, completionEvents } of walkthrough?.steps ?? []) {
      assert.ok(readFileSync(path.join(root, media.markdown), 'utf8').length > 0);
      const [event] = completionEvents;
      const command = event?.replace('onCommand:', '') ?? '';
      assert.ok(ids.has(command), command);
      assert.ok(said(description).includes(`(command:${command})`), 'its button completes it');
    }
  });

  it('shows on the row of an account only what it allows', () => {
    const offered = (words: string) =>
      rows
        .filter((entry) => matches(entry, words, 'accounts'))
        .map(({ command }) => command.replace('agentkit.account.', ''));
    assert.deepEqual(offered('account ok included'), ['exclude', 'copyName']);
    const all = ['openTerminal', 'openTerminal', 'resumeSession', 'include', 'copyName', 'logIn', 'remove'];
    assert.deepEqual(offered('account ok excluded removable logsIn hasScreen'), all);
    assert.deepEqual(offered('window'), []);
  });
});

/** Whether a menu entry of a view is shown on a row with these words. */
function matches({ when = '' }: Entry, words: string, view = 'lanes'): boolean {
  const [, of, pattern] = /^view == agentkit\.(\w+) && viewItem =~ \/(.*)\/$/.exec(when) ?? [];
  return of === view && pattern !== undefined && new RegExp(pattern).test(words);
}
