import type { PickRequest } from '../core/accounts/pickAccounts.ts';
import { AgentKitError } from '../core/agentKitError.ts';
import { collect, percentage, positiveNumber, wholeNumber } from './optionValues.ts';

/** What the options of `ak pick` said. */
export interface PickOptions {
  count: number;
  model?: string;
  exclude?: string[];
  need?: string[];
  reserve?: number;
  maxAge: number;
}

/** An option of `ak pick` that takes a value. */
export interface PickOption {
  key: keyof PickOptions;
  flags: string;
  description: string;
  initial?: number;
  /** Reads one value. Throws when it cannot be. */
  read?: (text: string) => number;
  /** Reads one of several values. */
  gather?: (text: string, earlier: string[] | undefined) => string[];
}

export const pickOptions: readonly PickOption[] = [
  { key: 'count', flags: '--count <n>', description: 'how many accounts', initial: 1, read: positiveNumber },
  { key: 'model', flags: '--model <model>', description: "count this model's own windows too" },
  {
    key: 'exclude',
    flags: '--exclude <profile...>',
    description: 'leave out this profile, like @one',
    gather: collect,
  },
  {
    key: 'need',
    flags: '--need <window:pct...>',
    description: 'only with this much free in a window, like 5h:30',
    gather: collect,
  },
  {
    key: 'reserve',
    flags: '--reserve <pct>',
    description: 'keep this much of every window free, in percent',
    read: percentage,
  },
  {
    key: 'maxAge',
    flags: '--max-age <seconds>',
    description: 'take a reading up to this old',
    initial: 300,
    read: wholeNumber,
  },
];

/** @throws AgentKitError `usage` for a need that is none */
export function pickRequest(kind: string, options: PickOptions): PickRequest & { kind: string } {
  return {
    kind,
    count: options.count,
    max_age_s: options.maxAge,
    ...(options.model !== undefined && { model: options.model }),
    ...(options.exclude !== undefined && { exclude: options.exclude }),
    ...(options.reserve !== undefined && { reserve_pct: options.reserve }),
    ...(options.need !== undefined && { need: options.need.map(parseNeed) }),
  };
}

function parseNeed(text: string): { window: string; pct: number } {
  const colon = text.lastIndexOf(':');
  const pct = Number(text.slice(colon + 1));
  if (colon < 1 || colon === text.length - 1 || !(pct >= 0 && pct <= 100))
    throw new AgentKitError('usage', `Write --need like 5h:30, not "${text}".`);
  return { window: text.slice(0, colon), pct };
}
