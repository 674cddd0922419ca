import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  commandIds,
  contextKeys,
  customEditorIds,
  settingIds,
  terminalProfileIds,
  viewIds,
} from '../../src/ids.ts';

interface Contributes {
  commands: { command: string }[];
  views?: Record<string, { id: string }[]>;
  customEditors?: { viewType: string }[];
  terminal?: { profiles: { id: string }[] };
  configuration?: Section | Section[];
}

interface Section {
  properties: Record<string, unknown>;
}

const manifestText = readFileSync(path.resolve(import.meta.dirname, '..', '..', 'package.json'), 'utf8');
const { contributes } = JSON.parse(manifestText) as { contributes: Contributes };

describe('the ids in src/ids.ts are those of package.json', () => {
  const same = (inManifest: string[], inCode: readonly string[]) => {
    assert.deepEqual(inManifest.toSorted(), inCode.toSorted());
  };

  it('commands', () => {
    same(
      contributes.commands.map(({ command }) => command),
      commandIds,
    );
  });

  it('views', () => {
    const views = Object.values(contributes.views ?? {}).flat();
    same(
      views.map(({ id }) => id),
      viewIds,
    );
  });

  it('custom editors', () => {
    const editors = contributes.customEditors ?? [];
    same(
      editors.map(({ viewType }) => viewType),
      customEditorIds,
    );
  });

  it('terminal profiles', () => {
    const profiles = contributes.terminal?.profiles ?? [];
    same(
      profiles.map(({ id }) => id),
      terminalProfileIds,
    );
  });

  it('settings', () => {
    const sections = [contributes.configuration ?? []].flat();
    same(
      sections.flatMap(({ properties }) => Object.keys(properties)),
      settingIds,
    );
  });

  it('context keys', () => {
    const others = new Set<string>([...commandIds, ...viewIds, ...customEditorIds, ...settingIds]);
    const words = [...manifestText.matchAll(/"when": "([^"]*)"|"enablement": "([^"]*)"/g)]
      .flatMap(([, when, enablement]) => [...(when ?? enablement ?? '').matchAll(/\bagentkit\.[\w.]+/g)])
      .map(([word]) => word)
      .filter((word) => !others.has(word));
    same([...new Set(words)], contextKeys);
  });
});
