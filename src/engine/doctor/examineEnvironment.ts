import type { VendorCli } from '../agents/agentKind.ts';
import { type DoctorFinding, problem } from './finding.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const keyName =
  /^(ANTHROPIC|OPENAI|CODEX|CLAUDE_CODE|GEMINI|GOOGLE|OPENCODE|OPENROUTER|MISTRAL|GROQ|XAI|DEEPSEEK)_(.+_)?(API_KEY|AUTH_TOKEN|ACCESS_TOKEN|OAUTH_TOKEN)(_[A-Z0-9_]+)?$/;

/** Names of the variables that hold a key of a model's provider; never a value. */
export function providerKeys(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => keyName.test(name) && isSet(environment, name))
    .sort();
}

/** Variables that win over the login of an account wherever its CLI is started without `ak`. */
export function examineEnvironment(clis: readonly VendorCli[], environment: Environment): DoctorFinding[] {
  return clis.flatMap(({ program, overrides }) => {
    const names = overrides.filter((name) => isSet(environment, name));
    if (names.length === 0) return [];
    const [win, them] = names.length === 1 ? ['wins', 'it'] : ['win', 'them'];
    const message = `${names.join(', ')} ${win} over every login where you start ${program} yourself (ak keeps ${them} from what it starts)`;
    return [problem('environment', message, `unset ${names.join(' ')}`)];
  });
}

function isSet(environment: Environment, name: string): boolean {
  return (environment[name] ?? '') !== '';
}
