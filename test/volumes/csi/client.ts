import { join } from 'node:path';
import { type Client, credentials, loadPackageDefinition, type ServiceError } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

export interface ProviderFile {
  readonly path: string;
  readonly mode: number;
  readonly contents: Buffer;
}

export interface MountResponse {
  readonly object_version: readonly { readonly id: string; readonly version: string }[];
  readonly error: unknown;
  readonly files: readonly ProviderFile[];
}

// biome-ignore lint/suspicious/noExplicitAny: made at run time from the .proto files
type Made = any;

/**
 * gRPC's own client, with messages made from the .proto files; as the driver, it has no TLS, and names localhost. Drivers
 * before 1.6 name the path of the socket.
 */
export class ProviderClient {
  readonly #provider: Made;
  readonly #health: Made;

  constructor(socket: string, authority = 'localhost') {
    const files = ['service.proto', 'health.proto'].map((name) => join(import.meta.dirname, name));
    const definition = loadSync(files, { keepCase: true, defaults: true, enums: String });
    const made: Made = loadPackageDefinition(definition);
    const options = { 'grpc.default_authority': authority, 'grpc.max_receive_message_length': 4 * 1024 * 1024 };
    const open = (Service: new (...args: unknown[]) => Client) =>
      new Service(`unix:${socket}`, credentials.createInsecure(), options);
    this.#provider = open(made.v1alpha1.CSIDriverProvider);
    this.#health = open(made.grpc.health.v1.Health);
  }

  version(): Promise<object> {
    return call((done) => this.#provider.Version({ version: 'v1alpha1' }, done));
  }

  check(service = ''): Promise<{ status: string }> {
    return call((done) => this.#health.Check({ service }, done));
  }

  /** As the driver sends it: JSON texts. Rejects with gRPC's ServiceError: `code`, `details`. */
  mount(
    attributes: object | string,
    more: { secrets?: object | string; permission?: string; deadlineMs?: number; targetPath?: string } = {},
  ): Promise<MountResponse> {
    const { secrets = {}, permission = '420', deadlineMs = 60_000 } = more;
    const { targetPath = '/var/lib/kubelet/pods/u/volumes/kubernetes.io~csi/v/mount' } = more;
    const text = (value: object | string) => (typeof value === 'string' ? value : JSON.stringify(value));
    const request = {
      attributes: text(attributes),
      secrets: text(secrets),
      target_path: targetPath,
      permission,
      current_object_version: [{ id: 'secret/a', version: 'v' }],
    };
    return call((done) => this.#provider.Mount(request, { deadline: Date.now() + deadlineMs }, done));
  }

  /** The status and message of a mount that must fail. */
  async refusal(...args: Parameters<ProviderClient['mount']>): Promise<{ code: number; details: string }> {
    const answer = await this.mount(...args).catch((error: ServiceError) => error);
    if ('details' in answer) return { code: answer.code, details: answer.details };
    throw new Error(`the mount succeeded with ${answer.files.map(({ path }) => path).join(', ')}`);
  }

  close(): void {
    this.#provider.close();
    this.#health.close();
  }
}

function call<T>(start: (done: (error: ServiceError | null, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, value) => (error ? reject(error) : resolve(value)));
  });
}
