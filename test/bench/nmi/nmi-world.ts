/** The node daemon as it is deployed, bundle and container settings included, on an embedded Kubernetes API. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Testing } from 'cdk8s';
import { build } from 'esbuild';
import { NodeIdentity } from '../../../constructs/pod-identity/node-identity.ts';
import { crdManifest } from '../../../runtime/api/crd.ts';
import { podIdentityKinds } from '../../../runtime/api/kinds.ts';
import { freePort } from '../../../runtime/cli/demo/programs/free-port.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import { apiVersionOf, type KubeObject, type ResourceType } from '../../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { serviceAccountsType } from '../../../runtime/nmi/objects.ts';
import { startEmbeddedKube } from '../../../sandbox/kube/index.ts';
import { bundle } from '../../../tools/bundle.ts';
import { customResourceDefinitions as crds, namespaces } from '../../conformance/resources.ts';
import { eventually } from '../../fakes/eventually.ts';
import {
  assigned,
  assignedType,
  binding,
  bindingsType,
  fakeToken,
  identitiesType,
  identity,
  pod,
  podsType,
} from '../../nmi/harness.ts';
import { usageOf } from '../process-usage.ts';
import type { Usage } from '../usage.ts';

/** The address of the pod with that number, from 0, in a /24. */
export const addressOf = (network: string, pod: number) => `${network}.${pod + 1}`;
const loopback = Array.from({ length: 10 }, (_, index) => addressOf('127.0.1', index));
const path = '/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fvault.azure.net';
/** What the SDK of JavaScript sends. */
export const tokenRequest = [
  `GET ${path} HTTP/1.1`,
  'Host: 169.254.169.254',
  'Accept: application/json',
  'Metadata: true',
  'Accept-Encoding: gzip,deflate',
  'x-ms-client-request-id: 5b3b5bd2-6b0e-4b6a-9a4f-3d0f5a3f0d7c',
  'User-Agent: azsdk-js-identity/4.14.1 core-rest-pipeline/1.22.1 Node/24.0.0 OS/(x64-Linux-6.1)',
  'Connection: keep-alive',
  '',
  '',
].join('\r\n');

/** A server that is measured, in a process of its own. */
export interface Measured {
  readonly port: number;
  usage(): Promise<Usage>;
}

export class NmiWorld implements AsyncDisposable {
  readonly #directory = mkdtempSync(join(tmpdir(), 'azimuth-bench-'));
  readonly #stack = new AsyncDisposableStack();
  /** Environment and arguments of the container. */
  readonly #container = containerOf();

  readonly #pods: readonly string[];
  readonly #listen: string;
  readonly #kubeconfig: Promise<string>;
  readonly #imdsUrl: Promise<string>;

  /**
   * Addresses of the pods, by default ten loopback ones, of the servers, by default the loopback, and of the metadata
   * endpoint, by default the loopback with a free port.
   */
  constructor({ pods = loopback, listen = '127.0.0.1', imds = { host: '127.0.0.1', port: 0 } } = {}) {
    this.#pods = pods;
    this.#listen = listen;
    this.#kubeconfig = this.#cluster();
    this.#imdsUrl = this.#imds(imds);
    this.#stack.defer(() => rmSync(this.#directory, { recursive: true }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }

  /** With tokens of the usual length. */
  async daemon(): Promise<Measured> {
    const image = join(this.#directory, 'image');
    await bundle(image);
    const program = join(image, 'azimuth.mjs');
    const [port, health] = [await freePort(), await freePort()];
    const args = [
      ...this.#container.args.filter(
        (arg) => !/^--(node|host-ip|nmi-listen-address|health-port|metrics-port)=/.test(arg),
      ),
      '--node=n1',
      '--iptables=off',
      `--nmi-port=${port}`,
      `--nmi-listen-address=${this.#listen}`,
      `--health-port=${health}`,
      '--metrics-port=off',
      `--kubeconfig=${await this.#kubeconfig}`,
      `--imds-endpoint=${await this.#imdsUrl}`,
      `--host-token-file=${join(this.#directory, 'host', 'token')}`,
    ];
    // The entry point of the image.
    const child = await this.#spawn([program, ...args]);
    await eventually('ready', () => succeeds(`http://127.0.0.1:${health}/readyz`), 60_000);
    return measured(child, port);
  }

  /** The daemon of AAD Pod Identity. It asks the metadata endpoint at 169.254.169.254, port 80. */
  async peer(program: string): Promise<Measured> {
    const [port, health, metrics] = [await freePort(), await freePort(), await freePort()];
    const args = [
      '--node=n1',
      '--kubelet-config=/dev/null',
      `--nmi-port=${port}`,
      `--nmi-listen-address=${this.#listen}`,
      `--http-probe-port=${health}`,
      `--prometheus-port=${metrics}`,
    ];
    const env = { PATH: process.env['PATH'], KUBECONFIG: await this.#kubeconfig };
    const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', this.#pipe()] });
    this.#endWithWorld(child);
    await eventually('ready', () => succeeds(`http://127.0.0.1:${health}/healthz`), 60_000);
    return { port, usage: async () => usageOf(child.pid ?? 0) };
  }

  async bare(bodyBytes: number): Promise<Measured> {
    const program = join(this.#directory, 'bare.mjs');
    await this.#compile('nmi-bare.ts', program);
    const child = await this.#spawn([program, String(bodyBytes), this.#listen]);
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    return measured(child, port);
  }

  async #spawn(args: readonly string[]): Promise<ChildProcess> {
    const reporter = join(this.#directory, 'usage.mjs');
    await this.#compile('../usage.ts', reporter);
    const child = spawn(process.execPath, ['--import', reporter, ...args], {
      env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...this.#container.env },
      stdio: ['ignore', this.#pipe(), 'inherit', 'ipc'],
    });
    this.#endWithWorld(child);
    return child;
  }

  #endWithWorld(child: ChildProcess): void {
    this.#stack.defer(async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    });
  }

  /** A pipe with a reader of its own, as the container runtime's: each log line costs what it costs in production. */
  #pipe(): number {
    const path = join(this.#directory, `log-${Math.random()}`);
    if (spawnSync('mkfifo', [path]).status !== 0) throw new Error(`mkfifo ${path} failed`);
    spawn('sh', ['-c', 'exec cat "$0" >/dev/null', path], { stdio: 'ignore' }).unref();
    return openSync(path, 'w');
  }

  async #compile(file: string, outfile: string): Promise<void> {
    const entry = join(import.meta.dirname, file);
    await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' });
  }

  async #cluster(): Promise<string> {
    const kube = await startEmbeddedKube();
    this.#stack.defer(() => kube.close());
    const kubeconfig = join(this.#directory, 'kubeconfig');
    writeFileSync(kubeconfig, kube.adminKubeconfig, { mode: 0o600 });
    const client = createKubeClient(loadKubeConnection({ kubeconfig }));
    this.#stack.defer(() => client.close());
    const put = (type: ResourceType, object: object) =>
      client.create(type, { apiVersion: apiVersionOf(type), kind: type.kind, ...object } as KubeObject);
    for (const kind of podIdentityKinds) await client.create(crds, crdManifest(kind) as unknown as KubeObject);
    await put(namespaces, { metadata: { name: 'app' } });
    await put(serviceAccountsType, { metadata: { namespace: 'app', name: 'sa' } });
    for (const [i, ip] of this.#pods.entries()) {
      const name = `pod${i}`;
      const made = pod({ name, ip, label: name });
      await put(identitiesType, identity(name));
      await put(bindingsType, binding(name, { azureIdentity: name, selector: name }));
      await put(assignedType, assigned(made, identity(name)));
      const spec = { ...made.spec, containers: [{ name: 'main', image: 'none' }] };
      const { status, metadata } = (await put(podsType, { ...made, spec })) as KubeObject & { status?: object };
      if (!status || !('podIP' in status)) {
        await client.patch(
          podsType,
          metadata,
          { type: 'merge', body: { status: made.status } },
          { subresource: 'status' },
        );
      }
    }
    return kubeconfig;
  }

  async #imds({ host, port }: { host: string; port: number }): Promise<string> {
    const server = createServer((request, response) => {
      const client_id = new URL(request.url ?? '/', 'http://imds').searchParams.get('client_id');
      const access_token = fakeToken({ appid: client_id, oid: client_id, padding: 'x'.repeat(1000) });
      const expires = Math.floor(Date.now() / 1000) + 86_399;
      const body = { access_token, client_id, expires_in: '86399', expires_on: String(expires), token_type: 'Bearer' };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    this.#stack.defer(() => {
      server.close();
      server.closeAllConnections();
    });
    return `http://${host}:${(server.address() as AddressInfo).port}`;
  }
}

function containerOf(): { args: readonly string[]; env: Record<string, string> } {
  const construct = new NodeIdentity(Testing.chart(), 'nmi', { namespace: 'n', image: 'none', version: '0.0.0' });
  const container = construct._toKube().template.spec?.containers[0];
  const env = (container?.env ?? []).flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]));
  return { args: container?.args ?? [], env: Object.fromEntries(env) };
}

async function succeeds(url: string): Promise<boolean> {
  return (await fetch(url).catch(() => undefined))?.ok === true;
}

function measured(child: ChildProcess, port: number): Measured {
  return {
    port,
    usage: async () => {
      const answer = once(child, 'message');
      child.send('');
      return ((await answer) as [Usage])[0];
    },
  };
}
