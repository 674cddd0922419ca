// Entry of dist/supervisor.js: starts, watches and ends the one process of a step's folder, and outlives whoever
// started it. Usage: node supervisor.js STEP_FOLDER
import { dirname } from 'node:path';
import { messageOf } from '../../core/agentKitError.ts';
import { createKinds } from '../agents/kinds.ts';
import { superviseStep } from './superviseStep.ts';

async function main(): Promise<void> {
  delete process.env['ELECTRON_RUN_AS_NODE'];
  const [, program = '', folder] = process.argv;
  if (folder === undefined) {
    throw new Error('The folder of a step is missing');
  }
  await superviseStep(
    folder,
    process.env,
    createKinds({ node: process.execPath, dist: dirname(program), environment: process.env }),
  );
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exit(1);
  },
);
