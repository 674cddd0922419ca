/** Environment variable by which every process below an attempt is known; its value names the attempt. */
export const attemptMark = 'AGENTKIT_ATTEMPT';
