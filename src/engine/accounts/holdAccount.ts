import { join } from 'node:path';
import { userFolders } from '../store/userFolders.ts';
import { takeLease } from './leases.ts';

/**
 * Takes an account for as long as this process lives, or until it is given back: for what has no supervisor of ours,
 * like a vendor's screen in a terminal. Returns false when somebody else has it.
 */
export async function holdAccount(request: {
  account: string;
  owner: string;
  environment: Readonly<Record<string, string | undefined>>;
}): Promise<boolean> {
  // There is no supervised process behind it, so nothing ever stands in this folder.
  const holder = join(userFolders(request.environment).state, 'held', request.owner);
  return takeLease({ ...request, holder });
}
