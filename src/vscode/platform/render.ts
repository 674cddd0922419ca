/** `l10n.t`, handed in so that mappings stay free of the editor. */
export type Translate = (message: string, ...args: (string | number)[]) => string;

/** What a mapping may know besides its data. */
export interface Render {
  t: Translate;
  /** Milliseconds since 1970. */
  now: number;
  locale: string;
  /** The machine's own when left out. */
  timeZone?: string;
}
