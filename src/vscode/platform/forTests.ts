import type { AccountsTree } from '../views/accountsTree.ts';
import type { LanesTree } from '../views/lanesTree.ts';
import type { Services } from './services.ts';

/** What tests in the extension host look at; nobody else gets it. */
export interface ForTests {
  services: Services;
  accountsTree: AccountsTree;
  lanesTree: LanesTree;
}
