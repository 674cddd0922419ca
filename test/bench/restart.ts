// How long a fresh process takes to tell the truth about a repository with 50 lanes and 100,000 events, and to tell it
// again after one event more, against a bare Node that reads and parses the same bytes. Two seconds is the most that a
// restart may take.
import { execFileSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRunFolder, journalFile, runsFolder } from '../../src/engine/store/runFolder.ts';
import { DemoWorld } from '../engine/conductor/demoWorld.ts';
import { compare, median, timeProcess } from './compare.ts';
import { longJournal } from './restart/longJournal.ts';

const [lanes, events, rounds] = [50, 100_000, 5];
const world = new DemoWorld(['one']);
const kit = await world.kit();
const names = Array.from({ length: lanes }, (_, index) => `lane${index + 1}`);
const { plan } = await kit.previewPlan({
  text: world.plan(names.map((id) => ({ id, steps: [{ say: id }] }))),
});
if (plan === null) throw new Error('The plan has problems');
const folder = join(runsFolder(kit.repository.commonDir), '20261130T090000Z-0001');
const plan_sha256 = await createRunFolder(folder, plan);
const sha = world.git('rev-parse', 'HEAD');
const journal = journalFile(folder);
const { text, next } = longJournal({ repo: world.repo, sha, lanes: names, events, plan_sha256 });
writeFileSync(journal, text);

const options = { cwd: world.repo, env: world.environment as NodeJS.ProcessEnv };
const built = join(import.meta.dirname, '..', '..', 'dist');
const read = `
  const { createAgentKit } = require(${JSON.stringify(join(built, 'agentKit.js'))});
  const { appendFileSync } = require('node:fs');
  const timed = async (work) => {
    const begin = performance.now();
    const value = await work();
    return [performance.now() - begin, value];
  };
  createAgentKit({
    folder: process.cwd(),
    head: 'editor',
    node: process.execPath,
    dist: ${JSON.stringify(built)},
    environment: process.env,
  }).then(async (kit) => {
    const truth = ({ runs: [run], unreadable }) => {
      if (unreadable.length > 0) throw new Error(unreadable[0].message);
      if (run.lanes.length !== ${lanes}) throw new Error('Lanes are missing');
      return run.seq;
    };
    const [first, seq] = await timed(async () => truth(await kit.listRuns()));
    const [same] = await timed(async () => truth(await kit.listRuns()));
    if (process.argv[1]) appendFileSync(${JSON.stringify(journal)}, process.argv[1]);
    const [again, after] = await timed(async () => truth(await kit.listRuns()));
    await kit.dispose();
    console.log(JSON.stringify({ first, same, again, seq, after, rss: process.memoryUsage().rss }));
  });`;
const parse = `
  const { readFileSync } = require('node:fs');
  readFileSync(${JSON.stringify(journal)}, 'utf8').split('\\n').slice(0, -1).map((line) => JSON.parse(line));`;

try {
  const size = (statSync(journal).size / 1024 / 1024).toFixed(0);
  await compare(
    rounds,
    {
      name: `a fresh process tells of ${lanes} lanes with ${events} events (${size} MiB)`,
      run: () => timeProcess(process.execPath, ['-e', read], options),
    },
    {
      name: 'bare node parses them',
      run: () => timeProcess(process.execPath, ['-e', parse], options),
    },
  );
  const found = Array.from({ length: rounds }, () => {
    const out = execFileSync(process.execPath, ['-e', read, next()], { ...options, encoding: 'utf8' });
    const figures = JSON.parse(out) as Record<'first' | 'same' | 'again' | 'seq' | 'after' | 'rss', number>;
    if (figures.after !== figures.seq + 1) throw new Error('The event more was not seen');
    return figures;
  });
  const of = (name: 'first' | 'same' | 'again') => `${median(found.map((each) => each[name])).toFixed(0)} ms`;
  const memory = (median(found.map(({ rss }) => rss)) / 1024 / 1024).toFixed(0);
  console.log(
    `within it: first reading ${of('first')}, again ${of('same')}, after one event more ${of('again')}; ${memory} MiB resident (median of ${rounds})`,
  );
} finally {
  await world.dispose();
}
