/** Reasons one after another, each as a sentence: notifications show no line ends. */
export function asSentences(reasons: readonly string[]): string {
  return reasons.map((reason) => (/[.!?…]$/.test(reason) ? reason : `${reason}.`)).join(' ');
}
