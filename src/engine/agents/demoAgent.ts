// Entry of dist/demoAgent.js: AgentKit's embedded demo agent. It is no AI. It reads a prompt on standard input, does
// the steps of the prompt's ```demo block in the folder it was started in, and prints one JSON line for each thing.
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { messageOf } from '../../core/agentKitError.ts';
import { reachLimit, type DemoLimit } from './demoLimit.ts';
import { readDemoScript, touchedBy, type DemoStep } from './demoScript.ts';
import { DemoSession } from './demoSession.ts';
import type { DemoLine } from './demoStream.ts';
import { DemoWorkspace } from './demoWorkspace.ts';

const banner =
  "This is AgentKit's embedded demo agent: a small program that follows its prompt's steps, no AI.";
/** Nobody was asked, so nothing was used. */
const usage = { input_tokens: 0, output_tokens: 0, cost_usd: 0 };

function print(line: DemoLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Does everything the prompt asks for; the exit code of the program. */
async function main(): Promise<number> {
  delete process.env['ELECTRON_RUN_AS_NODE'];
  const profile = process.env['AGENTKIT_DEMO_PROFILE'] ?? '';
  try {
    const { resume } = parseArgs({ options: { resume: { type: 'string' } } }).values;
    const session = new DemoSession(profile, resume);
    print({ type: 'init', session_id: session.id });
    print({ type: 'text', text: banner });
    const steps = readDemoScript(await text(process.stdin), session.left);
    const goesOn = steps === session.left;
    if (!goesOn) session.tell(steps);
    // Going on, it may still have to commit what it touched before.
    const workspace = new DemoWorkspace(process.cwd(), goesOn ? touchedBy(session.done) : []);
    for (const step of steps) {
      if ('limit' in step) {
        const resetsAt = reachLimit(profile, step.limit);
        if (resetsAt !== undefined) return endAtLimit(step.limit, resetsAt);
      } else if (!('exit' in step)) await perform(step, workspace);
      session.markDone();
      if ('exit' in step) {
        const asked = `The prompt asked for exit code ${step.exit}.`;
        print({ type: 'result', ok: step.exit === 0, text: asked, usage });
        return step.exit;
      }
    }
    print({ type: 'result', ok: true, text: `Done, ${steps.length} steps.`, usage });
    return 0;
  } catch (error) {
    print({ type: 'result', ok: false, text: messageOf(error), usage });
    return 1;
  }
}

function endAtLimit({ window }: DemoLimit, resetsAt: string): number {
  print({ type: 'limit', window, resets_at: resetsAt });
  print({
    type: 'result',
    ok: false,
    text: `The prompt says that the ${window} limit is reached here.`,
    usage,
  });
  return 1;
}

async function perform(
  step: Exclude<DemoStep, { exit: number } | { limit: unknown }>,
  workspace: DemoWorkspace,
): Promise<void> {
  if ('say' in step) {
    print({ type: 'text', text: step.say });
  } else if ('wait' in step) {
    await wait(step.wait * 1000);
  } else if ('write' in step) {
    await workspace.write(step.write.path, step.write.content);
    print({ type: 'tool', name: 'write', path: step.write.path });
  } else if ('append' in step) {
    await workspace.append(step.append.path, step.append.content);
    print({ type: 'tool', name: 'append', path: step.append.path });
  } else if ('replace' in step) {
    await workspace.replace(step.replace.path, step.replace.find, step.replace.with);
    print({ type: 'tool', name: 'replace', path: step.replace.path });
  } else if ('remove' in step) {
    await workspace.remove(step.remove);
    print({ type: 'tool', name: 'remove', path: step.remove });
  } else if ('ask' in step) {
    print({ type: 'waiting', reason: step.ask.for, text: step.ask.text });
    while (step.ask.answer === undefined || !(await workspace.takeAway(step.ask.answer))) await wait(100);
    print({ type: 'text', text: 'Somebody answered, so it goes on.' });
  } else {
    await workspace.commit(step.commit);
    print({ type: 'tool', name: 'commit', message: step.commit });
  }
}

void main().then((code) => (process.exitCode = code));
