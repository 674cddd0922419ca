import type { RunUsage, UsageBefore } from '../agents/agentKind.ts';

/** Sums of dollars get digits that mean nothing. */
const digits = 9;

/**
 * What one run used, from what its stream says and what the session that it went on with had used before. What cannot
 * be known is left out: a part whose earlier sum is null, and one that would come out below zero.
 */
export function usageOfRun(told: RunUsage, before: UsageBefore): RunUsage {
  const own = (name: keyof RunUsage) => {
    const [sum, earlier] = [told[name], before[name]];
    if (sum === undefined || earlier === undefined) return sum;
    return earlier === null || earlier > sum ? undefined : Number((sum - earlier).toFixed(digits));
  };
  const [input, output, cost] = [own('input_tokens'), own('output_tokens'), own('cost_usd')];
  return {
    ...(input !== undefined && { input_tokens: input }),
    ...(output !== undefined && { output_tokens: output }),
    ...(cost !== undefined && { cost_usd: cost }),
  };
}
