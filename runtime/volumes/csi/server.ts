import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Socket, type Server as SocketServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import {
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { abortWith } from '../../base/abort.ts';
import { AzimuthError, expected, messageOf } from '../../base/errors.ts';
import { PlainAuthority } from './authority.ts';
import {
  decodeHealthCall,
  decodeMountCall,
  encodeHealthAnswer,
  encodeMountAnswer,
  encodeVersionAnswer,
  type HealthCall,
  type MountAnswer,
  type MountCall,
  type VersionAnswer,
} from './messages.ts';
import { grpcStatus, mountProvider, type ProviderDeps, ProviderFailure } from './provider.ts';

/** Dependencies of the provider's gRPC server. */
export interface ProviderServerDeps extends ProviderDeps {
  /** Path `<directory>/<provider>.sock`; SecretProviderClasses name the `provider`. */
  readonly socket: string;
  /** Version of this provider; the driver logs it. */
  readonly runtimeVersion: string;
}

/** A running gRPC server of the provider. */
export interface ProviderServer {
  /** Stops listening, and waits `graceMs` milliseconds for calls in progress before it aborts them. @default 5000 */
  close(graceMs?: number): Promise<void>;
}

const providerService = 'v1alpha1.CSIDriverProvider';
const healthService = 'grpc.health.v1.Health';
/** A class with the longest `objects`, in characters of three bytes, and its Secret; gRPC reads no more of a request. */
const mostRequestBytes = 512 * 1024;
const longestMs = 10 * 60_000;
/** Milliseconds for sending the answers of aborted calls. */
const sendingMs = 1000;

/**
 * Serves the provider protocol of the Secrets Store CSI driver and the gRPC health check on a Unix socket of mode
 * 0600. Throws AZ_CONFIG_INVALID where another provider serves the socket.
 */
export async function serveProvider(deps: ProviderServerDeps): Promise<ProviderServer> {
  const { socket, runtimeVersion } = deps;
  if (!/^[a-zA-Z0-9_-]{1,30}\.sock$/.test(basename(socket))) {
    throw expected('the socket of the CSI provider', 'a path whose last part is <provider>.sock', socket);
  }
  const stop = new AbortController();
  const server = new Server({ 'grpc.max_receive_message_length': mostRequestBytes });
  server.addService(definition, {
    version: unary<Buffer, VersionAnswer>(stop.signal, async () => ({
      version: 'v1alpha1',
      runtimeName: 'azimuth',
      runtimeVersion,
    })),
    mount: unary<MountCall, MountAnswer>(stop.signal, (call, signal, deadline) =>
      mountProvider(call, { ...deps, signal, deadline }),
    ),
    check: unary<HealthCall, boolean>(stop.signal, async ({ service }) => {
      if (service === '' || service === providerService) return true;
      throw new ProviderFailure(grpcStatus.notFound, `there is no service ${service.slice(0, 100)}`);
    }),
  });
  const connections = server.createConnectionInjector(ServerCredentials.createInsecure());
  const open = new Set<Socket>();
  const listener = createServer((connection) => {
    open.add(connection);
    connection.once('close', () => open.delete(connection));
    connections.injectConnection(new PlainAuthority(connection));
  });
  await listen(listener, socket);
  const inode = statSync(socket).ino;
  return {
    async close(graceMs = 5000) {
      // The next process may serve the same path already.
      if (existsSync(socket) && statSync(socket).ino === inode) rmSync(socket, { force: true });
      // Each connection ends with its last call. gRPC itself does not wait for calls of injected connections.
      const ended = new Promise<void>((resolve) => void listener.close(() => resolve()));
      server.tryShutdown(() => undefined);
      const late = setTimeout(() => {
        stop.abort(new AzimuthError('AZ_KEYVAULT_UNREACHABLE', 'the provider is being stopped; it is tried again'));
      }, graceMs);
      const cut = setTimeout(() => {
        for (const connection of open) connection.destroy();
      }, graceMs + sendingMs);
      await ended;
      for (const timer of [late, cut]) clearTimeout(timer);
    },
  };
}

const nothing = (): Buffer => Buffer.alloc(0);

const definition: ServiceDefinition = Object.fromEntries(
  Object.entries({
    version: {
      path: `/${providerService}/Version`,
      requestDeserialize: (message: Buffer) => message,
      responseSerialize: encodeVersionAnswer,
    },
    mount: {
      path: `/${providerService}/Mount`,
      requestDeserialize: decodeMountCall,
      responseSerialize: encodeMountAnswer,
    },
    check: {
      path: `/${healthService}/Check`,
      requestDeserialize: decodeHealthCall,
      responseSerialize: encodeHealthAnswer,
    },
  }).map(([name, method]) => [
    name,
    {
      ...method,
      requestStream: false,
      responseStream: false,
      // Only clients use these two.
      requestSerialize: nothing,
      responseDeserialize: nothing,
    },
  ]),
);

/**
 * Wraps `answer`, which gets a signal that aborts with the call and with `stop`, and the caller's deadline in
 * milliseconds since the epoch.
 */
function unary<Q, A>(stop: AbortSignal, answer: (request: Q, signal: AbortSignal, deadline: number) => Promise<A>) {
  return (call: ServerUnaryCall<Q, A>, done: sendUnaryData<A>): void => {
    const gone = new AbortController();
    const unlink = abortWith(gone, stop);
    let isAnswered = false;
    // gRPC emits it for each call that has ended, with an answer too.
    call.on('cancelled', () => isAnswered || gone.abort(new Error('the caller does not wait any longer')));
    const end = () => {
      isAnswered = true;
      unlink();
    };
    const callerDeadline = Number(call.getDeadline());
    const deadline = Math.min(
      Number.isFinite(callerDeadline) ? callerDeadline : Number.POSITIVE_INFINITY,
      Date.now() + longestMs,
    );
    answer(call.request, gone.signal, deadline).then(
      (value) => {
        end();
        done(null, value);
      },
      (error: unknown) => {
        end();
        const code = error instanceof ProviderFailure ? error.code : grpcStatus.internal;
        done({ code, details: messageOf(error) });
      },
    );
  };
}

/**
 * Binds the socket in a directory of mode 0700 and renames it into place, so that no other user can connect before
 * chmod.
 */
async function listen(server: SocketServer, socket: string): Promise<void> {
  const directory = dirname(socket);
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  if (await answers(socket)) {
    throw new AzimuthError(
      'AZ_CONFIG_INVALID',
      `Another provider serves ${socket}; remove its DaemonSet (csi-secrets-store-provider-azure), or give this one another name`,
    );
  }
  const place = mkdtempSync(join(directory, '.azimuth-'));
  try {
    const bound = join(place, 's');
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(bound, resolve);
    });
    chmodSync(bound, 0o600);
    renameSync(bound, socket);
  } catch (cause) {
    throw new AzimuthError('AZ_VOLUME_MOUNT', `The socket ${socket} cannot be made: ${messageOf(cause)}`, { cause });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Whether a program serves the socket; a leftover socket refuses connections. */
function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket, () => {
      connection.destroy();
      resolve(true);
    });
    connection.once('error', () => resolve(false));
  });
}
