import type { AccountReading, UsageWindow } from './usage.ts';

export interface HeadroomOptions {
  /** RFC 3339 time against which resets are judged. */
  now: string;
  /** Lets the windows of this model count too; without it no model's window does. */
  model?: string;
  /** Kept free in every window, in percent. Default: 10 in weekly windows, 0 in others. */
  reserve_pct?: number;
  /** Windows that must have this much free, whatever the reserve. */
  need?: { window: string; pct: number }[];
}

export type Headroom =
  | {
      qualifies: true;
      /** The smallest free share after the reserve, above 0. */
      headroom_pct: number;
      /** The window that leaves the least; null for an account without windows. */
      binding_window: string | null;
      resets_at: string | null;
    }
  | {
      qualifies: false;
      reason: string;
      /** When everything it lacks will be there again, where that is known. */
      resets_at?: string;
    };

/** Kept free in weekly windows unless the request says otherwise, in percent. */
export const weeklyReserve = 10;

/** What the windows of an account leave, or why they leave too little. Its status is not looked at. */
export function headroomOf(reading: AccountReading, options: HeadroomOptions): Headroom {
  const windows = reading.windows.filter((window) => applies(window, options.model));
  const needs = options.need ?? [];
  for (const { window: id } of needs) {
    if (!reading.windows.some((window) => window.id === id)) {
      return { qualifies: false, reason: `it has no window "${id}"` };
    }
  }
  const needed = reading.windows.filter((window) => needs.some(({ window: id }) => id === window.id));
  const unknown = [...windows, ...needed].find((window) => hasReset(window, options.now));
  if (unknown) {
    return {
      qualifies: false,
      reason: `window ${unknown.id} was due to reset at ${unknown.resets_at}; not read since`,
    };
  }
  const lacking: Lack[] = [];
  for (const window of windows) {
    const reserve = reserveOf(window, options);
    if (freeOf(window) > reserve) continue;
    const kept = reserve > 0 ? `, ${reserve} % are kept in reserve` : '';
    lacking.push({ window, text: `window ${window.id} has ${round(freeOf(window))} % free${kept}` });
  }
  for (const { window: id, pct } of needs) {
    const window = needed.find((candidate) => candidate.id === id && freeOf(candidate) < pct);
    if (window)
      lacking.push({ window, text: `window ${id} has ${round(freeOf(window))} % free, ${pct} % needed` });
  }
  if (lacking.length > 0) return refuse(lacking);

  const [binding] = windows.toSorted(
    (a, b) => roomOf(a, options) - roomOf(b, options) || (a.id < b.id ? -1 : 1),
  );
  if (!binding) return { qualifies: true, headroom_pct: 100, binding_window: null, resets_at: null };
  return {
    qualifies: true,
    headroom_pct: round(roomOf(binding, options)),
    binding_window: binding.id,
    resets_at: binding.resets_at,
  };
}

export function isWeekly(window: UsageWindow): boolean {
  return window.id === 'weekly' || window.id.startsWith('weekly:');
}

/** Model windows count only when that model is asked for. */
export function applies(window: UsageWindow, model: string | undefined): boolean {
  return appliesTo(window.model, model);
}

/** The window's `opus` counts for `opus`, and for a full name that has it as a word, like `claude-opus-5-5`. */
export function appliesTo(windowModel: string | undefined, model: string | undefined): boolean {
  if (windowModel === undefined) return true;
  const [wanted, asked] = [windowModel.toLowerCase(), model?.toLowerCase()];
  return asked === wanted || (asked?.split(/[^a-z0-9]+/).includes(wanted) ?? false);
}

interface Lack {
  window: UsageWindow;
  text: string;
}

function refuse(lacking: Lack[]): Headroom {
  const reason = lacking.map(({ text }) => text).join('; ');
  const resets = lacking.map(({ window }) => window.resets_at);
  const known = resets.filter((reset) => reset !== null);
  // It can be used when the last of the lacking windows has reset; one without a time leaves that unknown.
  if (known.length < resets.length) return { qualifies: false, reason };
  const [last] = known.toSorted((a, b) => Date.parse(b) - Date.parse(a));
  return { qualifies: false, reason, ...(last === undefined ? {} : { resets_at: last }) };
}

/** What is free after a reset that lies behind us is unknown, neither 0 nor 100. */
function hasReset(window: UsageWindow, now: string): boolean {
  return window.resets_at !== null && !(Date.parse(window.resets_at) > Date.parse(now));
}

/** A window with nothing used and no reset has not started: all of it is free. */
function freeOf(window: UsageWindow): number {
  return window.used_pct === 0 && window.resets_at === null ? 100 : window.free_pct;
}

function reserveOf(window: UsageWindow, options: HeadroomOptions): number {
  return options.reserve_pct ?? (isWeekly(window) ? weeklyReserve : 0);
}

function roomOf(window: UsageWindow, options: HeadroomOptions): number {
  return freeOf(window) - reserveOf(window, options);
}

/** Two decimals: what floating point adds below that is noise. */
function round(pct: number): number {
  return Math.round(pct * 100) / 100;
}
