import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccountDesk } from '../../../src/engine/accounts/accountDesk.ts';
import { createKinds } from '../../../src/engine/agents/kinds.ts';
import { rejectsWith } from '../git/rejectsWith.ts';
import { StandInClaude } from '../agents/claude/standInClaude.ts';

describe("a vendor's own programs in a terminal", () => {
  let root = '';
  let claude: StandInClaude;
  let folder = '';

  function desk(more: Record<string, string> = {}, denies?: () => string[]): AccountDesk {
    const path = `${claude.folder}:${process.env['PATH']}`;
    const environment = { HOME: root, PATH: path, IS_SANDBOX: '1', ANTHROPIC_API_KEY: 'x', ...more };
    const kinds = createKinds({ node: process.execPath, dist: 'dist', environment });
    return new AccountDesk({ kinds, environment, denies, now: () => new Date() });
  }

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), "agentkit terminal's ü "));
    claude = new StandInClaude(root);
    folder = (await desk().addProfile('claude', '@work2')).folder!;
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('start under the account, marked with it, and without what would override it', async () => {
    const start = await desk().screen('claude', '@WORK2', { posture: 'auto', resume: 'last' });
    assert.equal(start.argv[0], join(claude.folder, 'claude'));
    assert.ok(start.argv.includes('--continue'));
    assert.equal(start.env['CLAUDE_CONFIG_DIR'], folder);
    assert.equal(start.env['AGENTKIT_ACTIVE_ACCOUNT'], 'claude/@work2');
    assert.deepEqual(start.withheld, ['ANTHROPIC_API_KEY']);
    assert.equal(start.env['AGENTKIT_PERMISSIONS'], undefined);
    assert.deepEqual(claude.calls(), [], 'nothing was started');
  });

  it('start without what the person denies, in the settings and in those of the head', async () => {
    const config = join(root, '.config', 'agentkit');
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, 'settings.yaml'), 'env: { deny: [STRIPE_*] }\n', { mode: 0o600 });
    const denied = desk({ STRIPE_KEY: 'x', DATABASE_URL: 'x', EDITOR: 'x' }, () => ['DATABASE_URL']);
    for (const start of [
      await denied.screen('claude', '@work2', { posture: 'auto' }),
      await denied.login('claude', '@work2'),
    ]) {
      assert.deepEqual(start.withheld, ['ANTHROPIC_API_KEY', 'DATABASE_URL', 'STRIPE_KEY']);
    }
  });

  it('hand the opt-out on', async () => {
    const start = await desk().screen('claude', '@work2', { posture: 'ask' });
    assert.ok(start.argv.includes('--permission-mode=default'));
    assert.equal(start.env['AGENTKIT_PERMISSIONS'], 'ask');
    const said = desk({ AGENTKIT_PERMISSIONS: 'ask' });
    for (const options of [{}, { posture: 'auto' } as const]) {
      const { argv } = await said.screen('claude', '@work2', options);
      assert.ok(argv.includes('--permission-mode=default'), JSON.stringify(options));
    }
    const { argv } = await desk().screen('claude', '@work2');
    assert.ok(argv.includes('--permission-mode=bypassPermissions'), 'where nothing was said');
  });

  it('log in with the words of the vendor', async () => {
    const start = await desk().login('claude', '@work2');
    assert.deepEqual(start.argv.slice(1), ['auth', 'login']);
    assert.equal(start.env['CLAUDE_CONFIG_DIR'], folder);
  });

  it('are told from kinds that have none, and from CLIs that are not there', async () => {
    await desk().addProfile('demo', '@one');
    await rejectsWith(desk().login('demo', '@one'), 'usage');
    await rejectsWith(desk().screen('demo', '@one', { posture: 'auto' }), 'usage');
    await rejectsWith(desk().login('claude', '@gone'), 'not_found');
    await rejectsWith(desk({ PATH: '/nowhere' }).login('claude', '@work2'), 'not_installed');
  });

  it('are known by kind: what is here, and how to get what is not', () => {
    const known = (kind: string, more?: Record<string, string>) =>
      desk(more)
        .kinds()
        .find(({ id }) => id === kind);
    assert.deepEqual(known('claude'), {
      id: 'claude',
      label: 'Claude Code',
      installed: true,
      install: 'npm install -g @anthropic-ai/claude-code',
      logsIn: true,
      hasScreen: true,
    });
    assert.equal(known('claude', { PATH: '/nowhere' })?.installed, false);
    assert.equal(known('demo', { PATH: '/nowhere' })?.installed, true);
  });

  it('tell who is logged in without asking the vendor', async () => {
    claude.answer({ version: '2.1.332 (Claude Code)', status: '{ "loggedIn": false }' });
    assert.equal((await desk().probe('claude', '@work2'))?.login, 'not_logged_in');
    assert.equal(claude.calls()[0]?.configFolder, folder);
    await desk().addProfile('demo', '@one');
    assert.equal(await desk().probe('demo', '@one'), null);
  });
});
