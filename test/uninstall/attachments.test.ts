/** The controller detaches identities from machines after it has deleted the AzureAssignedIdentity, by its records. */
import { beforeEach, expect, test } from '@jest/globals';
import { recordName } from '../../runtime/azure/identity/attachment-record.ts';
import { type Clock, systemClock } from '../../runtime/base/clock.ts';
import { AttachmentRecords } from '../../runtime/identity/attachments/attachment-records.ts';
import { configMapsType } from '../../runtime/kube/client/core-types.ts';
import { type Lease, leasesType } from '../../runtime/kube/leader-election/lease-record.ts';
import { attachmentRecords } from '../../runtime/uninstall/attachments.ts';
import { requirePrograms } from '../../runtime/uninstall/needed-programs.ts';
import { removeItems } from '../../runtime/uninstall/remove-items.ts';
import { viewKinds } from '../../runtime/view/model/view-kinds.ts';
import { LocalKube } from '../fakes/local-kube.ts';
import { object } from '../view/support.ts';
import { itemOf } from './support.ts';

const signal = AbortSignal.timeout(60_000);
const root = '/subscriptions/00000000-0000-0000-0000-000000000001/resourcegroups/rg/providers';
const machine = `${root}/microsoft.compute/virtualmachines/node`;
const identity = `${root}/microsoft.managedidentity/userassignedidentities/shop`;
const homes = new Set(['azimuth-system']);
const kinds = viewKinds.filter(({ type }) => type.group === 'aadpodidentity.k8s.io');
const identities = kinds.find(({ type }) => type.kind === 'AzureIdentity')?.type as (typeof kinds)[number]['type'];
const shop = object('aadpodidentity.k8s.io/v1', 'AzureIdentity', 'shop', { spec: { type: 0 } });
const assigned = object('aadpodidentity.k8s.io/v1', 'AzureAssignedIdentity', 'assigned', { spec: {} });

let kube: LocalKube;
let sleeps: number;
let onSleep: (count: number) => Promise<unknown> | undefined;
let lines: string[];

/** Time passes by sleeps alone. */
const clock: Clock = {
  now: () => systemClock.now(),
  monotonic: () => sleeps * 1000,
  sleep: async () => {
    sleeps += 1;
    await onSleep(sleeps);
  },
};
const removal = () => ({
  client: kube,
  clock,
  mode: 'delete' as const,
  stallMs: 300_000,
  report: (line: string) => void lines.push(line),
  signal,
});
const record = (ids: string[], namespace = 'azimuth-system') =>
  new AttachmentRecords(kube, namespace).replace(machine, new Set(ids), signal);
const forget = () => kube.delete(configMapsType, { namespace: 'azimuth-system', name: recordName(machine) });
const holdLease = (name: string, namespace = 'azimuth-system') =>
  kube.create<Lease>(leasesType, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { namespace, name },
    spec: { holderIdentity: 'one', leaseDurationSeconds: 15, renewTime: '0' },
  });
const renew = async (namespace = 'azimuth-system') => {
  const lease = await kube.get<Lease>(leasesType, { namespace, name: 'azimuth-identity' });
  await kube.replace(leasesType, { ...lease, spec: { ...lease.spec, renewTime: String(sleeps) } });
};

beforeEach(() => {
  [kube, sleeps, lines, onSleep] = [new LocalKube(), 0, [], async () => undefined];
});

test.each([0, 1])(
  'it waits until the controller has detached the last identity, with %s objects left',
  async (objects) => {
    if (objects > 0) await kube.create(identities, shop);
    await record([identity]);
    onSleep = async (count) => {
      const key = { namespace: 'demo', name: 'shop' };
      if (count <= 5) expect((await kube.tryGet(identities, key)) !== undefined).toBe(objects > 0);
      if (count === 5) await forget();
    };
    await removeItems(objects > 0 ? kinds : [], homes, removal());
    expect(sleeps).toBeGreaterThanOrEqual(5);
    expect(lines[0]).toContain(machine);
    expect(await attachmentRecords(kube, homes, signal)).toEqual([]);
  },
);

test('a record that a tenant wrote holds nothing up', async () => {
  await record([identity], 'payments');
  await removeItems([], homes, removal());
  expect(sleeps).toBe(0);
});

test('an identity that stays on its machine ends the command, which names machine and record', async () => {
  await record([identity]);
  await holdLease('azimuth-identity');
  onSleep = () => renew();
  const ended = removeItems([], homes, removal());
  await expect(ended).rejects.toMatchObject({
    code: 'AZ_KUBE_STATUS',
    message: expect.stringMatching(
      new RegExp(`for 300 s.*${machine} \\(ConfigMap ${recordName(machine)} in azimuth-system`),
    ),
  });
});

test('records and assignments need the controller, which renews its Lease', async () => {
  await record([identity]);
  const records = await attachmentRecords(kube, homes, signal);
  await requirePrograms([], [], homes, removal());
  const refusal = (what: RegExp) => ({ code: 'AZ_LEASE_LOST', message: expect.stringMatching(what) });
  const byRecord = refusal(
    /Lease azimuth-identity .*ConfigMap azimuth-attachments-.*no controller is installed any more.*delete the ConfigMap/,
  );
  await expect(requirePrograms([], records, homes, removal())).rejects.toMatchObject(byRecord);
  await expect(requirePrograms([itemOf(assigned)], [], homes, removal())).rejects.toMatchObject(
    refusal(
      /Lease azimuth-identity .*AzureAssignedIdentity\/assigned in demo.*no controller is installed any more.*delete the object/,
    ),
  );
  await holdLease('azimuth-identity');
  await expect(requirePrograms([], records, homes, removal())).rejects.toMatchObject(byRecord);
  onSleep = () => renew();
  await requirePrograms([itemOf(assigned)], records, homes, removal());
});

test('a Lease that a tenant renews is no controller, unless no manifests were applied', async () => {
  await holdLease('azimuth-identity', 'payments');
  onSleep = () => renew('payments');
  const left = [itemOf(assigned)];
  await expect(requirePrograms(left, [], homes, removal())).rejects.toMatchObject({ code: 'AZ_LEASE_LOST' });
  await requirePrograms(left, [], new Set(), removal());
});

test('a controller that stops while the command waits ends it', async () => {
  await record([identity]);
  await expect(removeItems([], homes, removal())).rejects.toMatchObject({ code: 'AZ_LEASE_LOST' });
});
