// @ts-check

/** The person can mend this: its message says how, and `npm start` exits 2. */
export class UsageError extends Error {}
