import type { JsonObject } from '../../runtime/base/json.ts';
import type { Account, AccountDialect, Login } from '../../runtime/databases/types.ts';

/** Accounts in memory, for tests of the operator that need no statements. */
export class MemoryDialect implements AccountDialect {
  readonly port = 1;
  readonly database: string | undefined;
  readonly logins: Login[] = [];
  readonly accounts = new Map<string, Account>();

  /** `database` as in AccountDialect. */
  constructor(database?: string) {
    this.database = database;
  }

  readonly connect: AccountDialect['connect'] = async (login) => {
    this.logins.push(login);
    return { query: async () => [], close: async () => undefined };
  };

  observe: AccountDialect['observe'] = async (_, { name }) => {
    const { aadUser: _aadUser, ...shown } = this.accounts.get(name)?.properties ?? ({} as JsonObject);
    return this.accounts.has(name) ? shown : undefined;
  };

  apply: AccountDialect['apply'] = async (_, account) => {
    this.accounts.set(account.name, account);
  };

  remove: AccountDialect['remove'] = async (_, { name }) => {
    this.accounts.delete(name);
  };
}
