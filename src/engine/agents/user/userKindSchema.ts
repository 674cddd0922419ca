import * as z from 'zod';
import { withheldNames } from '../../process/childEnvironment.ts';

/** Kinds that are here without a description; none can be described anew. */
export const builtInKinds: readonly string[] = ['demo', 'claude', 'codex', 'pi', 'gemini', 'opencode'];

const placeholder = /\{[a-z_]*\}/g;

const words = (...allowed: string[]) =>
  z.array(z.string().min(1)).superRefine((argv, context) => {
    for (const [index, word] of argv.entries()) {
      for (const [found] of word.matchAll(placeholder)) {
        if (!allowed.includes(found)) {
          const message = `${found} has no meaning here; only ${allowed.join(' and ')} have`;
          context.addIssue({ code: 'custom', path: [index], message });
        }
      }
    }
  });

const command = words('{prompt_file}', '{options}')
  .min(1)
  .refine(
    ([program = '']) => !/[{}]/.test(program) && (program.startsWith('/') || !program.includes('/')),
    'begin with the name of a program on PATH, or its absolute path',
  );

const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'write the name of a variable, like MYTOOL_HOME');

const where = String.raw`\$(?:\.[A-Za-z_][\w-]*|\[\d{1,4}\])+`;

const path = z.string().regex(new RegExp(`^${where}$`), 'write where it is, like $.text or $.items[0].text');

/** A kind of agent as a person describes it in YAML: `kinds: { mytool: … }`. */
export const userKindSchema = z
  .strictObject({
    /** Starts it, working by itself. `{prompt_file}` is the file with the prompt, `{options}` where options belong. */
    run: command,
    /** The same where it asks before it acts. Without it, the kind does not run where it would have to ask. */
    ask: command.optional(),
    /** The same where it only reads. Without it, the kind does not run where it must only read. */
    read_only: command.optional(),
    /** Where the answer is: `text`, all it prints; `jsonl:PATH`, the last line of JSON that has a text there. */
    result: z
      .string()
      .regex(
        new RegExp(`^(text|jsonl:${where})$`),
        'write text, or where lines of JSON have it, like jsonl:$.text',
      ),
    /** Where lines of JSON have the id of the session. */
    session: path.optional(),
    /** Options that go on with a session, with `{session}`. */
    resume: words('{session}').optional(),
    /** Options that choose a model, with `{model}`. */
    model: words('{model}').optional(),
    /** Variable that selects the folder of a profile. */
    home_env: variable.optional(),
    /** Names of variables without which it does not work. */
    env: z.array(variable).optional(),
    /** Asks for its version. */
    version: words().min(1).optional(),
    label: z.string().min(1).optional(),
    /** The command that installs it. */
    install: z.string().min(1).optional(),
  })
  .superRefine((kind, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    if (kind.session !== undefined && kind.result === 'text') {
      refuse(['session'], 'lines of text have no session; use a result like jsonl:$.text');
    }
    if (kind.resume !== undefined && !kind.resume.some((word) => word.includes('{session}'))) {
      refuse(['resume'], 'say with {session} where the id of the session belongs');
    }
    if (kind.model !== undefined && !kind.model.some((word) => word.includes('{model}'))) {
      refuse(['model'], 'say with {model} where the name of the model belongs');
    }
    if (kind.home_env !== undefined && /^(PATH$|LD_|DYLD_|NODE_|AGENTKIT_)/.test(kind.home_env)) {
      refuse(
        ['home_env'],
        `${kind.home_env} means something else; name the variable of the program's own home`,
      );
    }
    for (const [index, name] of (kind.env ?? []).entries()) {
      if (withheldNames({ [name]: 'set' }, { needs: [name] }).length > 0) {
        refuse(['env', index], `${name} reaches no agent: it is withheld from all that is started`);
      }
    }
  });

export type UserKindDefinition = z.output<typeof userKindSchema>;

/** All kinds that a file describes, by their id. */
export const userKindsSchema = z.record(z.string(), userKindSchema).superRefine((kinds, context) => {
  for (const id of Object.keys(kinds)) {
    const message = builtInKinds.includes(id)
      ? `"${id}" is here already; choose another name`
      : /^[a-z][a-z0-9_-]{0,31}$/.test(id)
        ? undefined
        : `"${id}" is no name of a kind: 1 to 32 of small letters, digits, "-" and "_", beginning with a letter`;
    if (message !== undefined) context.addIssue({ code: 'custom', path: [id], message });
  }
});
