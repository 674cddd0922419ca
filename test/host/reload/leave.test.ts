import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { stringify } from 'yaml';
import * as vscode from 'vscode';
import type { ForTests } from '../../../src/extension.ts';
import { extensionUnderTest } from '../suite/extensionUnderTest.ts';
import { until } from '../suite/until.ts';
import { laneProcess } from './laneProcesses.ts';
import {
  heldCommand,
  holdFile,
  holdFolder,
  type LaneStory,
  laneStories,
  ownStories,
  planOf,
} from './laneStories.ts';

/** The window before: it leaves lanes in every state there is, and is closed. */
describe('a window that is closed', () => {
  const root = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const children: ChildProcess[] = [];
  let kit: ForTests;

  const lane = (id: string) => kit.services.lanes.lane(id);
  const folderOf = (id: string) => kit.services.lanes.run(lane(id)!.run)!.folder;
  const inState = (id: string, state: string) =>
    until(`${id} ${state}`, () => lane(id)?.state === state, 240);

  before(async () => {
    kit = await extensionUnderTest();
    const settings = { version: 1, worktree: { setup: [heldCommand('setup')] } };
    writeFileSync(path.join(root, 'agentkit.yaml'), stringify(settings));
    git('add', 'agentkit.yaml');
    git('commit', '-qm', 'Settings of lanes');
    mkdirSync(holdFolder(root));
    for (const { lane: id, held } of [...laneStories, ...ownStories])
      if (held) writeFileSync(holdFile(root, id, held), '');
    makeAccounts(laneStories.length);
    await ended(ak('trust', 'add', '--yes'));
  });
  after(() => children.forEach((child) => child.kill('SIGKILL')));

  it('has lanes of a run of ak in every state, and ak dies', async () => {
    const plan = path.join(root, 'plans', 'left.yaml');
    writeFileSync(plan, planOf('left', laneStories));
    const owner = ak('orchestrate', 'start', plan, '--yes');
    await Promise.all(laneStories.map((story) => bring(story)));
    // Who asks for the merge would take the run over.
    for (const child of [...children.filter((each) => each !== owner), owner]) await killed(child);
    for (const { lane: id, left, shown } of laneStories) {
      if (left === shown) continue;
      const { supervisor, group } = laneProcess(folderOf(id), id)!;
      process.kill(supervisor, 'SIGKILL');
      process.kill(-group, 'SIGKILL');
    }
  });

  it('has lanes of a run of its own at work, and a lane made by hand', async () => {
    const engine = await kit.services.kit();
    await engine.startRun({ text: planOf('own', ownStories) });
    await Promise.all(ownStories.map((story) => bring(story)));
    await engine.lanes.create(['by-hand']);
    await inState('by-hand', 'open');
  });

  /** Waits for the lane, or does what a person does, until it is in the state that it is left in. */
  async function bring({ lane: id, left, steps }: LaneStory): Promise<void> {
    const engine = await kit.services.kit();
    const ask = (body: { do: 'merge' | 'stopLane' }) => engine.request(lane(id)!.run, { ...body, lane: id });
    if (left === 'merged' || left === 'merging' || left === 'dropped') await inState(id, 'ready');
    if (left === 'merged') await ask({ do: 'merge' });
    if (left === 'merging') {
      // A merge counts on the target that it was asked for.
      await inState('merged', 'merged');
      writeFileSync(holdFile(root, id, 'gate'), '');
      ak('lane', 'merge', id);
      await until('its gate', () => lane(id)?.merge_gate.status === 'running');
    }
    if (left === 'dropped') await engine.lanes.discard(id);
    if (left === 'interrupted') {
      await inState(id, 'waiting');
      await ask({ do: 'stopLane' });
    }
    await inState(id, left);
    const isHeld = ['preparing', 'running', 'waiting', 'verifying', 'merging'].includes(left);
    if (!isHeld) return;
    const found = await until(`a process of ${id}`, () => laneProcess(folderOf(id), id));
    if (left === 'running' && steps) process.kill(-found.group, 'SIGSTOP');
  }

  /** Accounts enough for lanes that are at work side by side. */
  function makeAccounts(count: number): void {
    const profiles = path.join(process.env['AGENTKIT_PROFILES_DIR']!, 'demo');
    for (let n = 0; n < count; n += 1) {
      const made = path.join(profiles, `more-${n}`);
      cpSync(path.join(profiles, 'one'), made, { recursive: true });
      chmodSync(made, 0o700);
    }
  }

  function ak(...args: string[]): ChildProcess {
    const program = vscode.Uri.joinPath(kit.services.extensionUri, 'dist', 'ak.js').fsPath;
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
    const child = spawn(process.execPath, [program, ...args], { cwd: root, env, stdio: 'ignore' });
    children.push(child);
    return child;
  }

  function git(...args: string[]): void {
    execFileSync('git', args, { cwd: root });
  }
});

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await ended(child);
}

async function ended(child: ChildProcess): Promise<void> {
  await until('its end', () => child.exitCode !== null || child.signalCode !== null);
}
