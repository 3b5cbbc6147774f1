import type { Socket } from 'node:net';
import type { JsonObject } from '../base/json.ts';

/** Server and credentials of a login. The connection has TLS with the server's name checked, or it does not exist. */
export interface Login {
  /** Domain name of the server, as Azure shows it and `serverAddress` has checked it. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** The password is a token of Microsoft Entra ID, which goes to the server as clear text within TLS. @default false */
  readonly isToken?: boolean;
  /** The server may lead the login to another one of this domain. @default to none */
  readonly redirectDomain?: string;
}

/** One row of an answer, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>;

/** One connection to a database. Each call takes 30 seconds at most. */
export interface Connection {
  /** Sends one statement. Throws DatabaseError. */
  query(statement: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Ends the connection; never throws. */
  close(): Promise<void>;
}

/** Options of connections. */
export interface ConnectOptions {
  readonly signal: AbortSignal;
  /** Texts that no error may repeat. */
  readonly secrets: readonly string[];
  /** Certificates that tests trust, in PEM. @default those of Node.js */
  readonly ca?: string | undefined;
  /** Makes the socket; tests lead it to another address. @default a new one */
  readonly socket?: (() => Socket) | undefined;
}

/** Opens a connection. Throws DatabaseError. */
export type Connect = (login: Login, options: ConnectOptions) => Promise<Connection>;

/** How the accounts of one kind of database are read and written. */
export interface AccountDialect {
  readonly port: number;
  /** Opens a connection; loads the driver when it is first called. */
  readonly connect: Connect;
  /** The database to log in to; undefined where it is the owner of the account. */
  readonly database: string | undefined;
  /** The account as the server has it, in the form of the body's properties; undefined where it has none. */
  observe(connection: Connection, account: Account): Promise<JsonObject | undefined>;
  /** Creates the account or changes it until it is as declared. */
  apply(connection: Connection, account: Account): Promise<void>;
  remove(connection: Connection, account: Account): Promise<void>;
}

/** An account as declared. */
export interface Account {
  readonly name: string;
  /** The body's properties without logins, complete (runtime/arm-kinds/data-plane). */
  readonly properties: JsonObject;
  readonly password: string;
}

/** Milliseconds that a login or a statement may take. */
export const databaseTimeoutMs = 30_000;
