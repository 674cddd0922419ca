import {
  CompletionItem,
  CompletionItemKind,
  Hover,
  languages,
  MarkdownString,
  Uri,
  workspace,
  type CompletionItemProvider,
  type Disposable,
  type DocumentFilter,
  type HoverProvider,
  type TextDocument,
} from 'vscode';
import { planGlob } from './isPlanFile.ts';
import { planCompletions } from './planCompletions.ts';
import { planHover } from './planHover.ts';
import type { PlanSchemaNode } from './planSchemaNode.ts';

const plans: DocumentFilter = { scheme: 'file', pattern: planGlob };

/** Completion and hover in plan files, from the schema that the build makes of the plan's own. */
export function registerPlanLanguage(extensionUri: Uri): Disposable[] {
  let loaded: Promise<PlanSchemaNode> | undefined;
  const schema = (): Promise<PlanSchemaNode> => (loaded ??= readSchema(extensionUri));
  const completion: CompletionItemProvider = {
    provideCompletionItems: async (document, { line, character }) => {
      const before = document.lineAt(line).text.slice(0, character);
      return planCompletions(linesOf(document), line, before, await schema()).map((each) => {
        const kind = each.kind === 'key' ? CompletionItemKind.Property : CompletionItemKind.EnumMember;
        const item = new CompletionItem({ label: each.label, description: each.description }, kind);
        item.insertText = each.insert;
        return item;
      });
    },
  };
  const hover: HoverProvider = {
    provideHover: async (document, position) => {
      const range = document.getWordRangeAtPosition(position, /[a-z_]+/);
      if (!range) return undefined;
      const text = planHover(linesOf(document), position.line, document.getText(range), await schema());
      return text === undefined ? undefined : new Hover(new MarkdownString(text), range);
    },
  };
  return [
    languages.registerCompletionItemProvider(plans, completion, ' '),
    languages.registerHoverProvider(plans, hover),
  ];
}

async function readSchema(extensionUri: Uri): Promise<PlanSchemaNode> {
  const bytes = await workspace.fs.readFile(Uri.joinPath(extensionUri, 'dist', 'plan.schema.json'));
  return JSON.parse(new TextDecoder().decode(bytes)) as PlanSchemaNode;
}

function linesOf(document: TextDocument): string[] {
  return document.getText().split(/\r?\n/);
}
