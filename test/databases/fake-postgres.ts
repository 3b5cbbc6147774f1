import { DatabaseError } from '../../runtime/databases/error.ts';
import { scramVerifier } from '../../runtime/databases/postgresql/scram-verifier.ts';
import type { Connect, Login } from '../../runtime/databases/types.ts';

/** A role of the fake server. */
export interface FakeRole {
  rolcanlogin: boolean;
  rolcreaterole: boolean;
  rolcreatedb: boolean;
  rolreplication: boolean;
  password: string;
  roles: Set<string>;
}

const columns = {
  LOGIN: 'rolcanlogin',
  CREATEROLE: 'rolcreaterole',
  CREATEDB: 'rolcreatedb',
  REPLICATION: 'rolreplication',
} as const;

/** A server that understands the statements of runtime/databases/postgresql, for tests of the operator. */
export class FakePostgres {
  readonly roles = new Map<string, FakeRole>();
  /** Every statement with its values, oldest first. */
  readonly statements: string[] = [];
  readonly logins: Login[] = [];
  open = 0;
  /** Password of the administrator. */
  password = 'admin-secret';
  /** Thrown for statements that match. */
  refuse: { readonly pattern: RegExp; readonly message: string } | undefined;

  readonly connect: Connect = async (login, { secrets }) => {
    this.logins.push(login);
    if (login.password !== this.password) {
      throw new DatabaseError({ cause: 'login', message: `${login.host} refused to log in` });
    }
    expectHidden(secrets, login.password);
    this.open++;
    return {
      query: async (statement, values = []) => this.#query(statement, values),
      close: async () => {
        this.open--;
      },
    };
  };

  role(name: string): FakeRole {
    const found = this.roles.get(name);
    if (!found) throw new Error(`the fake server has no role ${name}`);
    return found;
  }

  add(name: string, roles: readonly string[] = []): FakeRole {
    const role = { rolcanlogin: false, rolcreaterole: false, rolcreatedb: false, rolreplication: false };
    const made = { ...role, password: '', roles: new Set(roles) };
    this.roles.set(name, made);
    return made;
  }

  /** Whether the role has this password. */
  async accepts(name: string, password: string): Promise<boolean> {
    const { password: stored } = this.role(name);
    const salt = Buffer.from(stored.split(/[:$]/)[2] ?? '', 'base64');
    return stored === (await scramVerifier(password, salt));
  }

  /** Statements that change something. */
  get writes(): string[] {
    return this.statements.filter((each) => /^(CREATE|ALTER|GRANT|REVOKE|DROP)/.test(each));
  }

  #query(statement: string, values: readonly unknown[]): Readonly<Record<string, unknown>>[] {
    this.statements.push(statement);
    if (this.refuse?.pattern.test(statement)) {
      throw new DatabaseError({ cause: 'refused', message: this.refuse.message });
    }
    if (statement.includes('= ANY($1)')) {
      return (values[0] as string[]).filter((name) => this.roles.has(name)).map((name) => ({ name }));
    }
    if (statement.includes('pg_auth_members')) {
      return [...this.role(String(values[0])).roles].map((name) => ({ name }));
    }
    if (statement.startsWith('SELECT')) {
      const role = this.roles.get(String(values[0]));
      if (!role) return [];
      const options = { login: role.rolcanlogin, createRole: role.rolcreaterole };
      return [{ ...options, createDb: role.rolcreatedb, replication: role.rolreplication }];
    }
    this.#write(statement);
    return [];
  }

  #write(statement: string): void {
    const [, verb, name = '', rest = ''] = /^(CREATE|ALTER) ROLE "([^"]*)" WITH (.*)$/.exec(statement) ?? [];
    if (verb !== undefined) {
      const role = verb === 'CREATE' ? this.add(name) : this.role(name);
      role.password = /PASSWORD '(.*)'$/.exec(rest)?.[1] ?? role.password;
      for (const [word, column] of Object.entries(columns)) {
        if (rest.split(' ').includes(word)) role[column] = true;
        if (rest.split(' ').includes(`NO${word}`)) role[column] = false;
      }
    }
    const [, granted = '', to = ''] = /^GRANT (.*) TO "(.*)"$/.exec(statement) ?? [];
    for (const role of granted.split(', ').filter(Boolean)) this.role(to).roles.add(role.slice(1, -1));
    const [, revoked = '', from = ''] = /^REVOKE (.*) FROM "(.*)"$/.exec(statement) ?? [];
    for (const role of revoked.split(', ').filter(Boolean)) this.role(from).roles.delete(role.slice(1, -1));
    const [, dropped] = /^DROP ROLE IF EXISTS "(.*)"$/.exec(statement) ?? [];
    if (dropped !== undefined) this.roles.delete(dropped);
  }
}

function expectHidden(secrets: readonly string[], password: string): void {
  if (!secrets.includes(password)) throw new Error('the password of the administrator is not among the secrets');
}
