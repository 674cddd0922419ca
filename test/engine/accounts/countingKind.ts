import { AccountDesk } from '../../../src/engine/accounts/accountDesk.ts';
import { addProfile } from '../../../src/engine/accounts/profiles.ts';
import type { AgentKind, Probe, UsageAnswer } from '../../../src/engine/agents/agentKind.ts';
import { createKinds } from '../../../src/engine/agents/kinds.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Start of every test's clock. */
export const dawn = Date.parse('2026-11-30T00:00:00Z');

/** A kind whose quota lies with a vendor that counts who asks. */
export class CountingKind {
  /** Profiles in the order in which the vendor was asked about them. */
  readonly asked: string[] = [];
  /** Profiles whose CLI was asked who it is. */
  readonly probed: string[] = [];
  /** What the vendor says of a profile. */
  answer: (profile: string) => UsageAnswer | Promise<UsageAnswer> = () => ({ status: 'ok', windows: [] });
  /** What the CLI says of itself. */
  probe: (profile: string) => Probe = (profile) => ({ version: '1.0.0', login: 'ok', identity: profile });
  readonly kind: AgentKind;

  constructor(id = 'remote') {
    const demo = createKinds({ node: 'node', dist: 'dist', environment: {} }).get('demo');
    if (demo === undefined) throw new Error('There is no demo kind');
    this.kind = {
      ...demo,
      id,
      usageIsLocal: false,
      prepareProfile: () => Promise.resolve(),
      probe: ({ name }) => {
        this.probed.push(name);
        return Promise.resolve(this.probe(name));
      },
      readUsage: async ({ name }) => {
        this.asked.push(name);
        return this.answer(name);
      },
    };
  }

  /** Makes profiles of it. */
  async add(environment: Environment, ...names: string[]): Promise<void> {
    for (const name of names) await addProfile(this.kind, name, environment);
  }

  desk(environment: Environment, now: () => Date, ...others: CountingKind[]): AccountDesk {
    const kinds = new Map([this, ...others].map(({ kind }) => [kind.id, kind]));
    return new AccountDesk({ kinds, environment, now });
  }
}

/** A 5-hour window. */
export function fiveHours(used: number, resetsAt: number | null = null): UsageAnswer['windows'][number] {
  return {
    id: '5h',
    label: '5 hours',
    seconds: 18_000,
    used_pct: used,
    free_pct: 100 - used,
    resets_at: resetsAt === null ? null : new Date(resetsAt).toISOString(),
  };
}
