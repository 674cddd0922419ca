// Activation time as VS Code itself measures it, against its own git extension in the same window.
import { DemoWorld } from '../engine/conductor/demoWorld.ts';
import { openWorkbench } from '../ui/openWorkbench.ts';
import { median } from './compare.ts';

const rounds = 3;
const found: { ours: number; git: number }[] = [];
const world = new DemoWorld();
for (let round = 0; round < rounds; round += 1) {
  const workbench = await openWorkbench({ folder: world.repo });
  try {
    await workbench.runCommand('Developer: Show Running Extensions');
    const timeOf = async (name: string): Promise<number> => {
      const row = workbench.page
        .locator('.runtime-extensions-editor .monaco-list-row', { hasText: name })
        .first();
      const time = row.locator('.activation-time');
      await time.filter({ hasText: /\d+ms/ }).waitFor();
      return Number(/(\d+)ms/.exec(await time.innerText())?.[1]);
    };
    found.push({ ours: await timeOf('AgentKit'), git: await timeOf('Git') });
  } finally {
    await workbench.dispose();
  }
}
await world.dispose();
const [ours, git] = [median(found.map((each) => each.ours)), median(found.map((each) => each.git))];
console.log(
  `activation of AgentKit: ${ours} ms; of VS Code's git extension: ${git} ms (median of ${rounds} windows)`,
);
