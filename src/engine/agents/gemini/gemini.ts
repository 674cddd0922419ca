import { AgentKitError } from '../../../core/agentKitError.ts';
import type { AgentKind, Profile } from '../agentKind.ts';
import { findExecutable } from '../findExecutable.ts';
import { geminiArguments } from './geminiArguments.ts';
import { openGeminiErrors } from './geminiErrors.ts';
import { writeGeminiPolicy } from './geminiPolicy.ts';
import { geminiScreen } from './geminiScreen.ts';
import { openGeminiStream } from './geminiStream.ts';
import { hasGeminiSession } from './hasGeminiSession.ts';
import { geminiMissing, probeGemini } from './probeGemini.ts';
import { trustGeminiFolder } from './trustGeminiFolder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Google's Gemini CLI, measured with 0.61.0 (design chapter 5). The `.env` of a folder that Gemini trusts comes before
 * the account's own key: nothing but its own setting `advanced.ignoreLocalEnv` keeps it from that.
 */
export function createGeminiKind({ environment }: { environment: Environment }): AgentKind {
  return {
    id: 'gemini',
    label: 'Gemini CLI',
    /** An account of its own exists where the CLI does. */
    get hasDefaultProfile() {
      return findExecutable('gemini', environment) !== null;
    },
    install: 'npm install -g @google/gemini-cli',
    cli: {
      program: 'gemini',
      provider: 'google',
      measured: ['0.61.0'],
      // Where its settings name no login of their own.
      overrides: [
        'GEMINI_API_KEY',
        'GOOGLE_GENAI_USE_VERTEXAI',
        'GOOGLE_GENAI_USE_GCA',
        'GOOGLE_GEMINI_BASE_URL',
      ],
    },
    environment: geminiHome,
    launch: (profile, options) => {
      const command = requireGemini(environment);
      const policy = options.posture === 'auto' ? null : writeGeminiPolicy(options.posture, environment);
      return { argv: [command, ...geminiArguments(options, policy)], env: geminiHome(profile) };
    },
    interactive: (profile, options) => ({
      argv: [requireGemini(environment), ...geminiScreen(options)],
      env: geminiHome(profile),
    }),
    // Gemini logs in by a command on its own screen, /auth; where there is no login it asks by itself.
    login: (profile) => ({ argv: [requireGemini(environment)], env: geminiHome(profile) }),
    trustFolder: (profile, folder) => trustGeminiFolder(profile, folder, environment),
    parseLine: (line) => openGeminiStream()(line),
    openStream: openGeminiStream,
    openErrorStream: openGeminiErrors,
    hasSession: (profile, session, cwd) => hasGeminiSession(profile, session, cwd, environment),
    probe: (profile, probed) => probeGemini(profile, probed, geminiHome(profile)),
    readUsage: () =>
      Promise.resolve({
        status: 'unknown',
        reason: 'Gemini CLI tells its quota on its own screen only, by /stats',
        windows: [],
      }),
    usageIsLocal: true,
  };
}

function requireGemini(environment: Environment): string {
  const command = findExecutable('gemini', environment);
  if (command === null) {
    throw new AgentKitError('not_installed', geminiMissing);
  }
  return command;
}

/** Without the variables Gemini uses its own home. A keyring would hold one key for all profiles, so it is a file's. */
function geminiHome(profile: Profile): Record<string, string> {
  return profile.folder === null
    ? {}
    : { GEMINI_CLI_HOME: profile.folder, GEMINI_FORCE_FILE_STORAGE: 'true' };
}
