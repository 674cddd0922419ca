/**
 * A path that a tool printed, relative to the worktree and with `/`; null when it lies outside or is no path.
 * Relative ones count from the worktree, where checks run. `file:` URLs are decoded.
 */
export function locate(printed: string, worktree: string): string | null {
  const path = printed.startsWith('file://') ? fromUrl(printed) : printed;
  if (path === undefined || path === '') return null;
  const root = worktree.endsWith('/') ? worktree : `${worktree}/`;
  const relative = path.startsWith(root) ? path.slice(root.length) : path;
  if (relative.startsWith('/') || /^[a-z][a-z0-9+.-]+:/i.test(relative)) return null;
  const segments: string[] = [];
  for (const segment of relative.split('/')) {
    if (segment === '..') {
      if (segments.pop() === undefined) return null;
    } else if (segment !== '.' && segment !== '') {
      segments.push(segment);
    }
  }
  return segments.length === 0 ? null : segments.join('/');
}

function fromUrl(url: string): string | undefined {
  try {
    return decodeURIComponent(url.slice('file://'.length));
  } catch {
    // A percent sign that starts no escape: not a URL that node printed.
    return undefined;
  }
}
