import { appendFileSync, readFileSync } from 'node:fs';

/** A stand-in for `pi`, not the real one: says what `stand-in.json` in the folder tells it to, and logs how it was asked. */
const [folder = '', ...args] = process.argv.slice(2);
const behaviour = JSON.parse(readFileSync(`${folder}/stand-in.json`, 'utf8')) as {
  version: string;
  check?: { exit: number; text: string };
};
const home = process.env['PI_CODING_AGENT_DIR'] ?? null;
appendFileSync(
  `${folder}/stand-in.log`,
  `${JSON.stringify({ args, home, offline: process.env['PI_OFFLINE'] ?? null })}\n`,
);

if (args[0] === '--version') {
  console.log(behaviour.version);
} else {
  console.log(behaviour.check?.text ?? '');
  process.exitCode = behaviour.check?.exit ?? 2;
}
