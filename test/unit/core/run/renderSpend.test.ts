import assert from 'node:assert/strict';
import { renderReport } from '../../../../src/core/run/renderReport.ts';
import type { RunEventBody } from '../../../../src/core/run/runEvent.ts';
import { toRunView } from '../../../../src/core/run/toRunView.ts';
import { rescued, story, way } from './events.ts';
import { job, plan, stateAfter } from './samples.ts';

const made = plan([job('api'), job('docs'), job('idle')]);
const api = story('api');
const used = (event: RunEventBody, usage: object): RunEventBody =>
  event.type === 'attempt.ended' ? { ...event, usage } : event;
const spent: RunEventBody = {
  type: 'run.spent',
  accounts: [
    { account: 'demo/@one', headroom_pct: 41.7, resets_at: '2026-03-03T00:00:00Z' },
    { account: 'demo/@two', headroom_pct: null, resets_at: null, reason: '<b>gone</b>' },
    { account: 'demo/@idle', headroom_pct: 90, resets_at: null },
  ],
};

function spendOf(...events: RunEventBody[]): string[] {
  const view = toRunView(stateAfter(made, ...events), { folder: '/run', owner: null, activity: {} });
  const lines = renderReport(view).split('\n');
  const from = lines.indexOf('## Spend');
  return from < 0
    ? []
    : lines.slice(
        from,
        lines.findIndex((line, at) => at > from && line.startsWith('## ')),
      );
}

describe('the spend in a report', () => {
  const cost = { input_tokens: 1000, output_tokens: 20, cost_usd: 0.25 };
  const [assigned, created] = way('api').running();
  assert.ok(assigned && created);
  const second = { ...api.started(2), account: 'demo/@two' } as RunEventBody;
  const ran = [
    ...way('api').running(),
    used(api.ended('failed'), cost),
    api.reopened(),
    api.assigned('demo/@two'),
    created,
    second,
    used(api.ended('failed', 2), { input_tokens: 5 }),
    ...way('docs').running(),
    used(story('docs').ended(), cost),
  ];

  it('tells what each account has left, and who used it', () => {
    const lines = spendOf(...ran, spent);
    assert.ok(
      lines.includes('- demo/@one: used by api, docs; 41 % left, resets at 2026-03-03T00:00:00Z'),
      lines.join('\n'),
    );
    assert.ok(
      lines.includes('- demo/@two: used by api; what it has left is not known (\\<b\\>gone\\</b\\>)'),
    );
    assert.doesNotMatch(lines.join('\n'), /@idle/);
  });

  it('says so when nothing was read, and when an account is not there any more', () => {
    assert.match(spendOf(...ran).join('\n'), /demo\/@one: used by api, docs; what it has left was not read/);
    const gone = { ...spent, accounts: [] } as RunEventBody;
    assert.match(spendOf(...ran, gone).join('\n'), /demo\/@two: used by api; it is not there any more/);
  });

  it('gives tokens, cost and time of each lane and of all', () => {
    const lines = spendOf(...ran, spent);
    for (const line of [
      '- api: demo/@one, demo/@two; 2 attempts, 2 s; 1005 tokens in; at least 20 tokens out; at least 0.25 USD',
      '- docs: demo/@one; 1 attempt, 1 s; 1000 tokens in; 20 tokens out; 0.25 USD',
    ])
      assert.ok(lines.includes(line), `${line}\n${lines.join('\n')}`);
    assert.match(
      lines.join('\n'),
      /- In all: 3 attempts, 3 s; 2005 tokens in; at least 40 tokens out; at least 0\.50 USD; from its start to its last event 14 s/,
    );
  });

  it('says what no agent told', () => {
    assert.match(
      spendOf(...way('docs').running()).join('\n'),
      /docs: demo\/@one; 1 attempt, time not known; tokens in not told; tokens out not told; cost not told/,
    );
  });

  it('names every rescue with the command that brings it back, and what it lacks', () => {
    const closing: RunEventBody = { type: 'lane.closing', lane: 'api', why: 'discard' };
    const kept = { path: 'a.sock', reason: 'it is a [socket]' };
    const rescue = rescued('api', {
      ref: 'refs/agentkit/rescue/api/1',
      files: 3,
      bytes: 1,
      not_kept: [kept],
    });
    const text = spendOf(...way('api').failed(), closing, rescue).join('\n');
    assert.match(
      text,
      /- api at 2026-03-02T12:00:00Z \(discard\): 3 files, 1 byte in `refs\/agentkit\/rescue\/api\/1`; not kept: a\.sock: it is a \\\[socket\\\]\. Bring it back: `ak lane restore refs\/agentkit\/rescue\/api\/1`/,
    );
    const archive = { file: '/runs/a.tar', bytes: 1, files: 1 };
    const more = rescued('api', { archive });
    assert.match(
      spendOf(...way('api').failed(), closing, more).join('\n'),
      /ignored files in `\/runs\/a\.tar`/,
    );
  });

  it('is left out of a run in which nobody began', () => {
    assert.deepEqual(spendOf(spent), []);
  });
});
