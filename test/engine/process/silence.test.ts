import assert from 'node:assert/strict';
import { Silence, type Look } from '../../../src/engine/process/silence.ts';

/** A clock of our own, so that hours pass at once. */
function watched(afterS: number) {
  const silence = new Silence(afterS, 0);
  let at = 0;
  return {
    everyMs: silence.everyMs,
    /** Looks again and again for so long; `cpu` is the CPU time by then. Returns what the last look said. */
    pass(seconds: number, cpu: (atS: number) => number, more: Partial<Look> = {}): number | null {
      let told: number | null = null;
      for (const end = at + seconds * 1000; at < end;) {
        at += silence.everyMs;
        told = silence.look({ at, spoke: false, waits: false, cpuS: () => cpu(at / 1000), ...more });
      }
      return told;
    },
    sleep(seconds: number) {
      at += seconds * 1000;
    },
  };
}

const idle = () => 7;

describe('a stall', () => {
  it('is told after its time without output and CPU, and not before', () => {
    const tree = watched(300);
    assert.equal(tree.pass(290, idle), null);
    const quietMs = tree.pass(60, idle);
    assert.ok(quietMs !== null && quietMs >= 300_000 && quietMs <= 330_000, `${quietMs}`);
  });

  it('is not what works without a word, for hours, in however many processes', () => {
    const tree = watched(300);
    assert.equal(
      tree.pass(4 * 3600, (at) => at * 0.9),
      null,
    );
    // Now and then a second of work is enough.
    assert.equal(
      tree.pass(4 * 3600, (at) => Math.floor(at / 120)),
      null,
    );
    // A process of the tree ended with its time, or a new one began.
    assert.equal(
      tree.pass(3600, (at) => 1_000_000 - at),
      null,
    );
  });

  it('is what only keeps its timers going', () => {
    assert.notEqual(
      watched(300).pass(400, (at) => at * 0.001),
      null,
    );
  });

  it('is over with output, and begins anew', () => {
    const tree = watched(300);
    assert.notEqual(tree.pass(400, idle), null);
    assert.equal(tree.pass(30, idle, { spoke: true }), null);
    assert.equal(tree.pass(290, idle), null);
    assert.notEqual(tree.pass(60, idle), null);
  });

  it('is not the time for which it waits for a person', () => {
    const tree = watched(300);
    assert.equal(tree.pass(3600, idle, { waits: true }), null);
    assert.equal(tree.pass(290, idle), null);
  });

  it('is not the sleep of the machine, nor the time right after it', () => {
    const tree = watched(300);
    assert.equal(tree.pass(240, idle), null);
    tree.sleep(8 * 3600);
    assert.equal(tree.pass(290, idle), null);
    assert.notEqual(tree.pass(60, idle), null);
  });

  it('costs nothing while there is output, and little else', () => {
    const tree = watched(300);
    let asked = 0;
    const count = () => ((asked += 1), 7);
    tree.pass(3600, count, { spoke: true });
    assert.equal(asked, 0);
    tree.pass(300, count);
    assert.equal(asked, 10);
    assert.equal(watched(20).everyMs, 5_000);
  });
});
