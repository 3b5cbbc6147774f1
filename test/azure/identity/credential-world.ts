import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CredentialDeps } from '../../../runtime/azure/identity/credential.ts';
import { createImds } from '../../../runtime/azure/identity/imds.ts';
import { FakeAzure, type FakeHandler } from '../../fakes/azure-server.ts';
import { scratch } from '../../fakes/scratch.ts';
import { fixture, fixturePassword } from '../fixtures/client-certificates.ts';
import { cloudAt, dispatcherFor } from '../support.ts';

/** A server that is Microsoft Entra ID and IMDS, and a directory for files of credentials. */
export class CredentialWorld {
  readonly #scratch = scratch();
  readonly server: FakeAzure;
  readonly deps: CredentialDeps;
  /** An environment with every kind of credential. */
  readonly everything = {
    AZURE_TENANT_ID: 'tenant',
    AZURE_CLIENT_ID: 'client',
    AZURE_CLIENT_SECRET: 's3cret',
    AZURE_CLIENT_CERTIFICATE: fixture('modern'),
    AZURE_CLIENT_CERTIFICATE_PASSWORD: fixturePassword,
    AZURE_FEDERATED_TOKEN_FILE: this.file('token', 'assertion'),
  };

  private constructor(server: FakeAzure) {
    const dispatcher = dispatcherFor(server.ca);
    this.server = server;
    this.deps = { cloud: cloudAt(server.url), dispatcher, imds: createImds({ dispatcher, endpoint: server.url }) };
  }

  /** @param handler @default gives the token `t` */
  static async start(
    handler: FakeHandler = () => ({ body: { access_token: 't', expires_in: 60 } }),
  ): Promise<CredentialWorld> {
    return new CredentialWorld(await FakeAzure.start(handler));
  }

  /** The forms of all requests so far. */
  forms(): Record<string, string>[] {
    return this.server.requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  }

  async close(): Promise<void> {
    await this.deps.dispatcher.close();
    await this.server[Symbol.asyncDispose]();
    this.#scratch.remove();
  }

  get path(): string {
    return this.#scratch.path;
  }

  file(name: string, content: string | Buffer): string {
    const path = join(this.path, name);
    writeFileSync(path, content);
    return path;
  }

  /** The request of a credential to Microsoft Entra ID or IMDS. */
  async proof(authorizer: { getToken(request: { audience: string }): Promise<unknown> }): Promise<string> {
    await authorizer.getToken({ audience: 'a' });
    const { method, body, url } = this.server.requests.at(-1) as FakeAzure['requests'][number];
    if (method === 'GET') return `imds ${new URL(url, 'http://x').searchParams.get('client_id') ?? 'machine'}`;
    const form = new URLSearchParams(body);
    if (form.has('client_secret')) return `secret ${form.get('client_secret')}`;
    const assertion = form.get('client_assertion') as string;
    return assertion.split('.').length === 3 ? 'certificate' : `federated ${assertion}`;
  }
}
