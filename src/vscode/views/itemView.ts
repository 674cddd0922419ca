/** A tree row as plain data; `toTreeItem` makes the editor's object of it. */
export interface ItemView {
  /** Stable over readings and reloads, unique in its tree. */
  id: string;
  label: string;
  description: string;
  /** Plain text, except where `markdown` says otherwise; then all data in it is escaped. */
  tooltip: string;
  markdown?: boolean;
  icon: Icon;
  /** Set of words for menu conditions. */
  words: string[];
  children: 'none' | 'closed' | 'open';
}

/** Codicon with a theme colour; shape and colour both tell the state. */
export interface Icon {
  id: string;
  color?: string;
}
