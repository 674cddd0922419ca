import { join } from 'node:path';

/** The files of one supervised process, all in its step's folder. */
export function stepFiles(folder: string) {
  return {
    /** What to run; written by whoever starts it. */
    launch: join(folder, 'launch.json'),
    /** Identity of the supervisor that was spawned last; written by whoever starts it. */
    supervisor: join(folder, 'supervisor.json'),
    /** Standard streams of the supervisor itself. */
    supervisorLog: join(folder, 'supervisor.log'),
    /** Created once, exclusively, by the one supervisor that may run this step; holds its identity. */
    claim: join(folder, 'claim'),
    status: join(folder, 'status.json'),
    /** The child's group and the descendants seen so far, for whoever has to end them after a lost supervisor. */
    processes: join(folder, 'processes.json'),
    /** Appears when somebody wants the process stopped. */
    stop: join(folder, 'stop'),
    transcript: join(folder, 'transcript.jsonl'),
    /** Output of what is no agent. */
    output: join(folder, 'output.log'),
    result: join(folder, 'result.json'),
  };
}

export type StepFiles = ReturnType<typeof stepFiles>;

/** The files of this machine's accounts, in the user's state folder. */
export function stateFiles(state: string) {
  return {
    usageCache: join(state, 'usage.json'),
    /** Whoever asks vendors for quota holds it. */
    usageLock: join(state, 'usage.lock'),
    /** Whoever writes the cache holds it, shortly. */
    usageCacheLock: join(state, 'usage-cache.lock'),
    identitySalt: join(state, 'identity.salt'),
    leases: join(state, 'leases.json'),
    leasesLock: join(state, 'leases.lock'),
    /** Which lane has which port of this machine. */
    ports: join(state, 'ports.json'),
    portsLock: join(state, 'ports.lock'),
    /** Folders of the agents that `ak run` ran. */
    runs: join(state, 'runs'),
    /** Held while it is decided whether one more may start. */
    runsLock: join(state, 'runs.lock'),
    settingsLock: join(state, 'settings.lock'),
  };
}
