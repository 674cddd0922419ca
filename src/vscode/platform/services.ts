import type { LogOutputChannel, Uri } from 'vscode';
import type { AccountDesk, Machine } from '../../engine/agentKit.ts';
import type { AgentKit } from '../../engine/agentKitTypes.ts';
import type { AccountStore } from '../stores/accountStore.ts';
import type { LaneStore } from '../stores/laneStore.ts';
import type { DoctorPage } from '../views/doctorPage.ts';
import type { Notify } from './notify.ts';
import type { Settings } from './settings.ts';

/** What the parts of the editor head share; made once in `activate` and handed to each by argument. */
export interface Services {
  /**
   * The engine on this window's repository; loaded at the first call.
   * @throws AgentKitError `refused` in an untrusted workspace, `not_found` without a repository
   */
  kit(): Promise<AgentKit>;
  /** The accounts of this machine; needs no repository. @throws AgentKitError `refused` in an untrusted workspace */
  desk(): AccountDesk;
  /** What holds on this machine for its person, and its health. @throws as `desk` */
  machine(): Machine;
  readonly lanes: LaneStore;
  readonly accounts: AccountStore;
  readonly doctor: DoctorPage;
  readonly log: LogOutputChannel;
  readonly settings: Settings;
  readonly notify: Notify;
  /** Every handler that starts a process calls it first. @throws AgentKitError `refused` in an untrusted workspace */
  requireTrust(): void;
  /** Folder of the installed extension: `dist/`, `media/`. */
  readonly extensionUri: Uri;
}
