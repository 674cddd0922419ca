import { html, type TemplateResult } from 'lit';

/** A bar of what is free, 0 to 100; the number stands beside it in words. */
export function meter(freePct: number): TemplateResult {
  const free = Math.max(0, Math.min(100, freePct));
  const tone = free < 10 ? 'meter-empty' : free < 30 ? 'meter-low' : 'meter-full';
  return html`<svg class="meter ${tone}" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
    <rect class="meter-track" width="100" height="4"></rect>
    <rect class="meter-free" width=${free} height="4"></rect>
  </svg>`;
}

export function freeText(headroomPct: number | null): string {
  return headroomPct === null ? 'headroom unknown' : `${Math.round(headroomPct)} % free`;
}
