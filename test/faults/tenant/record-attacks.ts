import { annotations } from '../../../runtime/arm-kinds/names.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { condition, until } from '../../operator/support.ts';
import { type Attack, hasReadyCondition, types, unless, writesTo, written } from './attack.ts';
import { hostile, namespaces } from './tenant-setup.ts';
import type { TenantWorld } from './tenant-world.ts';

const limitMs = 60_000;
const location = 'westeurope';
const account = { location, kind: 'StorageV2', sku: { name: 'Standard_LRS' } };
const accountOf = (world: TenantWorld, azureName: string, tags?: object) => ({
  ...account,
  azureName,
  owner: { armId: world.armId(hostile) },
  ...(tags && { tags }),
});
const key = (name: string) => ({ namespace: hostile, name });
const find = (world: TenantWorld, name: string) => world.tenant.tryGet(types.account, key(name));

/** The operator's annotations of an object, which everybody who may read it can copy. */
const recordOf = ({ metadata }: KubeObject): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metadata.annotations ?? {}).filter(([name]) =>
      (Object.values(annotations) as string[]).includes(name),
    ),
  );

/** The record of an object that is Ready in its current generation. */
async function readyRecord(world: TenantWorld, name: string): Promise<Record<string, string>> {
  const object = await until(
    `${name} is Ready`,
    async () => {
      const found = await find(world, name);
      const ready = condition(found);
      return ready?.status === 'True' && ready.observedGeneration === found?.metadata.generation && found;
    },
    limitMs,
  );
  return recordOf(object);
}

/** Somebody else's account in the resource group of the tenant, where the namespace may adopt nothing. */
async function precious(world: TenantWorld, name: string): Promise<void> {
  const body = { metadata: { annotations: { [annotations.adopt]: 'never' } } };
  await world.admin.patch(namespaces, { name: hostile }, { type: 'merge', body });
  const id = world.armId(hostile, `/providers/Microsoft.Storage/storageAccounts/${name}`);
  await until('the account is there', async () => {
    const { status } = await world.portal.arm('PUT', id, '2023-01-01', { ...account, tags: { by: 'portal' } });
    return status < 300;
  });
}

async function deleteAndWait(world: TenantWorld, name: string): Promise<void> {
  await world.tenant.delete(types.account, key(name));
  await until(`${name} is gone`, async () => !(await find(world, name)), limitMs);
}

const methodsTo = async (world: TenantWorld, name: string) =>
  (await writesTo(world, new RegExp(`storageAccounts/${name}$`))).map(({ method }) => method);

const changeTags = (world: TenantWorld, now: string) =>
  world.tenant.patch(types.account, key('replayed'), { type: 'merge', body: { spec: { tags: { now } } } });

let first: Record<string, string> = {};

/** Genuine signed records where they do not belong: A, which the forged ones of `operatorAttacks` begin. */
export const recordAttacks: readonly Attack[] = [
  {
    point: 'A3',
    name: 'genuine records of one object are transplanted to others, which then are deleted',
    before: (world) => precious(world, 'tmplacct'),
    writes: (world) => [written(types.account, 'donor', accountOf(world, 'donoracct'))],
    async acts(world) {
      const record = await readyRecord(world, 'donor');
      if (!record[annotations.signature]) throw new Error('the donor has no signed record');
      const foreign = {
        ...record,
        [annotations.resourceId]: world.armId(hostile, '/providers/Microsoft.Storage/storageAccounts/tmplacct'),
      };
      for (const [name, azureName, own] of [
        ['heir-same', 'donoracct', record],
        ['heir-other', 'tmplacct', record],
        ['heir-edited', 'tmplacct', foreign],
      ] as const) {
        await world.tenant.create(types.account, written(types.account, name, accountOf(world, azureName), own).object);
      }
    },
    async seen(world) {
      const heirs = ['heir-same', 'heir-other', 'heir-edited'];
      return (await Promise.all(heirs.map((name) => hasReadyCondition(world, types.account, name)))).every(Boolean);
    },
    async broken(world) {
      for (const name of ['heir-same', 'heir-other', 'heir-edited']) {
        if (condition(await find(world, name))?.status === 'True') return `${name} is Ready`;
        await deleteAndWait(world, name);
      }
      const donor = await methodsTo(world, 'donoracct');
      const other = await methodsTo(world, 'tmplacct');
      const fine = donor.join() === 'PUT' && other.length === 0;
      return unless(fine, `writes to the donor's account: ${donor.join()}; to somebody else's: ${other.join()}`);
    },
  },
  {
    point: 'A3',
    name: 'an older genuine record is replayed on its object, and on the next object of the same name',
    before: (world) => precious(world, 'unrelatedacct'),
    writes: (world) => [written(types.account, 'replayed', accountOf(world, 'replayacct'))],
    async acts(world) {
      first = await readyRecord(world, 'replayed');
      await changeTags(world, 'second');
      await until(
        'there is a newer record',
        async () => (await readyRecord(world, 'replayed'))[annotations.signature] !== first[annotations.signature],
        limitMs,
      );
      const replay = { metadata: { annotations: first } };
      await world.tenant.patch(types.account, key('replayed'), { type: 'merge', body: replay });
      await changeTags(world, 'third');
      await readyRecord(world, 'replayed');
    },
    // The operator wrote a newer record over it.
    async seen(world) {
      const found = await find(world, 'replayed');
      return found !== undefined && recordOf(found)[annotations.signature] !== first[annotations.signature];
    },
    async broken(world) {
      const before = await methodsTo(world, 'replayacct');
      if (before.join() !== 'PUT,PUT,PUT') return `writes before the deletion: ${before.join()}`;
      await deleteAndWait(world, 'replayed');
      await precious(world, 'replayacct');
      const { object } = written(types.account, 'replayed', accountOf(world, 'replayacct', { now: 'fourth' }), first);
      await world.tenant.create(types.account, object);
      await until('the operator read it', () => hasReadyCondition(world, types.account, 'replayed'), limitMs);
      if (condition(await find(world, 'replayed'))?.status === 'True') return 'the next object of the name is Ready';
      await deleteAndWait(world, 'replayed');
      const all = await methodsTo(world, 'replayacct');
      return unless(
        all.join() === 'PUT,PUT,PUT,DELETE',
        `writes to an account that is not to be adopted: ${all.slice(4).join()}`,
      );
    },
  },
];
