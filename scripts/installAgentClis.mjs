// @ts-check
// First command of `npm run test:agents`: makes the CLIs ready and says which they are.
import { installAgentClis } from './agentClis.mjs';

for (const [name, version] of Object.entries(installAgentClis(process.env).versions)) {
  console.log(`${name}: ${version}`);
}
