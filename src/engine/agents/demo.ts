import { join } from 'node:path';
import { writeJson } from '../store/atomicFile.ts';
import type { AgentKind } from './agentKind.ts';
import { carrySession } from './carrySession.ts';
import { demoSessions } from './demoSessions.ts';
import { parseDemoLine } from './demoStream.ts';
import { readDemoUsage } from './demoUsage.ts';

/** A new demo profile: an account with room, for its owner to edit. */
const starterUsage = {
  plan: 'demo',
  status: 'ok',
  windows: [
    { id: '5h', used_pct: 20, resets_in_s: 9_000 },
    { id: 'weekly', used_pct: 35, resets_in_s: 259_200 },
  ],
};

/** The embedded demo agent: a small program of ours, no AI, that does what its prompt spells out. */
export function createDemoKind({ node, dist }: { node: string; dist: string }): AgentKind {
  return {
    id: 'demo',
    label: 'Demo agent (embedded, no AI)',
    hasDefaultProfile: false,
    usageIsLocal: true,
    install: null,
    environment: (profile) => ({ AGENTKIT_DEMO_PROFILE: profile.folder ?? '' }),
    interactive: null,
    login: null,
    trustFolder: null,
    launch: (profile, { resume }) => ({
      argv: [node, join(dist, 'demoAgent.js'), ...(resume === undefined ? [] : [`--resume=${resume}`])],
      // `node` may be Electron, which is Node only with this variable; the program takes it out again.
      env: { ELECTRON_RUN_AS_NODE: '1', AGENTKIT_DEMO_PROFILE: profile.folder ?? '' },
    }),
    parseLine: parseDemoLine,
    hasSession: demoSessions.has,
    carrySession: (from, to, session, cwd) => carrySession(demoSessions, { from, to, session, cwd }),
    readUsage: readDemoUsage,
    prepareProfile: (folder) => writeJson(join(folder, 'usage.json'), starterUsage),
  };
}
