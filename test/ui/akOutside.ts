import type { PickAnswer } from '../../src/core/accounts/pickAccounts.ts';
import type { LaneView, RunView } from '../../src/core/lanes/laneView.ts';
import { runAk } from '../../scripts/demo/ak.mjs';
import type { Demo } from '../../scripts/demo/makeDemo.mjs';
import { prepareToolchain } from '../../scripts/toolchain.mjs';

/** What `ak --json` tells of a demo repository, as from a terminal outside of the editor. */
export class AkOutside {
  readonly #demo: Demo;

  constructor(demo: Demo) {
    this.#demo = demo;
  }

  /** Names of the accounts that would be picked, best first. */
  async picks(): Promise<string> {
    const { chosen } = await this.#ask<PickAnswer>('pick', 'demo', '--count', '3');
    return chosen.map(({ profile }) => profile).join(' ');
  }

  async lanes(): Promise<LaneView[]> {
    return (await this.#ask<{ lanes: LaneView[] }>('lane', 'ls')).lanes;
  }

  async lane(id: string): Promise<LaneView> {
    return this.#ask('lane', 'show', id);
  }

  async run(id: string): Promise<RunView> {
    return this.#ask('orchestrate', 'status', id);
  }

  async #ask<T>(...args: string[]): Promise<T> {
    const { answer } = (await runAk({ demo: this.#demo, toolchain: prepareToolchain() }, args)) as {
      answer: T;
    };
    return answer;
  }
}
