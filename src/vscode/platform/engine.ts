import { createRequire } from 'node:module';
import { join } from 'node:path';
import { EventEmitter, l10n, workspace } from 'vscode';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { AccountDesk, Machine } from '../../engine/agentKit.ts';
import type { AgentKit, AgentKitOptions } from '../../engine/agentKitTypes.ts';
import { findRepository } from './findRepository.ts';
import { askedInSettings, copiesInSettings, deniedInSettings } from './settings.ts';

/** `dist/agentKit.js`, a bundle of its own so that activation does not pay for it. */
interface EngineBundle {
  createAgentKit: (options: AgentKitOptions) => Promise<AgentKit>;
  createAccounts: (options: MachineOptions) => AccountDesk;
  createMachine: (options: MachineOptions) => Machine;
}

type MachineOptions = Pick<AgentKitOptions, 'node' | 'dist' | 'environment' | 'denies'>;

/** The engine on this window's repository; loads its bundle at the first use and only in a trusted workspace. */
export class Engine {
  readonly #dist: string;
  readonly #created = new EventEmitter<AgentKit>();
  readonly onDidCreate = this.#created.event;
  #kit: Promise<AgentKit> | undefined;
  #desk: AccountDesk | undefined;

  constructor(extensionPath: string) {
    this.#dist = join(extensionPath, 'dist');
  }

  /** @throws AgentKitError `refused` in an untrusted workspace, `not_found` without a repository */
  async kit(): Promise<AgentKit> {
    this.requireTrust();
    this.#kit ??= this.#create().catch((error: unknown) => {
      this.#kit = undefined;
      throw error;
    });
    return this.#kit;
  }

  /** @throws AgentKitError `refused` in an untrusted workspace */
  desk(): AccountDesk {
    this.requireTrust();
    this.#desk ??= this.#bundle().createAccounts(this.#options());
    return this.#desk;
  }

  /** @throws AgentKitError `refused` in an untrusted workspace */
  machine(): Machine {
    this.requireTrust();
    return this.#bundle().createMachine(this.#options());
  }

  /** @throws AgentKitError `refused` in an untrusted workspace */
  requireTrust(): void {
    if (workspace.isTrusted) return;
    throw new AgentKitError('refused', l10n.t('AgentKit starts nothing until you trust this workspace.'));
  }

  /** Lets go of the runs that this window owns; their agents go on. The next use starts anew. */
  async close(): Promise<void> {
    const kit = this.#kit;
    this.#kit = undefined;
    await (await kit?.catch(() => undefined))?.dispose();
  }

  async #create(): Promise<AgentKit> {
    const folder = await firstRepositoryFolder();
    if (folder === undefined) {
      throw new AgentKitError('not_found', l10n.t('Open a folder that lies in a git repository first.'));
    }
    const copies = () => copiesInSettings(folder);
    const options = { folder, head: 'editor', asks: askedInSettings, copies, ...this.#options() } as const;
    const kit = await this.#bundle().createAgentKit(options);
    this.#created.fire(kit);
    return kit;
  }

  #bundle(): EngineBundle {
    return createRequire(join(this.#dist, 'extension.js'))('./agentKit.js') as EngineBundle;
  }

  #options(): MachineOptions {
    const { execPath: node, env: environment } = process;
    return { node, dist: this.#dist, environment, denies: deniedInSettings };
  }
}

async function firstRepositoryFolder(): Promise<string | undefined> {
  for (const { uri } of workspace.workspaceFolders ?? []) {
    if (uri.scheme === 'file' && (await findRepository(uri.fsPath))) return uri.fsPath;
  }
  return undefined;
}
