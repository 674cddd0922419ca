import { AgentKitError } from '../../core/agentKitError.ts';
import type { InteractiveOptions } from './agentKind.ts';

/** An option of a CLI by which it would act without asking. */
export interface WideningOption {
  /** Matches its word; a group of it is a value within the same word, else the value is the next word. */
  word: RegExp;
  /** Values with which it goes on asking; without them there are none. */
  harmless?: RegExp;
}

/**
 * Where the person said `ask`, their own arguments for a screen do not undo it: that word wins, and an agent that opens
 * a screen must not get around it either. @throws AgentKitError `refused`, naming the option
 */
export function requireAsking(
  { posture, args }: Pick<InteractiveOptions, 'posture' | 'args'>,
  widening: readonly WideningOption[],
): void {
  if (posture !== 'ask') return;
  const end = args.indexOf('--');
  const words = end < 0 ? args : args.slice(0, end);
  for (const [at, word] of words.entries()) {
    for (const option of widening) {
      const match = option.word.exec(word);
      if (!match || option.harmless?.test(match[1] ?? match[2] ?? words[at + 1] ?? '') === true) continue;
      const [name] = word.split('=', 1);
      throw new AgentKitError(
        'refused',
        `${name} would let it act without asking, and you said that it asks (--ask, AGENTKIT_PERMISSIONS or your settings); leave out ${name}, or take that back`,
      );
    }
  }
}
