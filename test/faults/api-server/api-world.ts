import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crdManifest } from '../../../runtime/api/crd.ts';
import { kindOf, podIdentityKinds } from '../../../runtime/api/kinds.ts';
import { definitionsEstablished } from '../../../runtime/cli/demo/apply.ts';
import { freePort } from '../../../runtime/cli/demo/programs/free-port.ts';
import { ProgramProcess } from '../../../runtime/cli/demo/programs/program-process.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import type { KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';
import type { KubeConnection } from '../../../runtime/kube/config/connection.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import type { ApiServer } from '../../../tools/clusters/envtest.ts';
import { customResourceDefinitions, namespaces } from '../../conformance/resources.ts';
import { WorldObjects } from '../../identity/world-objects.ts';
import { types } from '../../operator/support.ts';
import { TestClient } from '../../sandbox/azure/client.ts';

/**
 * A scenario on a real API server, with the programs from the bundle `bin`. Reports lines, and returns why it failed:
 * nothing where everything held.
 */
export type ApiServerScenario = (
  server: ApiServer,
  bin: string,
  report: (text: string) => void,
) => Promise<readonly string[]>;

/** The kinds of the operator that the cluster serves. */
const kinds = [types.group, types.account, types.identity, types.network];

/** An API server with the definitions, an embedded Azure, and programs as processes. */
export class ApiWorld extends WorldObjects implements AsyncDisposable {
  readonly connection: KubeConnection;
  readonly directory: string;
  /** How programs ended that should run on. */
  readonly ends: string[] = [];
  readonly #programs: ProgramProcess[] = [];
  readonly #stop = new AbortController();

  private constructor(azure: EmbeddedAzure, connection: KubeConnection, directory: string) {
    super(azure, createKubeClient(connection), new TestClient(azure));
    this.connection = connection;
    this.directory = directory;
  }

  /** The caller stops the API server after the world. */
  static async start({ kubeconfig }: Pick<ApiServer, 'kubeconfig'>): Promise<ApiWorld> {
    const azure = await startEmbeddedAzure({ arm: { operationMs: 0, retryAfterSeconds: 0, alwaysRetryAfter: true } });
    const directory = mkdtempSync(join(tmpdir(), 'azimuth-api-world-'));
    const world = new ApiWorld(azure, loadKubeConnection({ kubeconfig }), directory);
    for (const name of ['app', 'azimuth-system']) {
      await world.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
    const definitions = [...kinds.map(({ group, kind }) => kindOf(group, kind)), ...podIdentityKinds].map((kind) =>
      crdManifest(kind, { versions: 'newest' }),
    );
    for (const each of definitions) await world.client.create(customResourceDefinitions, each as unknown as KubeObject);
    await definitionsEstablished(
      world.client,
      definitions.map(({ metadata }) => metadata.name),
    );
    for (const group of ['nodes', 'identities']) {
      const id = `/subscriptions/${azure.subscriptionId}/resourceGroups/${group}`;
      await world.rest.arm('PUT', id, '2021-04-01', { location: 'westus2' });
    }
    return world;
  }

  /** Starts `azimuth <name>` from the bundle, and waits until it is ready. */
  async startProgram(bin: string, name: string, kubeconfig: string, flags: readonly string[]): Promise<void> {
    const port = await freePort();
    const env = { ...this.azure.env(), KUBECONFIG: kubeconfig, POD_NAMESPACE: 'azimuth-system' };
    const args = [name, `--health-port=${port}`, '--health-address=127.0.0.1', ...flags];
    const program = new ProgramProcess(args, env, join(this.directory, `${name}.log`), { bin });
    this.#programs.push(program);
    await program.ready(port);
    program.failure(this.#stop.signal).catch((error: Error) => {
      if (!this.#stop.signal.aborted) this.ends.push(`a program ended: ${error.message}`);
    });
  }

  async apply(type: ResourceType, name: string, spec: object): Promise<void> {
    const head = { apiVersion: `${type.group}/${type.version}`, kind: type.kind };
    const object = { ...head, metadata: { namespace: 'default', name }, spec };
    await this.client.apply(type, object, { fieldManager: 'test', force: true });
  }

  /** Paths of the DELETEs that Azure got after an entry of the journal, in lower case. */
  deletions(after = 0): string[] {
    const sent = this.azure.journal.entries({ service: 'arm', method: 'DELETE', after });
    return sent.map(({ path }) => path.toLowerCase());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error('the scenario has ended'));
    await Promise.all(this.#programs.map((program) => program.stop()));
    await Promise.all([this.client.close(), this.rest.close()]);
    await this.azure.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
