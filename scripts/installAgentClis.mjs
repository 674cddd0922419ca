// @ts-check
// First command of `npm run test:agents`: makes the CLIs ready and says which they are.
import { installAgentClis, installMoreAgentClis } from './agentClis.mjs';

const versions = { ...installAgentClis(process.env).versions, ...installMoreAgentClis(process.env).versions };
for (const [name, version] of Object.entries(versions)) {
  console.log(`${name}: ${version}`);
}
