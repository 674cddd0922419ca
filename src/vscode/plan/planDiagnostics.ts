import {
  Diagnostic,
  DiagnosticSeverity,
  Disposable,
  languages,
  Range,
  workspace,
  type TextDocument,
} from 'vscode';
import type { PlanProblem } from '../../core/plan/plan.ts';
import { isPlanFile } from './isPlanFile.ts';

/** Pause in typing after which a plan is read, in milliseconds. */
const typingMs = 300;

/** Shows what is wrong with open plan files where it is wrong. Reads their text only, so it needs no trust. */
export class PlanDiagnostics implements Disposable {
  readonly #found = languages.createDiagnosticCollection('agentkit-plan');
  readonly #timers = new Map<TextDocument, NodeJS.Timeout>();
  readonly #events: Disposable;

  constructor() {
    this.#events = Disposable.from(
      workspace.onDidOpenTextDocument((document) => this.#lookSoon(document, 0)),
      workspace.onDidChangeTextDocument(({ document }) => this.#lookSoon(document, typingMs)),
      workspace.onDidCloseTextDocument((document) => {
        clearTimeout(this.#timers.get(document));
        this.#timers.delete(document);
        this.#found.delete(document.uri);
      }),
    );
    for (const document of workspace.textDocuments) this.#lookSoon(document, 0);
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#events.dispose();
    this.#found.dispose();
  }

  #lookSoon(document: TextDocument, delayMs: number): void {
    if (document.uri.scheme !== 'file' || !isPlanFile(document.uri.path)) return;
    clearTimeout(this.#timers.get(document));
    this.#timers.set(
      document,
      setTimeout(() => void this.#look(document), delayMs),
    );
  }

  async #look(document: TextDocument): Promise<void> {
    const { parsePlan } = await import('../../core/plan/parsePlan.ts');
    const { locateOverlaps, overlapProblem } = await import('../../core/plan/locateOverlaps.ts');
    if (document.isClosed) return;
    const text = document.getText();
    const parsed = parsePlan(text);
    const problems =
      'problems' in parsed ? parsed.problems : locateOverlaps(text, parsed.plan).map(overlapProblem);
    this.#found.set(
      document.uri,
      problems.map((problem) => toDiagnostic(document, problem)),
    );
  }
}

/** Marks the word at the place, or the rest of its line where there is none. */
function toDiagnostic(document: TextDocument, { line, column, message }: PlanProblem): Diagnostic {
  const start = document.validatePosition(new Range(line - 1, column - 1, line - 1, column - 1).start);
  const word = document.getWordRangeAtPosition(start);
  const end = word?.end.isAfter(start) ? word.end : document.lineAt(start.line).range.end;
  const diagnostic = new Diagnostic(new Range(start, end), message, DiagnosticSeverity.Error);
  diagnostic.source = 'AgentKit (plan)';
  return diagnostic;
}
