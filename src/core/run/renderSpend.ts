import { counted } from '../counted.ts';
import type { LaneView, RunView } from '../lanes/laneView.ts';
import { codeSpan } from '../safety/codeSpan.ts';

type Foreign = (text: string) => string;
type Attempt = LaneView['attempts'][number];

/** What a run has cost and kept, in Markdown: by account, by lane and in all, and every rescue with its way back. */
export function renderSpend(view: RunView, foreign: Foreign): string[] {
  const used = view.lanes.filter(({ attempts }) => attempts.length > 0);
  const rescues = view.lanes.flatMap((lane) =>
    lane.rescues.map((rescue) => rescueLine(lane, rescue, foreign)),
  );
  if (used.length === 0 && rescues.length === 0) return [];
  const total = used.flatMap(({ attempts }) => attempts);
  return [
    '## Spend',
    '',
    ...accountLines(view, used, foreign),
    ...used.map(
      (lane) =>
        `- ${foreign(lane.lane)}: ${accountsOf(lane.attempts).map(foreign).join(', ')}; ${costOf(lane.attempts)}`,
    ),
    ...(used.length > 0
      ? [
          `- In all: ${costOf(total)}; from its start to its last event ${span(secondsBetween(view.created_at, view.updated_at))}`,
        ]
      : []),
    ...(rescues.length > 0 ? ['', 'Rescued:', ...rescues] : []),
    '',
  ];
}

/** One reading of what is left, at the end of the work; accounts that no lane used are left out. */
function accountLines({ spent }: RunView, used: readonly LaneView[], foreign: Foreign): string[] {
  return accountsOf(used.flatMap(({ attempts }) => attempts)).map((account) => {
    const lanes = used.filter(({ attempts }) => attempts.some((each) => each.account === account));
    const by = `used by ${lanes.map(({ lane }) => foreign(lane)).join(', ')}`;
    if (spent === null) return `- ${foreign(account)}: ${by}; what it has left was not read`;
    const found = spent.find((each) => each.account === account);
    return `- ${foreign(account)}: ${by}; ${roomOf(found, foreign)}`;
  });
}

function roomOf(found: NonNullable<RunView['spent']>[number] | undefined, foreign: Foreign): string {
  if (found === undefined) return 'it is not there any more';
  const { headroom_pct, resets_at, reason } = found;
  const room = headroom_pct === null ? 'what it has left is not known' : `${Math.floor(headroom_pct)} % left`;
  const why = reason === undefined ? '' : ` (${foreign(reason)})`;
  return `${room}${why}${resets_at === null ? '' : `, resets at ${resets_at}`}`;
}

function accountsOf(attempts: readonly Attempt[]): string[] {
  return [...new Set(attempts.map(({ account }) => account))];
}

function costOf(attempts: readonly Attempt[]): string {
  const time = sum(
    attempts.map(({ started_at, ended_at }) =>
      ended_at === null ? undefined : secondsBetween(started_at, ended_at),
    ),
  );
  const input = sum(attempts.map(({ usage }) => usage?.input_tokens));
  const output = sum(attempts.map(({ usage }) => usage?.output_tokens));
  const cost = sum(attempts.map(({ usage }) => usage?.cost_usd));
  const known = (of: Sum, text: string) =>
    of.told === 0 ? undefined : `${of.told < attempts.length ? 'at least ' : ''}${text}`;
  return [
    `${counted(attempts.length, 'attempt')}, ${known(time, span(time.sum)) ?? 'time not known'}`,
    known(input, `${input.sum} tokens in`) ?? 'tokens in not told',
    known(output, `${output.sum} tokens out`) ?? 'tokens out not told',
    known(cost, `${cost.sum.toFixed(2)} USD`) ?? 'cost not told',
  ].join('; ');
}

interface Sum {
  sum: number;
  /** How many of the values are known. */
  told: number;
}

function sum(values: readonly (number | undefined)[]): Sum {
  const known = values.filter((value) => value !== undefined);
  return { sum: known.reduce((all, value) => all + value, 0), told: known.length };
}

function secondsBetween(from: string, to: string): number {
  return Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));
}

function span(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const first = parts.findIndex((value) => value > 0);
  const named = parts.map((value, index) => `${value} ${['h', 'min', 's'][index] ?? ''}`);
  return named.slice(first).join(' ');
}

function rescueLine({ lane }: LaneView, rescue: LaneView['rescues'][number], foreign: Foreign): string {
  const { ref, at, why, files, bytes, archive, not_kept } = rescue;
  const beside = archive === null ? '' : `; ignored files in ${codeSpan(archive)}`;
  const lost = not_kept.length === 0 ? '' : `; not kept: ${not_kept.map(foreign).join(', ')}`;
  return `- ${foreign(lane)} at ${at} (${why}): ${counted(files, 'file')}, ${counted(bytes, 'byte')} in ${codeSpan(ref)}${beside}${lost}. Bring it back: ${codeSpan(`ak lane restore ${ref}`)}`;
}
