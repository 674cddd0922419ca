import type { AgentKind } from './agentKind.ts';
import { findCodex } from './codex/findCodex.ts';
import { findExecutable } from './findExecutable.ts';
import type { KindOptions } from './kinds.ts';

/** What choosing an account needs of a kind; an AgentKind has all of it. */
export type UsageKind = Pick<AgentKind, 'id' | 'hasDefaultProfile' | 'usageIsLocal' | 'readUsage' | 'probe'>;

type Environment = KindOptions['environment'];

/** What a kind says of itself there, said again here so that it need not be loaded; a test holds both together. */
interface Card {
  usageIsLocal: boolean;
  /** Whether the CLI's own home is an account. */
  hasDefaultProfile: (environment: Environment) => boolean;
  /** Whether its CLI can be asked who it works for. */
  probes: boolean;
  /** How its quota is read, where that needs little; else by the kind itself. */
  readUsage?: AgentKind['readUsage'];
}

const cards: Readonly<Record<string, Card>> = {
  demo: {
    usageIsLocal: true,
    probes: false,
    hasDefaultProfile: () => false,
    readUsage: async (profile) => (await import('./demoUsage.ts')).readDemoUsage(profile),
  },
  claude: {
    usageIsLocal: false,
    probes: true,
    hasDefaultProfile: (environment) => findExecutable('claude', environment) !== null,
  },
  codex: {
    usageIsLocal: false,
    probes: true,
    hasDefaultProfile: (environment) => findCodex(environment) !== null,
  },
  pi: {
    usageIsLocal: true,
    probes: true,
    hasDefaultProfile: (environment) => findExecutable('pi', environment) !== null,
  },
  gemini: {
    usageIsLocal: true,
    probes: true,
    hasDefaultProfile: (environment) => findExecutable('gemini', environment) !== null,
  },
  opencode: {
    usageIsLocal: true,
    probes: true,
    hasDefaultProfile: (environment) => findExecutable('opencode', environment) !== null,
  },
};

/**
 * The kinds among which an account of `kind` is chosen. How to drive an agent takes longer to load than Node itself,
 * and a choice from the cache needs none of it, so a kind that has a card is loaded only when it is asked.
 */
export async function usageKinds(
  kind: string,
  options: KindOptions,
): Promise<ReadonlyMap<string, UsageKind>> {
  const card = Object.hasOwn(cards, kind) ? cards[kind] : undefined;
  if (card === undefined) return loadKinds(options);
  let loaded: Promise<AgentKind> | undefined;
  const load = async () => (loaded ??= loadKinds(options).then((kinds) => required(kinds, kind)));
  const lazy: UsageKind = {
    id: kind,
    usageIsLocal: card.usageIsLocal,
    get hasDefaultProfile() {
      return card.hasDefaultProfile(options.environment);
    },
    readUsage: card.readUsage ?? (async (profile) => (await load()).readUsage(profile)),
    ...(card.probes && {
      probe: async (profile, environment) => {
        const whole = await load();
        if (whole.probe === undefined)
          throw new Error(`There is a probe of the kind ${kind} on its card, but none in it`);
        return whole.probe(profile, environment);
      },
    }),
  };
  return new Map([[kind, lazy]]);
}

async function loadKinds(options: KindOptions): Promise<ReadonlyMap<string, AgentKind>> {
  const { createPersonKinds } = await import('./kinds.ts');
  return createPersonKinds(options);
}

function required(kinds: ReadonlyMap<string, AgentKind>, id: string): AgentKind {
  const kind = kinds.get(id);
  if (kind === undefined) throw new Error(`There is a card of the kind ${id}, but no kind`);
  return kind;
}
