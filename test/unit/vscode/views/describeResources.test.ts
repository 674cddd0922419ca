import assert from 'node:assert/strict';
import { describeResources } from '../../../../src/vscode/views/describeResources.ts';
import { render } from '../sampleRuns.ts';

describe('describeResources', () => {
  it('tells what a lane takes of the machine, and leaves out what is not known', () => {
    const some = {
      rss_bytes: 350 * 1024 ** 2,
      cpu_s: 42,
      processes: 5,
      ports: [4100, 4101],
      disk_bytes: 1024,
    };
    assert.equal(
      describeResources(some, render.t),
      'Uses now: 350 MB of memory · 42s of CPU · 5 processes · 1.0 KB on disk · port 4100, 4101',
    );
    const one = { rss_bytes: 0, cpu_s: 0, processes: 1, ports: [], disk_bytes: null };
    assert.equal(describeResources(one, render.t), 'Uses now: 0 B of memory · 0s of CPU · 1 process');
  });
});
