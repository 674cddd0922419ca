import {
  commands,
  EventEmitter,
  Uri,
  workspace,
  type Disposable,
  type TextDocumentContentProvider,
} from 'vscode';

const uri = Uri.from({ scheme: 'agentkit-doctor', path: '/AgentKit Doctor.md' });

/** The newest report of the doctor, shown as a page; it lies in memory only. */
export class DoctorPage implements TextDocumentContentProvider, Disposable {
  readonly #changed = new EventEmitter<Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #registered = workspace.registerTextDocumentContentProvider(uri.scheme, this);
  #text = '';

  provideTextDocumentContent(): string {
    return this.#text;
  }

  async show(text: string): Promise<void> {
    this.#text = text;
    this.#changed.fire(uri);
    await commands.executeCommand('markdown.showPreview', uri);
  }

  dispose(): void {
    this.#registered.dispose();
    this.#changed.dispose();
  }
}
