import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openWorkbench } from './openWorkbench.ts';
import type { Workbench } from './workbench.ts';

describe('views with nothing in them', () => {
  let scratch: string;
  let folder: string;
  let env: Record<string, string>;
  let workbench: Workbench | undefined;
  const says = (text: string) => workbench!.page.getByText(text).first().waitFor();
  const offers = (name: string) =>
    workbench!.page.getByRole('button', { name, exact: true }).first().waitFor();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], { cwd: folder });

  beforeEach(() => {
    scratch = mkdtempSync(path.join(tmpdir(), "agentkit ëmpty's "));
    folder = path.join(scratch, 'work');
    env = {
      AGENTKIT_PROFILES_DIR: path.join(scratch, 'profiles'),
      XDG_STATE_HOME: path.join(scratch, 'state'),
    };
    for (const each of [folder, ...Object.values(env)]) mkdirSync(each);
  });
  afterEach(async () => {
    await workbench?.dispose();
    workbench = undefined;
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  });

  async function open(options: { folder?: string }): Promise<void> {
    workbench = await openWorkbench({ env, theme: 'light', ...options });
    await workbench.page.getByRole('tab', { name: 'AgentKit' }).click();
  }

  it('ask for a folder', async () => {
    await open({});
    await says('Open a folder that is a git repository');
    await offers('Open Folder');
  });

  it('ask for a repository, then for a commit, then for work, each as soon as the last is there', async () => {
    await open({ folder });
    await says('This folder is not in a git repository.');
    await offers('Initialize Repository');
    git('init', '-q', '-b', 'main');
    await says('This repository has no commit yet.');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    await says('No lanes yet.');
    await offers('Fan Out…');
    await says('No account was found.');
    await workbench!.screenshot('empty-views');
  });
});
