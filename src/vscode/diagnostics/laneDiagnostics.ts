import {
  Diagnostic,
  DiagnosticSeverity,
  l10n,
  languages,
  Position,
  Range,
  Uri,
  workspace,
  type DiagnosticCollection,
  type Disposable,
} from 'vscode';
import type { LaneView, RunView } from '../../core/lanes/laneView.ts';
import type { SettingId } from '../../ids.ts';
import type { Services } from '../platform/services.ts';
import type { WindowScope } from '../platform/windowScope.ts';
import { laneKey } from '../stores/diffRuns.ts';
import { laneProblems, type LaneProblem } from './laneProblems.ts';

/** Publishes the findings of gates on the files of their lanes; each lane's are replaced as a whole. */
export class LaneDiagnostics implements Disposable {
  readonly #services: Pick<Services, 'lanes' | 'settings'>;
  readonly #scope: WindowScope;
  readonly #collection: DiagnosticCollection = languages.createDiagnosticCollection('agentkit');
  readonly #published = new Map<string, { stamp: string; uris: Uri[] }>();
  readonly #disposables: { dispose(): unknown }[];
  #selected: string | undefined;

  constructor(services: Pick<Services, 'lanes' | 'settings'>, scope: WindowScope) {
    this.#services = services;
    this.#scope = scope;
    const setting: SettingId = 'agentkit.problems.show';
    this.#disposables = [
      this.#collection,
      services.lanes.onDidChange(() => this.#publish()),
      workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(setting) && this.#publish()),
    ];
  }

  /** The lane that is selected in the tree; matters with the setting `selectedLane`. */
  select(lane: { run: string; lane: string } | undefined): void {
    if (!lane) return;
    this.#selected = laneKey(lane);
    this.#publish();
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #publish(): void {
    const problems = new Map(this.#shownLanes().map((lane) => [laneKey(lane), laneProblems(lane, l10n.t)]));
    for (const key of [...this.#published.keys()]) if (!problems.has(key)) this.#replace(key, []);
    for (const [key, found] of problems) this.#replace(key, found);
  }

  #shownLanes(): LaneView[] {
    const { lanes, settings } = this.#services;
    const show = settings.showProblems();
    if (show === 'off') return [];
    const latest = lanes.runs[0]?.run;
    return lanes.runs.flatMap((run) =>
      run.lanes.filter((lane) => {
        const wanted = show === 'latestRun' ? run.run === latest : laneKey(lane) === this.#selected;
        return wanted && this.#isOurs(run, lane);
      }),
    );
  }

  /** A window on the lane publishes for its files; else the run's owner, and once that is gone any window on no lane. */
  #isOurs(run: RunView, lane: LaneView): boolean {
    if (this.#scope.isOpenOn(lane.path)) return true;
    if (run.owner?.alive) return run.owner.self;
    return !this.#scope.isOnLane(this.#services.lanes.runs);
  }

  #replace(key: string, problems: readonly LaneProblem[]): void {
    const known = this.#published.get(key);
    const stamp = JSON.stringify(problems);
    if (stamp === (known?.stamp ?? '[]')) return;
    for (const uri of known?.uris ?? []) this.#collection.delete(uri);
    const files = new Set(problems.map(({ file }) => file));
    const uris = [...files].map((file) => {
      const uri = Uri.file(file);
      this.#collection.set(uri, problems.filter((problem) => problem.file === file).map(toDiagnostic));
      return uri;
    });
    if (uris.length > 0) this.#published.set(key, { stamp, uris });
    else this.#published.delete(key);
  }
}

/** An empty range: the editor marks the word that begins there. */
function toDiagnostic(problem: LaneProblem): Diagnostic {
  const start = new Position(Math.max(0, problem.line - 1), Math.max(0, problem.column - 1));
  const severity = problem.severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning;
  const diagnostic = new Diagnostic(new Range(start, start), problem.message, severity);
  diagnostic.source = problem.source;
  if (problem.code !== undefined) diagnostic.code = problem.code;
  return diagnostic;
}
