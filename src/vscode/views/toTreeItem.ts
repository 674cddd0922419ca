import { MarkdownString, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { ItemView } from './itemView.ts';

const collapsible = {
  none: TreeItemCollapsibleState.None,
  closed: TreeItemCollapsibleState.Collapsed,
  open: TreeItemCollapsibleState.Expanded,
};

/** The editor's object for a row. */
export function toTreeItem(view: ItemView): TreeItem {
  const item = new TreeItem(view.label, collapsible[view.children]);
  item.id = view.id;
  item.description = view.description;
  item.tooltip = view.markdown ? new MarkdownString(view.tooltip) : view.tooltip;
  item.iconPath = new ThemeIcon(view.icon.id, view.icon.color ? new ThemeColor(view.icon.color) : undefined);
  item.contextValue = view.words.join(' ');
  item.accessibilityInformation = { label: [view.label, view.description].filter(Boolean).join(', ') };
  return item;
}
