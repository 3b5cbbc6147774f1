import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { LinkLookup } from '../../../runtime/nmi/pods/link-lookup.ts';
import { type Link, readLinkTable } from '../../../runtime/nmi/pods/link-table.ts';
import type { ReversePathOptions } from '../../../runtime/nmi/pods/reverse-path-check.ts';
import { eventually } from '../../fakes/eventually.ts';
import {
  assigned,
  assignedType,
  binding,
  bindingsType,
  claimsOf,
  type Harness,
  identitiesType,
  identity,
  pod,
  podsType,
  startNmi,
} from '../harness.ts';

const ip = '127.0.0.5';

/** Answers at a later moment, from the links of the call. */
function lookupIn(links: ReadonlyMap<string, Link>): LinkLookup {
  const now = (address: string) => links.get(address);
  return { now, of: (address) => setImmediate(now(address)), close: () => undefined };
}

/** A daemon that finds the pods of these tests by `links`, which may be changed. */
async function start(links: Map<string, Link>, options: ReversePathOptions = {}): Promise<Harness> {
  const nmi = await startNmi({ reversePath: { links: lookupIn(links), ...options } });
  for (const name of ['old', 'new']) {
    const made = pod({ name, label: name });
    await nmi.kube.put(identitiesType, identity(name));
    await nmi.kube.put(bindingsType, binding(name, { azureIdentity: name, selector: name }));
    await nmi.kube.put(assignedType, assigned(made, identity(name)));
  }
  await nmi.kube.put(podsType, pod({ name: 'old', label: 'old' }));
  return nmi;
}

/** Each request has a connection of its own. */
async function who(nmi: Harness): Promise<string | number> {
  const { status, json } = await nmi.token(ip, {}, { headers: { metadata: 'true', connection: 'close' } });
  return status === 200 ? String(claimsOf(json.access_token)['appid']) : status;
}
const becomes = (nmi: Harness, expected: string | number) =>
  eventually(`it is ${expected}`, async () => (await who(nmi)) === expected);

test.each<[string, Link, Link]>([
  ['another interface', { index: 7, mac: undefined }, { index: 8, mac: undefined }],
  ['another neighbour on the bridge', { index: 7, mac: '0a:00:00:00:00:01' }, { index: 7, mac: '0a:00:00:00:00:02' }],
])('who has the address of a pod, but by %s, gets no token before its own record is there', async (_, old, now) => {
  const links = new Map([[ip, old]]);
  await using nmi = await start(links);
  await becomes(nmi, 'client-old');
  links.set(ip, now);
  const refused = await nmi.token(ip, {}, { headers: { metadata: 'true', connection: 'close' } });
  expect([refused.status, refused.headers['retry-after'], refused.headers.connection]).toEqual([503, '1', 'close']);
  expect(refused.body).toContain(`the pod with the address ${ip} was reached by another link`);
  expect(await who(nmi)).toBe(503);
  await nmi.kube.delete(podsType, { namespace: 'app', name: 'old' });
  await nmi.kube.put(podsType, pod({ name: 'new', label: 'new' }));
  await becomes(nmi, 'client-new');
});

test('the first to send is not taken for the pod where the record came before the address was given on', async () => {
  const links = new Map([[ip, { index: 7, mac: undefined }]]);
  let reads = 0;
  const lookup = lookupIn(links);
  const of = (address: string) => {
    reads++;
    return lookup.of(address);
  };
  await using nmi = await start(links, { links: { ...lookup, of } });
  await eventually('the record has come', () => reads > 0);
  links.set(ip, { index: 8, mac: undefined });
  expect(await who(nmi)).toBe(503);
  // And so for each record that comes later.
  await nmi.kube.delete(podsType, { namespace: 'app', name: 'old' });
  await becomes(nmi, 500);
  const before = reads;
  await nmi.kube.put(podsType, pod({ name: 'new', label: 'new' }));
  await eventually('the next record has come', () => reads > before);
  links.set(ip, { index: 9, mac: undefined });
  expect(await who(nmi)).toBe(503);
});

const started = (startedAt: string, more: Parameters<typeof pod>[0] = {}) => {
  const made = pod({ name: 'old', label: 'old', ...more });
  return { ...made, status: { ...made.status, containerStatuses: [{ state: { running: { startedAt } } }] } };
};

test('an address that was given on stays closed, however long the API server shows the old pod', async () => {
  const links = new Map([[ip, { index: 7, mac: undefined }]]);
  await using nmi = await start(links);
  await nmi.kube.put(podsType, started('2026-01-01T00:00:00Z'));
  await becomes(nmi, 'client-old');
  links.set(ip, { index: 8, mac: undefined });
  for (let i = 0; i < 5; i++) expect(await who(nmi)).toBe(503);
  // Records of the old pod that show no start, an earlier one, or its end, are no proof.
  const marked = started('2026-01-01T00:00:00Z');
  await nmi.kube.put(podsType, { ...marked, metadata: { ...marked.metadata, annotations: { a: 'b' } } } as never);
  expect(await who(nmi)).toBe(503);
  await nmi.kube.put(podsType, started('2025-12-31T00:00:00Z'));
  expect(await who(nmi)).toBe(503);
  await nmi.kube.put(podsType, started('2026-01-02T00:00:00Z', { deleting: new Date(Date.now() + 30_000) }));
  expect(await who(nmi)).toBe(503);
});

test('a pod whose sandbox was recreated with the same address is served again when its record shows the new start', async () => {
  const links = new Map([[ip, { index: 7, mac: undefined }]]);
  await using nmi = await start(links);
  await nmi.kube.put(podsType, started('2026-01-01T00:00:00Z'));
  await becomes(nmi, 'client-old');
  links.set(ip, { index: 8, mac: undefined });
  expect(await who(nmi)).toBe(503);
  await nmi.kube.put(podsType, started('2026-01-01T00:05:00Z'));
  await becomes(nmi, 'client-old');
  // From now on that is its link.
  links.set(ip, { index: 7, mac: undefined });
  expect(await who(nmi)).toBe(503);
});

test('the late end of the old pod takes away nothing that is known of the new one', async () => {
  const links = new Map([[ip, { index: 7, mac: undefined }]]);
  await using nmi = await start(links);
  await becomes(nmi, 'client-old');
  links.set(ip, { index: 8, mac: undefined });
  await nmi.kube.put(podsType, pod({ name: 'old', label: 'old', phase: 'Succeeded' }));
  await nmi.kube.put(podsType, pod({ name: 'new', label: 'new' }));
  await becomes(nmi, 'client-new');
  await nmi.kube.delete(podsType, { namespace: 'app', name: 'old' });
  links.set(ip, { index: 9, mac: undefined });
  expect(await who(nmi)).toBe(503);
});

test('of an address that no pod has any more nothing is known', async () => {
  const links = new Map([[ip, { index: 7, mac: undefined }]]);
  await using nmi = await start(links);
  await becomes(nmi, 'client-old');
  await nmi.kube.delete(podsType, { namespace: 'app', name: 'old' });
  await becomes(nmi, 500);
  links.set(ip, { index: 8, mac: undefined });
  expect(await who(nmi)).toBe(500);
});

test('a link that differs only for a moment is checked again the next time', async () => {
  const links = new Map([[ip, { index: 7, mac: undefined }]]);
  await using nmi = await start(links);
  await becomes(nmi, 'client-old');
  links.set(ip, { index: 8, mac: undefined });
  expect(await who(nmi)).toBe(503);
  links.set(ip, { index: 7, mac: undefined });
  expect(await who(nmi)).toBe('client-old');
  links.set(ip, { index: 8, mac: undefined });
  expect(await who(nmi)).toBe(503);
});

test('an unknown link refuses no connection, and a neighbour that is known only later is the pod', async () => {
  const links = new Map<string, Link>();
  await using nmi = await start(links);
  await becomes(nmi, 'client-old');
  links.set(ip, { index: 7, mac: undefined });
  expect(await who(nmi)).toBe('client-old');
  links.set(ip, { index: 7, mac: '0a:00:00:00:00:01' });
  expect(await who(nmi)).toBe('client-old');
  links.delete(ip);
  expect(await who(nmi)).toBe('client-old');
  links.set(ip, { index: 7, mac: '0a:00:00:00:00:02' });
  expect(await who(nmi)).toBe(503);
});

test('the kernel reports the interface of the longest route, and the neighbour on it', () => {
  const root = mkdtempSync(join(tmpdir(), 'azimuth-links-'));
  const files = {
    'proc/net/route': [
      'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT',
      'eth0\t00000000\t0100620A\t0003\t0\t0\t0\t00000000\t0\t0\t0',
      'cbr0\t0000630A\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0',
      'veth1\t0201630A\t00000000\t0005\t0\t0\t0\tFFFFFFFF\t0\t0\t0',
      'gone0\t0301630A\t00000000\t0005\t0\t0\t0\tFFFFFFFF\t0\t0\t0',
    ],
    'proc/net/arp': [
      'IP address       HW type     Flags       HW address            Mask     Device',
      '10.99.1.9        0x1         0x2         0a:58:0a:63:01:09     *        cbr0',
      '10.99.1.8        0x1         0x0         00:00:00:00:00:00     *        cbr0',
      '10.99.1.2        0x1         0x2         0a:58:0a:63:01:02     *        eth0',
    ],
    'proc/net/ipv6_route': [
      `fd990001${'0'.repeat(24)} 40 ${'0'.repeat(32)} 00 ${'0'.repeat(32)} 00000100 00000001 00000000 00000001    veth1`,
      `${'0'.repeat(32)} 00 ${'0'.repeat(32)} 00 fd98${'0'.repeat(27)}1 00000400 00000001 00000000 00000003     eth0`,
    ],
    'sys/class/net/cbr0/ifindex': ['3'],
    'sys/class/net/veth1/ifindex': ['12'],
    'sys/class/net/eth0/ifindex': ['2'],
  };
  for (const [name, lines] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), `${lines.join('\n')}\n`);
  }
  const of = (address: string) => readLinkTable(root).of(address);
  expect(of('10.99.1.2')).toEqual({ index: 12, mac: undefined, device: 'veth1' });
  expect(of('10.99.1.9')).toEqual({ index: 3, mac: '0a:58:0a:63:01:09', device: 'cbr0' });
  expect(of('10.99.1.8')).toEqual({ index: 3, mac: undefined, device: 'cbr0' });
  expect(of('10.99.1.3')).toBeUndefined();
  expect(of('10.98.0.9')).toBeUndefined();
  expect(of('fd99:1::2')).toEqual({ index: 12, mac: undefined, device: 'veth1' });
  expect(of('fd99:2::2')).toBeUndefined();
  expect(of('')).toBeUndefined();
  rmSync(root, { recursive: true });
  expect(of('10.99.1.2')).toBeUndefined();
});
