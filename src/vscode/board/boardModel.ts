import { basename } from 'node:path';
import { Uri, workspace, type TextDocument } from 'vscode';
import { messageOf } from '../../core/agentKitError.ts';
import type { RunView } from '../../core/lanes/laneView.ts';
import { parsePlan } from '../../core/plan/parsePlan.ts';
import type { PlanPreview } from '../../engine/agentKitTypes.ts';
import type { BoardSnapshot } from '../../protocol/boardMessages.ts';
import { runOfKeptPlan } from '../platform/runOfKeptPlan.ts';
import type { Services } from '../platform/services.ts';
import type { BoardChoices } from './boardChoices.ts';
import { offlinePreview } from './offlinePreview.ts';
import { previewSnapshot } from './previewSnapshot.ts';
import { runSnapshot } from './runSnapshot.ts';
import { planNameIn, shownRun } from './shownRun.ts';

/** Makes the snapshots of one document: of the plan that it is, or of the run that is shown in its place. */
export class BoardModel {
  readonly #document: TextDocument;
  readonly #services: Services;
  readonly #choices: BoardChoices;
  /** The run whose kept plan the document is. */
  readonly #keptFor: string | undefined;
  readonly #prompts = new Map<string, ReadonlyMap<string, string>>();

  constructor(document: TextDocument, services: Services, choices: BoardChoices) {
    this.#document = document;
    this.#services = services;
    this.#choices = choices;
    this.#keptFor = runOfKeptPlan(document.uri.path);
  }

  /** The run that is shown now. */
  get run(): RunView | undefined {
    const { lanes } = this.#services;
    if (this.#keptFor !== undefined) return lanes.run(this.#keptFor);
    return shownRun(this.#planName, this.#choices.get(this.#document.uri), lanes.runs);
  }

  /** The newest run of this plan, whatever is shown. */
  get newestRun(): RunView | undefined {
    return this.#services.lanes.runs.find(({ name }) => name === this.#planName);
  }

  async snapshot(): Promise<BoardSnapshot> {
    const { run } = this;
    return run ? this.#runSnapshot(run) : this.#previewSnapshot();
  }

  get #planName(): string | undefined {
    return planNameIn(this.#document.getText());
  }

  async #runSnapshot(run: RunView): Promise<BoardSnapshot> {
    await this.#loadAccounts();
    const accounts = this.#services.accounts.readings ?? [];
    const prompts = await this.#promptsOf(run);
    const snapshot = runSnapshot(run, { accounts, prompts, now: new Date().toISOString() });
    if (this.#keptFor !== undefined) return snapshot;
    return { ...snapshot, actions: [...(snapshot.actions ?? []), { id: 'showPlan', label: 'Back to Plan' }] };
  }

  /** A run is shown also when accounts cannot be read; the preview of a plan tells why. */
  async #loadAccounts(): Promise<void> {
    await this.#services.accounts.loadOnce().catch((error: unknown) => {
      this.#services.log.warn(`board of ${this.#document.uri.path}: ${messageOf(error)}`);
    });
  }

  async #previewSnapshot(): Promise<BoardSnapshot> {
    const preview = await this.#preview();
    const snapshot = previewSnapshot(preview, basename(this.#document.uri.path), new Date().toISOString());
    if (this.#keptFor !== undefined)
      return { ...snapshot, start: { whyNot: ['This is the kept plan of a run.'] } };
    return this.newestRun ? { ...snapshot, actions: [{ id: 'showRun', label: 'Show Run' }] } : snapshot;
  }

  async #preview(): Promise<PlanPreview> {
    const text = this.#document.getText();
    try {
      const kit = await this.#services.kit();
      const preview = await kit.previewPlan({ text });
      this.#services.accounts.accept(preview.accounts);
      return preview;
    } catch (error) {
      this.#services.log.warn(`preview of ${this.#document.uri.path}: ${messageOf(error)}`);
      return offlinePreview(text, messageOf(error));
    }
  }

  /** A run's plan never changes, so it is read once. */
  async #promptsOf(run: RunView): Promise<ReadonlyMap<string, string>> {
    const known = this.#prompts.get(run.run);
    if (known) return known;
    const bytes = await workspace.fs.readFile(Uri.joinPath(Uri.file(run.folder), 'plan.yaml')).then(
      (read) => read,
      () => new Uint8Array(),
    );
    const parsed = parsePlan(new TextDecoder().decode(bytes));
    const prompts = new Map('plan' in parsed ? parsed.plan.jobs.map(({ id, prompt }) => [id, prompt]) : []);
    this.#prompts.set(run.run, prompts);
    return prompts;
  }
}
