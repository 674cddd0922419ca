import { Disposable, type TreeView } from 'vscode';

/** Calls back once a minute while the view can be seen, and once when it comes into view: for relative times. */
export function minuteWhileVisible<T>(view: TreeView<T>, tick: () => void): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const follow = (visible: boolean) => {
    clearInterval(timer);
    timer = visible ? setInterval(tick, 60_000) : undefined;
  };
  follow(view.visible);
  const listener = view.onDidChangeVisibility(({ visible }) => {
    follow(visible);
    if (visible) tick();
  });
  return new Disposable(() => {
    listener.dispose();
    clearInterval(timer);
  });
}
