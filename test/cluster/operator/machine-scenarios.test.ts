/**
 * Failures during renewals on a real API server, by an operator with the permissions of the manifests. The
 * scenarios that end by waiting run at the same time; each test waits for one of them.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../fakes/eventually.ts';
import { setSpec } from '../../operator/machines/machine-world.ts';
import { kubectl } from '../kubectl.ts';
import { type InstalledOperator, installOperator } from './installed-operator.ts';
import {
  locations,
  MachinePlace,
  machineType,
  type Numbered,
  reasonOf,
  secretType,
  setType,
} from './machine-scenarios.ts';

const kinds = [
  'resources.azure.com/ResourceGroup',
  'keyvault.azure.com/Vault',
  'compute.azure.com/VirtualMachine',
  'compute.azure.com/VirtualMachineScaleSet',
].join(';');
const second: readonly Numbered[] = [
  ['1', false],
  ['2', true],
];
const both: readonly Numbered[] = [
  ['1', true],
  ['2', true],
];

let installed: InstalledOperator;
let place: MachinePlace;
const running = new Map<string, Promise<void>>();

beforeAll(async () => {
  installed = await installOperator(kinds, { machineSecrets: true });
  installed.azure.settings.rollingBatchMs = 6000;
  place = new MachinePlace(installed.azure, 'azimuth-scenarios-test');
  await place.prepare();
  for (const [name, scenario] of Object.entries({ regionAway, homeAway, badCertificate, roll, revert })) {
    const ended = scenario();
    ended.catch(() => undefined);
    running.set(name, ended);
  }
});
afterAll(async () => {
  await place?.close();
  await installed?.remove();
});

const vaultOf = (location: string) => `azms${location}`;

async function regionAway(): Promise<void> {
  const { azure } = installed;
  await place.certificate('three', locations.slice(1));
  for (const location of locations) await place.machine(`three-${location}`, 'three', location);
  for (const location of locations) await place.delivered(machineType, `three-${location}`, 1);
  azure.vaultOutages.set({ location: 'eastus' }, 'unreachable');
  await place.certificate('three', locations.slice(1), 'one');
  for (const location of locations.slice(0, 2)) await place.delivered(machineType, `three-${location}`, 2);
  await place.until(secretType, 'three', (found) => reasonOf(found) === 'CopyStale');
  const kept = await place.delivered(machineType, 'three-eastus', 1);
  expect(kept['status']?.managedSecrets.wanted).toMatchObject([{ version: 1, state: 'Stale' }]);
  azure.vaultOutages.clear();
  for (const location of locations.slice(0, 2)) expect(await place.numbered(vaultOf(location), 'three')).toEqual(both);
  await place.delivered(machineType, 'three-eastus', 2);
  for (const location of locations) await place.untilNumbered(vaultOf(location), 'three', second);
}

async function homeAway(): Promise<void> {
  const set = (capacity: number) => ({
    ...setSpec({ capacity, managedSecrets: [{ managedSecret: 'grow', delivery: 'OsProfile' }] }),
    location: 'northeurope',
  });
  await place.certificate('grow', ['northeurope'], undefined, 'azmsaway');
  await place.apply(setType, 'grow', set(1));
  await place.delivered(setType, 'grow', 1);
  installed.azure.vaultOutages.set({ vault: 'azmsaway' }, 'unreachable');
  await place.certificate('grow', ['northeurope'], 'one', 'azmsaway');
  await place.until(secretType, 'grow', (found) => reasonOf(found) === 'VaultUnreachable');
  await place.apply(setType, 'grow', set(4));
  await eventually('four instances', async () => (await place.instances('grow')).length === 4, 120_000);
}

async function badCertificate(): Promise<void> {
  const { faults } = installed.azure;
  const names = ['good', 'bad'] as const;
  await place.certificate('pair', ['northeurope']);
  for (const [index, name] of names.entries()) await place.machine(name, 'pair', locations[index] ?? '');
  for (const name of names) await place.delivered(machineType, name, 1);
  const operation = { state: 'failed', code: 'CertificateImproperlyFormatted', message: 'no PFX' } as const;
  const fault = faults.add({ method: 'PUT', path: '/virtualMachines/bad\\?', times: 0, operation });
  await place.certificate('pair', ['northeurope'], 'one');
  await place.delivered(machineType, 'good', 2);
  await place.until(machineType, 'bad', (found) => reasonOf(found) === 'CertificateImproperlyFormatted');
  for (const location of locations.slice(0, 2)) expect(await place.numbered(vaultOf(location), 'pair')).toEqual(both);
  faults.remove(fault);
  await place.certificate('pair', ['northeurope'], 'two');
  for (const name of names) await place.delivered(machineType, name, 3);
  const third: readonly Numbered[] = [...second.map(([number]): Numbered => [number, false]), ['3', true]];
  for (const location of locations.slice(0, 2)) await place.untilNumbered(vaultOf(location), 'pair', third);
}

async function roll(): Promise<void> {
  const managedSecrets = [{ managedSecret: 'rolled', delivery: 'OsProfile' }];
  await place.certificate('rolled', []);
  await place.apply(setType, 'rolling', setSpec({ capacity: 100, mode: 'Rolling', managedSecrets }));
  await place.delivered(setType, 'rolling', 1);
  await place.certificate('rolled', [], 'one');
  const behind = async () => (await place.instances('rolling')).filter((latest) => !latest).length;
  // On a busy machine the second one may be done too.
  await eventually('the first batch is done', async () => (await behind()) <= 80, 120_000);
  for (const id of [40, 41, 42, 43, 44])
    installed.azure.setInstanceHealth({ id: `${place.setId('rolling')}/virtualMachines/${id}`, health: 'unhealthy' });
  const { status } = await place.delivered(setType, 'rolling', 2);
  expect(status?.managedSecrets.instances).toEqual({ total: 100, upToDate: 100, unhealthy: 5 });
}

/** A version that makes instances ill stops at one of the first region, and a pin takes it back. */
async function revert(): Promise<void> {
  const home = 'azmswesteurope';
  const more = { rollout: { regions: ['northeurope'], bakeFor: '1h' }, rotation: { overlap: '1h' } };
  const managedSecrets = [{ managedSecret: 'taken', delivery: 'OsProfile' }];
  const both = locations.slice(0, 2);
  await place.certificate('taken', ['northeurope'], undefined, home, more);
  for (const location of both)
    await place.apply(setType, `taken-${location}`, { ...setSpec({ capacity: 2, managedSecrets }), location });
  for (const location of both) await place.delivered(setType, `taken-${location}`, 1);
  const id = place.setId('taken-northeurope');
  installed.azure.setInstanceHealth({ id, health: 'unhealthy', when: 'afterUpgrade' });
  await place.certificate('taken', ['northeurope'], 'one', home, more);
  await place.until(secretType, 'taken', (found) => reasonOf(found) === 'RolloutStopped');
  expect((await place.instances('taken-northeurope')).filter((latest) => latest)).toHaveLength(1);
  await place.delivered(setType, 'taken-westeurope', 1);
  installed.azure.setInstanceHealth({ id, health: 'healthy', when: 'afterUpgrade' });
  await place.certificate('taken', ['northeurope'], 'one', home, { ...more, pinnedVersion: 1 });
  await place.until(secretType, 'taken', (found) => reasonOf(found) === 'VersionPinned');
  const { status } = await place.delivered(setType, 'taken-northeurope', 1);
  expect(status?.managedSecrets.instances).toEqual({ total: 2, upToDate: 2, unhealthy: 0 });
}

const ended = (name: string) => running.get(name);

test('of three regions one is away for a renewal: its machine keeps the old version, until the region is back', () =>
  ended('regionAway'));
test('a scale set of another region grows while the home vault is away', () => ended('homeAway'));
test('a certificate that Compute cannot read in one region stops its machine alone, and the next version ends it', () =>
  ended('badCertificate'));
test('a renewal rolls 100 instances at 20 % while five fall ill', () => ended('roll'));

test('a version that makes instances ill stops in its first region, and a pin takes it back', () => ended('revert'));

test('an operator that is killed at random places makes one version of each renewal, and delivers it', async () => {
  // `three` and the set were renewed more than a minute ago.
  await place.certificate('three', locations.slice(1), 'killed');
  await place.certificate('rolled', [], 'killed');
  for (let kills = 0; kills < 4; kills++) {
    const delay = Math.floor(Math.random() * 3000);
    process.stdout.write(`kill ${delay} ms after the operator was ready\n`);
    await new Promise((resolve) => setTimeout(resolve, delay));
    await installed.replace();
  }
  for (const location of locations) await place.delivered(machineType, `three-${location}`, 3);
  await place.delivered(setType, 'rolling', 3);
  const third: readonly Numbered[] = [
    ['1', false],
    ['2', false],
    ['3', true],
  ];
  for (const location of locations) await place.untilNumbered(vaultOf(location), 'three', third);
  await place.untilNumbered('azmswesteurope', 'rolled', third);
});

test('a withdrawn approval stops a renewal half-way, and the next approval goes on with it', async () => {
  const { azure } = installed;
  await place.certificate('half', locations.slice(1));
  await place.until(secretType, 'half', (found) => reasonOf(found) === 'Succeeded');
  azure.vaultOutages.set({ location: 'eastus' }, 'unreachable');
  await place.certificate('half', locations.slice(1), 'one');
  await place.untilNumbered('azmsnortheurope', 'half', both);
  await place.withdraw();
  await place.until(secretType, 'half', (found) => reasonOf(found) === 'WaitingForFeature');
  await place.until(machineType, 'good', (found) => reasonOf(found, 'SecretsDelivered') === 'WaitingForFeature');
  azure.vaultOutages.clear();
  // A word that would make version 3 of another certificate.
  await place.certificate('pair', ['northeurope'], 'three');
  await place.until(secretType, 'pair', (found) => reasonOf(found) === 'WaitingForFeature');
  expect(await place.numbered('azmseastus', 'half')).toEqual([['1', true]]);
  await place.approve();
  for (const location of locations) await place.untilNumbered(vaultOf(location), 'half', second);
  await place.until(secretType, 'half', (found) => reasonOf(found) === 'Succeeded');
});

test('kubectl prints the time of the next renewal, which lies ahead', async () => {
  const { status } = await place.until(secretType, 'three', (found) => found['status']?.nextRenewal !== undefined);
  const table = await kubectl(['get', 'managedsecrets.azimuth.dev', 'three', '-n', place.namespace]);
  expect(table).toContain(status?.nextRenewal);
});

test('the permissions that the manifests grant are enough, and no key is in the log', () => {
  const log = readFileSync(installed.logFile, 'utf8');
  expect(log).not.toMatch(/forbidden/i);
  expect(log).not.toMatch(/PRIVATE KEY/);
});
