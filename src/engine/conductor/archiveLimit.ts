/** Bytes of ignored files that a rescue keeps at most; what is over it is named before anything is taken away. */
export const archiveLimit = 256 * 1024 * 1024;
