import { randomBytes } from 'node:crypto';
import { Uri, type CustomTextEditorProvider, type TextDocument, type WebviewPanel } from 'vscode';
import type { Services } from '../platform/services.ts';
import type { BoardChoices } from './boardChoices.ts';
import { boardHtml } from './boardHtml.ts';
import type { BoardSession } from './boardSession.ts';

/** The board as a custom editor of plan files; VS Code keeps dirty state, undo and restore. */
export class PlanBoardEditor implements CustomTextEditorProvider {
  readonly #services: Services;
  readonly #choices: BoardChoices;
  readonly #sessions = new Map<WebviewPanel, BoardSession>();

  constructor(services: Services, choices: BoardChoices) {
    this.#services = services;
    this.#choices = choices;
  }

  /** The board that has the focus. */
  get active(): BoardSession | undefined {
    return [...this.#sessions].find(([panel]) => panel.active)?.[1];
  }

  async resolveCustomTextEditor(document: TextDocument, panel: WebviewPanel): Promise<void> {
    // Loaded with the first board: parsing plans costs time that no window start should pay.
    const { BoardSession } = await import('./boardSession.ts');
    const dist = Uri.joinPath(this.#services.extensionUri, 'dist');
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: [dist] };
    const session = new BoardSession(document, panel, this.#services, this.#choices);
    this.#sessions.set(panel, session);
    panel.onDidDispose(() => {
      this.#sessions.delete(panel);
      session.dispose();
    });
    const uriOf = (name: string): string => webview.asWebviewUri(Uri.joinPath(dist, name)).toString();
    webview.html = boardHtml({
      scriptUri: uriOf('board.js'),
      styleUri: uriOf('board.css'),
      codiconUri: uriOf('codicon.css'),
      cspSource: webview.cspSource,
      nonce: randomBytes(16).toString('base64url'),
      title: 'AgentKit board',
    });
  }
}
