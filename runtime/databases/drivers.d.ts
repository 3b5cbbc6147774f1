/** The parts of the drivers that the connections use; the types of whole drivers would need their packages. */

declare module 'pg' {
  import type { Socket } from 'node:net';
  import type { Duplex } from 'node:stream';

  /** One connection; the promises reject with the server's error or the socket's. */
  class Client {
    constructor(options: {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password: string;
      readonly database: string;
      readonly ssl: object;
      readonly application_name: string;
      /** Settings of the session, as arguments of the server's program. */
      readonly options: string;
      /** Milliseconds, as the next two. */
      readonly connectionTimeoutMillis: number;
      readonly query_timeout: number;
      readonly statement_timeout: number;
      readonly stream: () => Socket;
    });
    connect(): Promise<void>;
    query<R>(text: string, values: unknown[]): Promise<{ readonly rows: R[] }>;
    end(): Promise<void>;
    on(event: 'error', listener: (error: Error) => void): this;
    /** The protocol below the client. `sslconnect` comes with TLS in `stream`, before its first byte is read. */
    readonly connection: {
      readonly stream: Duplex;
      once(event: 'sslconnect', listener: () => void): void;
    };
  }

  const pg: { readonly Client: typeof Client };
  export default pg;
}

declare module 'mysql2' {
  import type { Socket } from 'node:net';

  /** One connection; the promises reject with the server's error, which has the statement, or the socket's. */
  export interface Connection {
    query(statement: string): Promise<[rows: unknown, fields: unknown]>;
    /** A prepared statement: the server puts the values in. */
    execute(statement: string, values: unknown[]): Promise<[rows: unknown, fields: unknown]>;
    connect(): Promise<void>;
    end(): Promise<void>;
    destroy(): void;
  }

  /** The connection that the one with promises is made of. */
  export interface BareConnection {
    promise(): Connection;
    on(event: 'error', listener: (error: Error) => void): this;
    /** Number of the next message. */
    readonly sequenceId: number;
    /** Takes a message of the server; without one it goes on with the next command. */
    handlePacket(packet?: { sequenceId: number }): void;
  }

  const mysql: {
    createConnection(options: {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password: string;
      readonly database: string;
      /** Milliseconds. */
      readonly connectTimeout: number;
      readonly charset: string;
      readonly flags: readonly string[];
      readonly ssl: object;
      readonly enableCleartextPlugin: boolean;
      readonly stream: () => Socket;
    }): BareConnection;
  };
  export default mysql;
}

declare module 'tedious' {
  import type { Socket } from 'node:net';

  /** A connection; `connect` calls back with the first `connect` event. */
  export class Connection {
    constructor(config: {
      readonly server: string;
      readonly authentication: object;
      readonly options: {
        readonly connector: (
          to: { readonly host: string; readonly port: number },
          lookup: unknown,
          signal: AbortSignal,
        ) => Promise<Socket>;
        readonly [name: string]: unknown;
      };
    });
    connect(callback: (error?: Error) => void): void;
    execSql(request: Request): void;
    close(): void;
    on(event: 'error' | 'errorMessage', listener: (error: Error) => void): this;
    on(event: 'end', listener: () => void): this;
  }

  /** One batch of statements with parameters. */
  class Request {
    constructor(text: string, callback: (error: Error | null | undefined) => void);
    on(event: 'row', listener: (row: Readonly<Record<string, { value: unknown }>>) => void): this;
    cancel(): void;
    addParameter(name: string, type: unknown, value: string): void;
  }

  const tedious: {
    readonly Connection: typeof Connection;
    readonly Request: typeof Request;
    readonly TYPES: { readonly NVarChar: unknown };
  };
  export default tedious;
}
