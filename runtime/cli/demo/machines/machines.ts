import { fileURLToPath } from 'node:url';
import { configMapsType, secretsType } from '../../../kube/client/core-types.ts';
import type { KubeObject } from '../../../kube/client/types.ts';
import { readManifests } from '../apply.ts';
import { type Followed, followUntilReady } from '../follow.ts';
import type { HealthPart } from '../health-part.ts';
import type { DemoWorld } from '../world.ts';
import { newAuthority } from './authority.ts';
import { showBadVersion } from './bad-version.ts';
import { PollingMachine } from './polling-machine.ts';
import { type FollowedSet, followCertificate, type ReadInstances, withPortal } from './scale-sets.ts';
import type { StartedEndpoint } from './secret-endpoint.ts';

const manifest = fileURLToPath(new URL('machines.yaml', import.meta.url));
/** Readers of the certificate at the endpoint: every machine with the application's identity. */
const consumers = [{ identity: { group: 'managedidentity.azure.com', kind: 'UserAssignedIdentity', name: 'photos' } }];
const renew = 'azimuth.dev/renew';

/**
 * Shows a certificate that reaches scale sets of two regions and a machine that polls, and its renewal. Then a version that
 * makes instances ill. Returns the number of Azure resources.
 */
export async function showMachines(world: DemoWorld, endpoint: StartedEndpoint, health: HealthPart): Promise<number> {
  const { progress, azure, client } = world;
  const { subscriptionId, tenantId } = azure;
  const objects = await readManifests([manifest], { subscriptionId, tenantId });
  const secret = objects.find(({ kind }) => kind === 'ManagedSecret') as KubeObject;
  return await withPortal(world, async (read) => {
    let sets: readonly FollowedSet[] = [];
    await progress.step('Make a certificate, and scale sets of two regions that get it', async (note) => {
      await client.create(secretsType, await newAuthority('shop.example CA'));
      const followed = await applyAll(world, objects);
      const report = ({ type, name }: Followed, text: string) => line(world, `${type.kind} ${name}`, text);
      await followUntilReady(client, followed, report, world.signal);
      const named = followed.filter(({ type }) => type.kind === 'VirtualMachineScaleSet');
      const fresh = named.map((set) => ({ ...set, certificate: '' }));
      sets = await delivered(world, read, secret, fresh);
      note(`version ${await versionOf(world, secret)} on every instance`);
    });
    const { data } = await client.get(configMapsType, { namespace: 'demo', name: 'photos-identity' });
    const machine = new PollingMachine(world, endpoint, 'demo/shop-web', data.clientId);
    const instances = () => delivered(world, read, secret, sets);
    try {
      const renewed = await showRenewal(world, endpoint, { secret, machine, instances });
      await health.scene(() => showBadVersion(world, renewed));
    } finally {
      await machine.close();
    }
    return objects.filter(({ apiVersion }) => apiVersion.split('/')[0]?.endsWith('.azure.com')).length;
  });
}

/** The parts of the demonstration that a renewal reaches. */
interface Renewed {
  readonly secret: KubeObject;
  readonly machine: PollingMachine;
  /** Resolves when every instance has another certificate. */
  readonly instances: () => Promise<unknown>;
}

/**
 * A machine asks for the certificate; then a person asks for another one, which reaches it and each instance. Returns the
 * ManagedSecret as that person applies it.
 */
async function showRenewal(world: DemoWorld, { program }: StartedEndpoint, renewed: Renewed): Promise<KubeObject> {
  const { progress, applier } = world;
  const { secret, machine, instances } = renewed;
  const spec = { ...secret['spec'], consumers };
  const first = await progress.step('Let a machine poll it at the secret endpoint', async (note) => {
    await program.ready();
    await applier.apply({ ...secret, spec });
    const got = await machine.next();
    note(`it got version ${got.version} from ${program.account}`);
    return got;
  });
  const metadata = { ...secret.metadata, annotations: { [renew]: 'demonstration' } };
  const asking = { ...secret, metadata, spec };
  await progress.step('Ask for a new certificate', async (note) => {
    const arrived = machine.next(first).then(({ version }) => {
      line(world, 'The machine that polls', `version ${version}`);
      return version;
    });
    await applier.apply(asking);
    const [version] = await Promise.all([arrived, instances()]);
    note(`version ${version} on every instance and at the machine`);
  });
  return asking;
}

/** Applies the manifests; returns the objects that become Ready. */
async function applyAll({ applier }: DemoWorld, objects: readonly KubeObject[]): Promise<Followed[]> {
  const followed: Followed[] = [];
  for (const object of objects) {
    await applier.apply(object);
    const { namespace, name } = object.metadata;
    if (namespace !== undefined || object.kind === 'FeatureRegistration')
      followed.push({ type: await applier.typeOf(object), namespace, name });
  }
  return followed;
}

async function delivered(
  world: DemoWorld,
  read: ReadInstances,
  secret: KubeObject,
  sets: readonly FollowedSet[],
): Promise<readonly FollowedSet[]> {
  const nameOf = (url: string) => nameInVault(world, secret, url);
  return await Promise.all(
    sets.map(async (set) => {
      const report = (text: string) => line(world, `${set.type.kind} ${set.name}`, text);
      return { ...set, certificate: await followCertificate(world, read, set, nameOf, report) };
    }),
  );
}

/** The number of a version, the same in every region, and the end of the id that the region's vault gave it. */
async function nameInVault({ client, applier }: DemoWorld, secret: KubeObject, url: string): Promise<string> {
  const id = url.split('/').at(-1) ?? '';
  const object = await client.get(await applier.typeOf(secret), secret.metadata);
  const copies: { readonly version: number; readonly secretId?: string }[] = object['status']?.copies ?? [];
  const copy = copies.find(({ secretId }) => secretId?.endsWith(`/${id}`));
  const inVault = `…${id.slice(-6)} in its region's vault`;
  return copy ? `version ${copy.version} (${inVault})` : `a version (${inVault})`;
}

/** The current version of the ManagedSecret, which its status repeats. */
async function versionOf({ client, applier }: DemoWorld, secret: KubeObject): Promise<number> {
  const object = await client.get(await applier.typeOf(secret), secret.metadata);
  return object['status']?.version;
}

function line({ progress }: DemoWorld, what: string, text: string): void {
  progress.line(`    ${what.padEnd(52)} ${text}`);
}
