import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { StandInVendor } from '../../ui/standInVendor.ts';
import type { ForTests } from '../../../src/extension.ts';
import { answering } from './answering.ts';
import { demoPlan } from './demoPlan.ts';
import { extensionUnderTest } from './extensionUnderTest.ts';
import { until } from './until.ts';

describe('accounts in the editor', function () {
  this.timeout(120_000);
  const inherited = { ...process.env };
  let scratch: string;
  let vendor: StandInVendor;
  let kit: ForTests;

  const run = (id: string, argument?: unknown) => vscode.commands.executeCommand(`agentkit.${id}`, argument);
  const account = (name: string) => kit.services.accounts.account(name);
  const row = (name: string) => kit.accountsTree.getTreeItem({ type: 'account', account: name });
  const description = (name: string) => String(row(name).description);
  const folder = (name: string) => path.join(process.env['AGENTKIT_PROFILES_DIR']!, 'claude', name);
  const terminal = (name: string) =>
    until(`the terminal ${name}`, () => vscode.window.terminals.find((each) => each.name === name));
  const optionsOf = ({ creationOptions }: vscode.Terminal) => creationOptions as vscode.TerminalOptions;
  const freed = (name: string) => until('the account is free', () => account(name)?.heldBy.length === 0);

  before(async () => {
    scratch = mkdtempSync(path.join(tmpdir(), "agentkit accounts' ü "));
    const home = path.join(scratch, 'home');
    mkdirSync(home);
    vendor = new StandInVendor(scratch);
    // The settings of accounts lie in the home; as root the vendor's program wants to be told that nothing can break.
    const folders = [vendor.folder, path.dirname(process.execPath), '/usr/bin', '/bin'];
    const env = { HOME: home, PATH: folders.join(path.delimiter), IS_SANDBOX: '1' };
    Object.assign(process.env, env);
    // Terminals are started by another process, which has its own.
    await terminalEnvironment(env);
    kit = await extensionUnderTest();
    await kit.services.accounts.load();
  });
  after(async () => {
    for (const each of vscode.window.terminals) if (/claude\/@/.test(each.name)) each.dispose();
    for (const name of ['work2', 'late']) rmSync(folder(name), { recursive: true, force: true });
    Object.assign(process.env, inherited);
    await terminalEnvironment(undefined);
    await kit.services.accounts.load();
    rmSync(scratch, { recursive: true, force: true });
  });

  it('are shown by kind without asking a vendor', async () => {
    const roots = await kit.accountsTree.getChildren();
    const labels = roots.map((node) => kit.accountsTree.getTreeItem(node).label);
    assert.deepEqual([labels[0], labels.at(-1)], ['claude', 'demo']);
    assert.equal(description('claude/@default'), 'not read yet');
    assert.deepEqual(vendor.calls(), []);
  });

  it('are added with a name that is judged, and log in by the vendor in a terminal', async () => {
    const added = answering({ pick: 'Claude Code', input: 'work2' }, () => run('account.add'));
    const login = await terminal('Log in: claude/@work2');
    const { shellPath, shellArgs, env, isTransient } = optionsOf(login);
    assert.equal(shellPath, path.join(vendor.folder, 'claude'));
    assert.deepEqual(shellArgs, ['auth', 'login']);
    assert.equal(env?.['CLAUDE_CONFIG_DIR'], folder('work2'));
    assert.equal(env['AGENTKIT_ACTIVE_ACCOUNT'], 'claude/@work2');
    assert.equal(isTransient, true);
    login.sendText('somebody@example.com');
    const { entries, problem, messages } = await added;
    assert.match(entries[0]!, /^Claude Code \| claude \| Installed/);
    assert.match(entries.at(-1)!, /Not installed: npm install/);
    assert.match(String(problem('@default')), /CLI's own home/);
    assert.match(String(problem('../x')), /letters, digits/);
    assert.match(String(problem('@two words')), /letters, digits/);
    assert.equal(problem('work3'), undefined);
    assert.match(messages.join(), /claude\/@work2 is logged in/);
    assert.equal(description('claude/@work2'), 'logged in · not read yet');
    assert.equal(vendor.calls().filter((call) => call.includes('stream-json')).length, 0);
  });

  it('refuse a name that is taken, whatever its case', async () => {
    const { problem } = await answering({ pick: 'Claude Code' }, () => run('account.add'));
    assert.match(String(problem('@WORK2')), /is there already/);
    assert.equal(problem('@work22'), undefined);
  });

  it('stay when a login is given up, and say how to go on', async () => {
    const added = answering({ pick: 'Claude Code', input: '@late' }, () => run('account.add'));
    (await terminal('Log in: claude/@late')).dispose();
    assert.match(
      (await added).messages.join(),
      /claude\/@late is not logged in yet.*log in when you like, or remove it/,
    );
    assert.ok(existsSync(folder('late')));
    assert.equal(description('claude/@late'), 'not logged in');
    assert.match(row('claude/@late').contextValue!, /\blogsIn\b/);
  });

  it('are not made for an agent that is not installed', async () => {
    const { messages } = await answering({ pick: 'Pi', input: '@one' }, () => run('account.add'));
    assert.match(messages.join(), /Pi is not installed. Install it with: npm install -g/);
    assert.equal(existsSync(path.join(process.env['AGENTKIT_PROFILES_DIR']!, 'pi')), false);
  });

  it('are read when the person asks for it', async () => {
    await run('account.refreshUsage');
    assert.match(description('claude/@work2'), /^40 % · 5h resets/);
    assert.equal(description('claude/@late'), 'not logged in');
    assert.ok(vendor.calls().some((call) => call.includes('stream-json')));
  });

  it('open the screen of the vendor, hold the account, and are free afterwards', async () => {
    await run('account.openTerminal', { account: 'claude/@work2' });
    const session = await terminal('claude/@work2');
    const { shellArgs, isTransient, iconPath } = optionsOf(session);
    assert.deepEqual((shellArgs as string[]).slice(1), ['claude', '@work2']);
    assert.equal(isTransient, true);
    assert.equal((iconPath as vscode.ThemeIcon).id, 'sparkle');
    assert.match(description('claude/@work2'), /· used by a terminal$/);
    const leases = await until('its lease', async () => {
      const held = await kit.services.desk().leases();
      return held.some((lease) => lease.account === 'claude/@work2') && held;
    });
    assert.match(leases.find((lease) => lease.account === 'claude/@work2')!.owner, /^terminal\//);

    const again = vscode.window.terminals.length;
    await run('account.openTerminal', { account: 'claude/@work2' });
    assert.equal(vscode.window.terminals.length, again, 'the same terminal is shown');
    const { messages, warning } = await answering({ confirm: 'Remove' }, () =>
      run('account.remove', { account: 'claude/@work2' }),
    );
    assert.match(messages.join(), /claude\/@work2 is in use/);
    assert.equal(warning, '', 'nothing was asked');
    assert.ok(existsSync(folder('work2')));

    const { messages: told } = await answering({}, async () => {
      session.sendText('exit');
      await freed('claude/@work2');
    });
    assert.match(told.join(), /The session of claude\/@work2 has ended; the account is free again/);
    assert.ok(!(await kit.services.desk().leases()).some((lease) => lease.account === 'claude/@work2'));
  });

  it('open a screen that asks where the settings say so, at any level', async () => {
    const settings = vscode.workspace.getConfiguration();
    const inherits = async () => {
      await run('account.openTerminal', { account: 'claude/@work2' });
      const session = await terminal('claude/@work2');
      const { env } = optionsOf(session);
      session.dispose();
      await freed('claude/@work2');
      return env?.['AGENTKIT_PERMISSIONS'];
    };
    const { Global, Workspace } = vscode.ConfigurationTarget;
    const say = (said: string | undefined, where: vscode.ConfigurationTarget) =>
      settings.update('agentkit.permissions', said, where);
    const lanes = async () => {
      const preview = await (await kit.services.kit()).previewPlan({ text: demoPlan('asks', 0) });
      return preview.asked_by;
    };
    assert.equal(await inherits(), undefined);
    assert.deepEqual(await lanes(), []);
    try {
      await say('ask', Global);
      await say('auto', Workspace);
      assert.deepEqual(await lanes(), ['agentkit.permissions in the settings']);
      assert.equal(await inherits(), 'ask', 'a workspace does not take it back');
      await say('auto', Global);
      assert.equal(await inherits(), undefined);
      await say('ask', Workspace);
      assert.equal(await inherits(), 'ask');
    } finally {
      await say(undefined, Global);
      await say(undefined, Workspace);
    }
  });

  it('go on with the last session, or let the vendor ask which', async () => {
    for (const [pick, flag] of [
      ['The Last One', '-c'],
      ['Choose…', '-r'],
    ] as const) {
      await answering({ pick }, () => run('account.resumeSession', { account: 'claude/@work2' }));
      const session = await terminal('claude/@work2');
      assert.equal((optionsOf(session).shellArgs as string[]).at(-1), flag);
      session.dispose();
      await freed('claude/@work2');
    }
  });

  it('are not used twice', async () => {
    const desk = kit.services.desk();
    const lease = await desk.lease('claude/@work2', { owner: 'run-1/api', ttlS: 60 });
    const { messages } = await answering({}, () => run('account.openTerminal', { account: 'claude/@work2' }));
    assert.match(messages.join(), /claude\/@work2 is in use/);
    assert.match(description('claude/@work2'), /· used by api$/);
    assert.ok(!vscode.window.terminals.some(({ name }) => name === 'claude/@work2'));
    await desk.releaseLease(lease.id);
  });

  it('say what is in the way before a terminal opens', async () => {
    const { PATH } = process.env;
    process.env['PATH'] = '/nowhere';
    try {
      const { messages } = await answering({}, () =>
        run('account.openTerminal', { account: 'claude/@work2' }),
      );
      assert.match(messages.join(), /Claude Code is not installed/);
      assert.ok(!vscode.window.terminals.some(({ name }) => name === 'claude/@work2'));
    } finally {
      process.env['PATH'] = PATH;
    }
  });

  it('are kept out of picks and let in again, in the settings of the person', async () => {
    const settings = path.join(process.env['HOME']!, '.config', 'agentkit', 'settings.yaml');
    await run('account.exclude', { account: 'claude/@work2' });
    assert.match(description('claude/@work2'), /^excluded from picks/);
    assert.match(readFileSync(settings, 'utf8'), /claude\/@work2/);
    const { entries } = await answering({}, () => run('account.pick'));
    assert.match(
      entries.find((entry) => entry.startsWith('claude/@work2'))!,
      /excluded/,
    );
    await run('account.include', { account: 'claude/@work2' });
    assert.doesNotMatch(description('claude/@work2'), /excluded/);
  });

  it('are asked for where a command was called without one, among those that it fits', async () => {
    const choice = async (verb: string, pick: string) => {
      const { entries, messages } = await answering({ pick }, () => run(`account.${verb}`));
      assert.deepEqual(messages, []);
      return entries.map((entry) => entry.split(' | ', 1)[0]);
    };
    const all = kit.services.accounts.accounts!.map(({ name }) => name);
    assert.deepEqual(await choice('exclude', 'claude/@work2'), all);
    assert.match(description('claude/@work2'), /^excluded from picks/);
    assert.deepEqual(await choice('include', 'claude/@work2'), ['claude/@work2']);
    assert.doesNotMatch(description('claude/@work2'), /excluded/);
    const { messages } = await answering({}, () => run('account.include'));
    assert.deepEqual(messages, ['No account is excluded.']);
    const offered = await choice('logIn', 'nothing of these');
    assert.deepEqual(
      offered,
      all.filter((name) => !name.startsWith('demo/')),
    );
    assert.ok(!vscode.window.terminals.some(({ name }) => name.startsWith('Log in')));
  });

  it('show which would be picked, and open the one that is chosen', async () => {
    const { entries } = await answering({ pick: 'claude/@work2' }, () => run('account.pick'));
    assert.match(entries[0]!, /^would be picked/);
    assert.ok(
      entries.some((entry) => entry.startsWith('claude/@late |  | not logged in')),
      entries.join('\n'),
    );
    (await terminal('claude/@work2')).dispose();
    await freed('claude/@work2');
  });

  it('are removed only when the person says so', async () => {
    const argument = { account: 'claude/@late' };
    const { warning } = await answering({}, () => run('account.remove', argument));
    assert.ok(warning.includes(`This deletes the folder ${folder('late')} for good`), warning);
    assert.ok(existsSync(folder('late')), 'nothing was said');
    await answering({ confirm: 'Remove' }, () => run('account.remove', argument));
    assert.equal(existsSync(folder('late')), false);
    assert.equal(account('claude/@late'), undefined);
    const { messages } = await answering({ confirm: 'Remove' }, () =>
      run('account.remove', { account: 'claude/@default' }),
    );
    assert.match(messages.join(), /a CLI's own home stays/);
  });

  it('are examined by the doctor on a page of their own', async () => {
    await answering({}, () => run('doctor.show'));
    await until('the page', () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .find(({ label }) => /AgentKit Doctor/.test(label)),
    );
    const uri = vscode.Uri.from({ scheme: 'agentkit-doctor', path: '/AgentKit Doctor.md' });
    const text = (await vscode.workspace.openTextDocument(uri)).getText();
    assert.match(text, /^# AgentKit Doctor\n/);
    assert.match(text, /claude auth login/);
    assert.match(text, /\| Claude Code \| 2\.1\.332/);
  });
});

describe("the person's word in the editor", () => {
  it('is given only by the person, and can be taken back', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'agentkit word '));
    const { HOME } = process.env;
    process.env['HOME'] = home;
    try {
      const { services } = await extensionUnderTest();
      const names = async () => (await services.machine().consents()).map(({ name }) => name);
      const give = () => vscode.commands.executeCommand('agentkit.consent.give');
      const { warning } = await answering({}, give);
      assert.match(
        warning,
        /Allow agents to start parallel writers\?\n.*more than one writing agent, by itself/,
      );
      assert.deepEqual(await names(), []);
      await answering({ confirm: 'Allow' }, give);
      assert.deepEqual(await names(), ['parallel-writers']);
      await answering({ confirm: 'Take It Back' }, give);
      assert.deepEqual(await names(), []);
      process.env['CLAUDECODE'] = '1';
      const { messages } = await answering({ confirm: 'Allow' }, give);
      assert.equal(messages.length, 1, 'an agent is refused');
      assert.deepEqual(await names(), []);
    } finally {
      delete process.env['CLAUDECODE'];
      process.env['HOME'] = HOME;
      rmSync(home, { recursive: true, force: true });
    }
  });
});

function terminalEnvironment(env: Record<string, string> | undefined): Thenable<void> {
  const terminal = vscode.workspace.getConfiguration('terminal.integrated');
  return terminal.update('env.linux', env, vscode.ConfigurationTarget.Global);
}
