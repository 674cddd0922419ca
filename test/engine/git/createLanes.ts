// Makes the lanes whose requests come as JSON, all at once, and prints what became of each.
import { createLane, type LaneRequest } from '../../../src/engine/git/createLane.ts';

const requests = JSON.parse(process.argv[2] ?? '[]') as LaneRequest[];
const ends = await Promise.allSettled(requests.map(createLane));
console.log(JSON.stringify(ends.map((end) => (end.status === 'fulfilled' ? 'made' : String(end.reason)))));
