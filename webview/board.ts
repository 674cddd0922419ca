import type { ToPage } from '../src/protocol/boardMessages.ts';
import { BoardPage } from './boardPage.ts';
import { everyMinute } from './everyMinute.ts';
import type { ViewState } from './viewState.ts';

const page = new BoardPage(acquireVsCodeApi<ViewState>(), document.getElementById('board') as HTMLElement);
window.addEventListener('message', (event: MessageEvent<ToPage>) => page.receive(event.data));
everyMinute(document, () => page.render());
page.render();
page.send({ type: 'ready' });
