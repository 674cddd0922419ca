/** Longest id that a job may have. */
const maxLength = 40;
/** Cut where a word ends, once an id is this long. */
const comfortable = 30;

/** A valid job id from free text: its first words in plain letters; `job` when there are none. */
export function slug(text: string): string {
  const words = text
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  let id = '';
  for (const word of words) {
    if (id !== '' && id.length + 1 + word.length > comfortable) break;
    id = id === '' ? word : `${id}-${word}`;
  }
  return id.slice(0, maxLength) || 'job';
}

/** One id for each text, all different: a later one of the same words gets a number. */
export function uniqueSlugs(texts: string[]): string[] {
  const taken = new Set<string>();
  return texts.map((text) => {
    const base = slug(text);
    let id = base;
    for (let number = 2; taken.has(id); number++) {
      const suffix = `-${number}`;
      id = base.slice(0, maxLength - suffix.length).replace(/-+$/, '') + suffix;
    }
    taken.add(id);
    return id;
  });
}
