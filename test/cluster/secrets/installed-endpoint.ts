import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAzureDeps } from '../../../runtime/azure/azure-deps.ts';
import { authorizerFromEnvironment } from '../../../runtime/azure/identity/credential-from-environment.ts';
import { KeyVault } from '../../../runtime/azure/key-vault/client.ts';
import { createDispatcher } from '../../../runtime/base/http/client.ts';
import { freePort } from '../../../runtime/cli/demo/programs/free-port.ts';
import { ProgramProcess } from '../../../runtime/cli/demo/programs/program-process.ts';
import { tagsOf, vaultSecretName } from '../../../runtime/compute/managed-secrets/vault-tags.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { bundle } from '../../../tools/bundle.ts';
import { builtOnce } from '../../fakes/built-once.ts';
import { serverCertificate } from '../../fakes/certificates.ts';
import { TestClient } from '../../sandbox/azure/client.ts';
import { type CutProxy, startCutProxy } from '../cut-proxy.ts';
import { definitionsEstablished, kubectl, takeAway } from '../kubectl.ts';
import { adminConfig, kubeconfigOf } from '../service-account.ts';

const audience = 'api://azimuth-secrets';

/** A running replica of the endpoint. */
export interface RunningEndpoint {
  readonly logFile: string;
  get(path: string, headers?: Record<string, string>): Promise<{ readonly status: number; readonly text: string }>;
  /** The body of /readyz. */
  ready(): Promise<string>;
  stop(): Promise<void>;
}

/**
 * The bundled secret endpoint as the synthesized manifests run it, on the API server that KUBECONFIG names: under its
 * service account and roles, with an embedded Azure, and with a connection to the API server that can be cut.
 */
export class InstalledEndpoint {
  readonly azure: EmbeddedAzure;
  readonly proxy: CutProxy;
  readonly vaultId: string;
  readonly #directory: string;
  readonly #kubeconfig: string;
  readonly #running = new Set<RunningEndpoint>();

  private constructor(parts: { azure: EmbeddedAzure; proxy: CutProxy; directory: string; kubeconfig: string }) {
    this.azure = parts.azure;
    this.proxy = parts.proxy;
    this.#directory = parts.directory;
    this.#kubeconfig = parts.kubeconfig;
    this.vaultId = `/subscriptions/${this.azure.subscriptionId}/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kvcluster`;
  }

  static async install(): Promise<InstalledEndpoint> {
    const directory = mkdtempSync(join(tmpdir(), 'azimuth-endpoint-'));
    const manifests = join(directory, 'dist');
    const { major, minor } = JSON.parse(await kubectl(['get', '--raw', '/version']));
    const synth = spawnSync('node', ['main.ts'], {
      env: {
        ...process.env,
        AZIMUTH_KINDS: 'keyvault.azure.com/Vault',
        AZIMUTH_PROGRAMS: 'operator;machine-secrets',
        AZIMUTH_SECRETS_AUDIENCE: audience,
        CDK8S_OUTDIR: manifests,
        KUBERNETES_VERSION: `${major}.${minor}`,
      },
      encoding: 'utf8',
    });
    if (synth.status !== 0) throw new Error(synth.stderr);
    await kubectl(['apply', '-f', manifests]);
    await definitionsEstablished(manifests);
    const azure = await startEmbeddedAzure({ arm: { operationMs: 0 }, audiences: [audience] });
    const server = new URL((await adminConfig()).clusters[0].cluster.server);
    const proxy = await startCutProxy(server.hostname, Number(server.port || 443));
    const kubeconfig = await kubeconfigOf('azimuth-secrets', directory, `https://127.0.0.1:${proxy.port}`);
    const made = new InstalledEndpoint({ azure, proxy, directory, kubeconfig });
    await made.#prepareAzure();
    return made;
  }

  async #prepareAzure(): Promise<void> {
    const rest = new TestClient(this.azure);
    const { tenantId, subscriptionId, defaultApp } = this.azure;
    await rest.arm('PUT', `/subscriptions/${subscriptionId}/resourceGroups/rg`, '2021-04-01', { location: 'westus2' });
    const properties = { tenantId, sku: { family: 'A', name: 'standard' }, enableRbacAuthorization: true };
    await rest.arm('PUT', this.vaultId, '2023-07-01', { location: 'westus2', properties });
    this.azure.assignRole(defaultApp.objectId, 'Key Vault Administrator', this.vaultId);
  }

  /** Writes version 1 of a ManagedSecret as the operator does. */
  async write(namespace: string, name: string, uid: string, value: string): Promise<void> {
    const env = { ...this.azure.env(), AZURE_KEYVAULT_DNS_SUFFIX: this.azure.endpoints.vaultSuffix };
    const context = createAzureDeps(env, { http: { proxy: 'none', ca: this.azure.caPem } });
    const { authorizer } = authorizerFromEnvironment(env, context);
    const vault = new KeyVault({ ...context, vault: 'kvcluster', authorizer });
    const owner = { namespace, name, uid };
    const tags = tagsOf(owner, { number: 1, hash: '0123456789abcdef', created: Date.now() });
    await vault.setSecret(vaultSecretName(owner), { value, contentType: 'text/plain', tags });
    await context.close();
  }

  /** Headers with a token of a new identity, and its object id. */
  async caller(): Promise<{ readonly headers: Record<string, string>; readonly objectId: string }> {
    const { clientId, objectId } = this.azure.addIdentity();
    const query = new URLSearchParams({ 'api-version': '2018-02-01', resource: audience, client_id: clientId });
    const answer = await fetch(`${this.azure.endpoints.imds}/metadata/identity/oauth2/token?${query}`, {
      headers: { metadata: 'true' },
    });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    return { headers: { authorization: `Bearer ${token}` }, objectId };
  }

  /** Starts a replica, which is perhaps not ready yet. */
  async start(): Promise<RunningEndpoint & { readonly whenReady: () => Promise<void> }> {
    const { cert, key, ca } = serverCertificate();
    const number = this.#running.size;
    const file = (name: string, content: string) => {
      writeFileSync(join(this.#directory, name), content, { mode: 0o600 });
      return join(this.#directory, name);
    };
    const [certFile, keyFile] = [file('tls.crt', cert), file('tls.key', key)];
    const [port, healthPort] = [await freePort(), await freePort()];
    const logFile = join(this.#directory, `endpoint-${number}.log`);
    const program = new ProgramProcess(
      [
        'secrets',
        `--audience=${audience}`,
        `--port=${port}`,
        '--address=127.0.0.1',
        `--health-port=${healthPort}`,
        '--health-address=127.0.0.1',
        `--tls-cert-file=${certFile}`,
        `--tls-key-file=${keyFile}`,
        '--refresh-interval=5',
        '--log-level=debug',
      ],
      {
        ...this.azure.env(),
        AZURE_KEYVAULT_DNS_SUFFIX: this.azure.endpoints.vaultSuffix,
        KUBECONFIG: this.#kubeconfig,
        POD_NAMESPACE: 'azimuth-system',
        NO_PROXY: 'localhost,127.0.0.1',
      },
      logFile,
      { bin: join(await builtOnce('image', bundle), 'azimuth.mjs') },
    );
    const dispatcher = createDispatcher({ ca, proxy: 'none' });
    const running = {
      logFile,
      whenReady: () => program.ready(healthPort),
      ready: async () => (await fetch(`http://127.0.0.1:${healthPort}/readyz`)).text(),
      get: async (path: string, headers: Record<string, string> = {}) => {
        const answer = await dispatcher.request({ origin: `https://127.0.0.1:${port}`, path, headers });
        return { status: answer.statusCode, text: await answer.body.text() };
      },
      stop: async () => {
        this.#running.delete(running);
        await program.stop();
        await dispatcher.close();
      },
    };
    this.#running.add(running);
    return running;
  }

  async remove(): Promise<void> {
    await Promise.all([...this.#running].map((each) => each.stop()));
    await this.proxy.close();
    await this.azure.close();
    await takeAway(join(this.#directory, 'dist'));
    rmSync(this.#directory, { recursive: true });
  }
}
