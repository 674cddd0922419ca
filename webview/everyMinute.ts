/** Calls back once a minute while the page is visible, and when it becomes visible again. */
export function everyMinute(page: Document, tick: () => void): void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const follow = () => {
    clearInterval(timer);
    if (page.visibilityState === 'visible') timer = setInterval(tick, 60_000);
  };
  page.addEventListener('visibilitychange', () => {
    follow();
    if (page.visibilityState === 'visible') tick();
  });
  follow();
}
