import { join } from 'node:path';
import { Ids } from '../../../../sandbox/azure/ids.ts';
import { issueCertificate } from '../../../../sandbox/azure/pki.ts';
import { secretsType } from '../../../kube/client/core-types.ts';
import type { KubeObject } from '../../../kube/client/types.ts';
import { podSpecOf } from '../pods/local-container.ts';
import { freePort } from '../programs/free-port.ts';
import { createSettings, type LocalProgram, startProgram } from '../programs/program.ts';
import type { DemoWorld } from '../world.ts';

/** The audience of tokens for the endpoint. */
export const secretsAudience = 'api://azimuth-secrets';
/** The region of the demonstration's replica, and of the machine that polls. */
export const endpointLocation = 'northeurope';
/** The resource group of the vaults and machines. */
export const machinesGroup = 'shop';

/** Least seconds between two reads of a vault, so that nobody has to wait for a renewal. */
const REFRESH_SECONDS = 5;

/** The secret endpoint, started and perhaps not ready yet. */
export interface StartedEndpoint {
  readonly program: LocalProgram;
  /** Base URL of its HTTPS port. */
  readonly url: string;
  /** The authority of its certificate, PEM. */
  readonly ca: string;
}

/**
 * Starts the secret endpoint of the manifests with a certificate of its own, and with the right to read the vaults of
 * `machinesGroup`.
 */
export async function startSecretEndpoint(world: DemoWorld, workload: KubeObject): Promise<StartedEndpoint> {
  const { azure, client, directory } = world;
  const { namespace } = workload.metadata;
  const pod = podSpecOf(workload);
  const subscription = `/subscriptions/${azure.subscriptionId}`;
  const [port, tls] = await Promise.all([
    freePort(),
    issueCertificate({
      commonName: 'localhost',
      ids: new Ids(undefined, { counter: 0 }),
      now: Date.now(),
      days: 2,
      dnsNames: ['localhost'],
    }),
    createSettings(world, workload, [
      { role: 'Key Vault Secrets User', scope: `${subscription}/resourceGroups/${machinesGroup}` },
      // It finds the principals of the identities and machines that ManagedSecrets name.
      { role: 'Reader', scope: subscription },
    ]),
  ]);
  const volume = pod.volumes.find(({ name }: { name: string }) => name === 'tls');
  await client.create(secretsType, {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/tls',
    metadata: { namespace, name: volume.secret.secretName },
    stringData: { 'tls.crt': tls.certPem, 'tls.key': tls.keyPem },
  });
  const mounted = join(directory, pod.containers[0].name, 'etc/azimuth/tls');
  const program = await startProgram(world, workload, {
    args: [
      '--address=127.0.0.1',
      `--port=${port}`,
      `--tls-cert-file=${join(mounted, 'tls.crt')}`,
      `--tls-key-file=${join(mounted, 'tls.key')}`,
      `--refresh-interval=${REFRESH_SECONDS}`,
    ],
  });
  return { program, url: `https://localhost:${port}`, ca: tls.certPem };
}
