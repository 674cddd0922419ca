import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/**
 * A stand-in for `codex`, not the real one: says what `stand-in.json` in its home tells it to, and writes down in
 * `stand-in.log` how it was asked. Arguments: the folder with both files, then those of Codex.
 */
interface Behaviour {
  version?: string;
  login?: { exit: number; text: string };
  /** What its sandbox says on the error stream where it does not work. */
  sandbox?: string;
  /** Lines that the server answers a question with; without them it stays silent. */
  reply?: string[];
  /** The server ends at once, with this on its error stream. */
  dies?: string;
  /** The server prints without end. */
  floods?: boolean;
}

const [folder = '', ...args] = process.argv.slice(2);
const behaviour = JSON.parse(readFileSync(`${folder}/stand-in.json`, 'utf8')) as Behaviour;
const log = (entry: object) => appendFileSync(`${folder}/stand-in.log`, `${JSON.stringify(entry)}\n`);
log({
  args,
  cwd: process.cwd(),
  beside: readdirSync('.'),
  home: process.env['CODEX_HOME'] ?? null,
  key: process.env['CODEX_API_KEY'] ?? process.env['OPENAI_API_KEY'] ?? null,
});

if (args[0] === '--version') {
  console.log(behaviour.version ?? '');
} else if (args[0] === 'login') {
  console.error(`WARNING: a stand-in\n${behaviour.login?.text ?? ''}`);
  process.exitCode = behaviour.login?.exit ?? 0;
} else if (args[0] === 'sandbox') {
  console.error(`WARNING: a stand-in\n${behaviour.sandbox ?? ''}`);
  process.exitCode = behaviour.sandbox === undefined ? 0 : 1;
} else if (behaviour.dies !== undefined) {
  console.error(behaviour.dies);
  process.exitCode = 1;
} else {
  serve();
}

function serve(): void {
  const flood = setInterval(() => {
    if (behaviour.floods) process.stdout.write(`${'x'.repeat(60)}\n`.repeat(10));
  }, 1);
  const input = createInterface({ input: process.stdin });
  input.on('line', (line) => {
    const { method, id } = JSON.parse(line) as { method: string; id?: number };
    log({ method });
    for (const reply of id === undefined ? [] : (behaviour.reply ?? [])) {
      // Notices that belong to no question come after the first answer.
      const told = JSON.parse(reply) as { id?: number };
      if ((told.id ?? 1) === id) console.log(reply);
    }
  });
  input.once('close', () => clearInterval(flood));
}
