import { parentId } from '../../azure/arm/resource-ids.ts';
import { messageOf } from '../../base/errors.ts';
import { FairSemaphore } from '../../base/fairness/fair-semaphore.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { DatabaseError } from '../../databases/error.ts';
import { type DatabaseService, serverAddress, serverDomain, tokenAudience } from '../../databases/server-address.ts';
import type { Account, AccountDialect, Connect, Connection, ConnectOptions, Login } from '../../databases/types.ts';
import type { DataPlaneContext, DataPlaneService, OpenService } from './service.ts';

/** Connections at a time, of the operator and of one namespace: a server that does not answer keeps one for 30 s. */
const connectionLimits = { total: 16, perKey: 4 } as const;

/** How tests lead connections to a server of theirs. @default to the server that Azure shows, trusted as Node.js does */
export interface DatabaseRoute extends Pick<ConnectOptions, 'ca' | 'socket'> {
  /** Milliseconds that one run may take, its wait for a connection included. @default 120_000 */
  readonly deadlineMs?: number;
  /** @default the driver of the database */
  readonly connect?: Connect;
  /** @default the statements of the database */
  readonly dialect?: AccountDialect;
}

/**
 * Opens the accounts of databases, with one limit for the connections of all kinds of databases. `mayWrite` throws once
 * the operator may write no more.
 */
export function databaseAccounts(
  dialects: Readonly<Record<DatabaseService, AccountDialect>>,
  route: DatabaseRoute,
  mayWrite: () => void,
): (service: DatabaseService) => OpenService {
  const places = new FairSemaphore(connectionLimits);
  return (service) => (context) =>
    new DatabaseAccount(service, route.dialect ?? dialects[service], context, { places, route, mayWrite });
}

/** Parts that all accounts share. */
interface DatabaseAccountsDeps {
  readonly places: FairSemaphore;
  readonly route: DatabaseRoute;
  readonly mayWrite: () => void;
}

/** Statements that change nothing. */
const harmless = /^(SELECT|ROLLBACK)\b/;

class DatabaseAccount implements DataPlaneService {
  readonly #service: DatabaseService;
  readonly #dialect: AccountDialect;
  readonly #run: DataPlaneContext;
  readonly #deps: DatabaseAccountsDeps;
  readonly #deadline = new AbortController();
  /** Of the run, or of its deadline. */
  readonly #signal: AbortSignal;
  #timer: NodeJS.Timeout | undefined;
  #hasApplied = false;
  #connection: Promise<Connection> | undefined;
  #leave: (() => void) | undefined;

  constructor(
    service: DatabaseService,
    dialect: AccountDialect,
    context: DataPlaneContext,
    deps: DatabaseAccountsDeps,
  ) {
    this.#service = service;
    this.#dialect = dialect;
    this.#run = context;
    this.#deps = deps;
    this.#signal = AbortSignal.any([context.signal, this.#deadline.signal]);
  }

  async observe(): Promise<JsonObject | undefined> {
    const observed = async () => this.#dialect.observe(await this.#connected(), this.#account);
    if (!this.#hasApplied) return observed();
    // The account is the object's own now, even if this read fails or does not show it.
    const partial = (message: string) => new DatabaseError({ cause: 'partial', message });
    const properties = await observed().catch((error: unknown) => {
      throw this.#run.signal.aborted ? error : partial(messageOf(error));
    });
    if (properties) return properties;
    throw partial('The server took the account, but does not show it: look for other clients that drop it');
  }

  async apply(): Promise<void> {
    await this.#dialect.apply(await this.#connected(), this.#account);
    this.#hasApplied = true;
  }

  async remove(): Promise<void> {
    await this.#dialect.remove(await this.#connected(), this.#account);
  }

  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    this.#connection = undefined;
    clearTimeout(this.#timer);
    await connection?.close();
    this.#leave?.();
    this.#leave = undefined;
  }

  /** The login of the administrator beside the account's own password: `localUser`, or `aadUser` of MySQL. */
  get #holder(): JsonObject {
    const { localUser, aadUser } = this.#run.properties;
    return isObject(localUser) ? localUser : isObject(aadUser) ? aadUser : {};
  }

  get #account(): Account {
    const { name, properties } = this.#run;
    const { localUser: _, ...declared } = properties;
    return { name, properties: declared, password: String(this.#holder['password'] ?? '') };
  }

  #connected(): Promise<Connection> {
    this.#connection ??= this.#connect();
    return this.#connection;
  }

  async #connect(): Promise<Connection> {
    const { id, credential, secrets, readArm } = this.#run;
    const { connect = this.#dialect.connect, dialect: _, deadlineMs = 120_000, ...route } = this.#deps.route;
    this.#timer ??= setTimeout(() => {
      const message = `The run with the database server did not finish within ${deadlineMs / 1000} s`;
      this.#deadline.abort(new DatabaseError({ cause: 'unknown', message }));
    }, deadlineMs).unref();
    const user = this.#administrator();
    const { port } = this.#dialect;
    const owner = parentId(id) ?? '';
    const isInDatabase = this.#service === 'sql';
    // From Azure, not from the status of the server's object: its writer could send the password to another host.
    const server = await readArm(isInDatabase ? (parentId(owner) ?? '') : owner);
    const shown = isObject(server['properties']) ? server['properties']['fullyQualifiedDomainName'] : undefined;
    const host = serverAddress(shown, this.#service, credential.cloud);
    const database = this.#dialect.database ?? owner.slice(owner.lastIndexOf('/') + 1);
    const redirectDomain = serverDomain(this.#service, credential.cloud);
    const login = { host, port, database, user, redirectDomain, ...(await this.#password()) };
    await this.#enter();
    const opened = await connect(login, { signal: this.#signal, secrets: [...secrets, login.password], ...route });
    return {
      query: async (statement, values) => {
        if (!harmless.test(statement)) this.#deps.mayWrite();
        return opened.query(statement, values);
      },
      close: () => opened.close(),
    };
  }

  /** The name of the administrator. Throws DatabaseError where the spec cannot be applied. */
  #administrator(): string {
    const { name, properties } = this.#run;
    const invalid = (message: string) => new DatabaseError({ cause: 'invalid', message });
    if (isObject(properties['localUser']) === isObject(properties['aadUser'])) {
      throw invalid('Expected one of spec.localUser and spec.aadUser, but not both');
    }
    const { serverAdminUsername: user, password } = this.#holder;
    if (typeof user !== 'string' || user === '') throw invalid('serverAdminUsername is empty: give it a value');
    if (isObject(properties['localUser']) && (typeof password !== 'string' || password === '')) {
      throw invalid('The password that spec.localUser.password names is empty: put one into the Secret');
    }
    const { alias } = this.#holder;
    const accountName = typeof alias === 'string' ? alias : name;
    // Logins of SQL differ by case in some collations only.
    const same = this.#service === 'sql' ? user.toLowerCase() === accountName.toLowerCase() : user === accountName;
    if (!same && user !== name) return user;
    throw invalid(
      `${user} is the administrator of the server, whom the operator does not change: set another ${typeof alias === 'string' ? 'alias' : 'spec.azureName'}`,
    );
  }

  /** The password of the administrator, or a token of the object's credential where the spec names none. */
  async #password(): Promise<Pick<Login, 'password' | 'isToken'>> {
    const { serverAdminPassword: password } = this.#holder;
    if (typeof password === 'string' && password !== '') return { password };
    if (password !== undefined || this.#service !== 'mysql') {
      const message = 'The password that spec.localUser.serverAdminPassword names is empty: put it into the Secret';
      throw new DatabaseError({ cause: 'invalid', message });
    }
    const { credential, correlationId } = this.#run;
    const signal = this.#signal;
    const audience = tokenAudience(credential.cloud);
    const { token } = await credential.authorizer.getToken({ audience, correlationId, signal });
    return { password: token, isToken: true };
  }

  /** Waits for a place among the connections, and keeps it until `close`. */
  async #enter(): Promise<void> {
    const left = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const { namespace = '' } = this.#run.object.metadata;
    const work = () => {
      entered.resolve();
      return left.promise;
    };
    this.#deps.places.run(namespace, this.#signal, work).catch(entered.reject);
    await entered.promise.catch((error: unknown) => {
      if (this.#run.signal.aborted || !this.#deadline.signal.aborted) throw error;
      const message = 'The connections of the operator to databases are all in use: wait for the other objects';
      throw new DatabaseError({ cause: 'unreachable', message });
    });
    this.#leave = left.resolve;
  }
}
