import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { allKinds } from '../../runtime/api/kinds.ts';
import { storedVersion } from '../../runtime/api/preferred-version.ts';
import { stateOf } from '../../runtime/view/model/state.ts';
import { namesOf, readinessCases } from '../view/readiness-cases.ts';
import { everything, judge, removeFolders, synth, temporaryFolder } from './support.ts';

let folder = '';
beforeAll(async () => {
  folder = await synth(everything);
});
afterAll(removeFolders);

type Given = readonly { type: string; status: string; severity?: string; generation?: number; message?: string }[];

const account = (name: string, given?: Given, metadata: object = {}) => ({
  apiVersion: 'storage.azure.com/v20250601',
  kind: 'StorageAccount',
  metadata: { name, namespace: 'default', generation: 2, ...metadata },
  ...(given && {
    status: {
      conditions: given.map(({ type, status, severity, generation = 2, message = '' }) => ({
        type,
        status,
        ...(severity && { severity }),
        reason: 'Reason',
        message,
        observedGeneration: generation,
        lastTransitionTime: '2026-01-01T00:00:00Z',
      })),
    },
  }),
});

const ready = { type: 'Ready', status: 'True' };
const cases = [
  { object: account('new'), argo: 'Progressing', flux: 'Unknown' },
  { object: account('ready', [ready]), argo: 'Healthy', flux: 'Current' },
  {
    object: account('older', [{ ...ready, generation: 1 }]),
    argo: 'Progressing',
    flux: 'InProgress',
  },
  {
    object: account('waiting', [{ type: 'Ready', status: 'False', severity: 'Warning', message: 'there is no owner' }]),
    argo: 'Progressing',
    message: 'there is no owner',
    flux: 'InProgress',
  },
  {
    object: account('refused', [
      { type: 'Ready', status: 'False', severity: 'Error', message: 'no such SKU' },
      { type: 'Stalled', status: 'True', severity: 'Error', message: 'no such SKU' },
    ]),
    argo: 'Degraded',
    message: 'no such SKU',
    flux: 'Failed',
  },
  {
    object: account('corrected', [
      { type: 'Ready', status: 'False', severity: 'Error', generation: 1 },
      { type: 'Stalled', status: 'True', severity: 'Error', generation: 1 },
    ]),
    argo: 'Progressing',
    flux: 'InProgress',
  },
  {
    object: account('other-condition', [{ type: 'SecretsDelivered', status: 'True' }]),
    argo: 'Progressing',
    flux: 'InProgress',
  },
  {
    object: account('going', [ready], { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    argo: 'Progressing',
    flux: 'Current',
  },
];

test('Argo CD shows the state of the conditions, and waits where a condition is of an older generation', async () => {
  const found = await judge(
    ['argo-health', join(folder, 'gitops/argocd-cm.yaml')],
    cases.map(({ object }) => object),
  );
  expect(found.map(({ object, status }) => `${object} ${status}`)).toEqual(
    cases.map(({ object, argo }) => `StorageAccount/${object.metadata.name} ${argo}`),
  );
  for (const [index, { message }] of cases.entries()) if (message) expect(found[index]?.message).toBe(message);
});

test('Argo CD has a check for every kind that has a state', async () => {
  const objects = allKinds.map((kind) => ({
    apiVersion: `${kind.group}/${storedVersion(kind)}`,
    kind: kind.kind,
    metadata: { name: 'one', namespace: 'default', generation: 1 },
  }));
  const found = await judge(['argo-health', join(folder, 'gitops/argocd-cm.yaml')], objects);
  const without = found
    .filter(({ status }) => status !== 'Progressing')
    .map(({ object, status }) => `${object} ${status}`);
  expect(without).toEqual(['AzurePodIdentityException/one None', 'ComputeApproval/one None']);
});

test('Argo CD shows assignments, and runs of releases without conditions, whose state is a word', async () => {
  const run = (state: string) => ({
    apiVersion: 'azimuth.dev/v1alpha1',
    kind: 'ComputeRun',
    metadata: { name: state.toLowerCase(), namespace: 'default' },
    status: { state },
  });
  const assigned = {
    apiVersion: 'aadpodidentity.k8s.io/v1',
    kind: 'AzureAssignedIdentity',
    metadata: { name: 'web', namespace: 'default' },
    status: { status: 'Assigned' },
  };
  const words = ['Succeeded', 'Superseded', 'Running', 'Suspended', 'Failed', 'Cancelled', 'Refused'];
  const objects = [...words.map(run), assigned];
  const found = await judge(['argo-health', join(folder, 'gitops/argocd-cm.yaml')], objects);
  const [healthy, progressing, degraded] = ['Healthy', 'Progressing', 'Degraded'];
  expect(found.map(({ status }) => status)).toEqual([
    ...[healthy, healthy, progressing, progressing, degraded, degraded, degraded],
    healthy,
  ]);
});

test('Argo CD, Flux and kstatus agree with the tree on every reason of every kind', async () => {
  const all = readinessCases();
  const objects = all.map(({ object }) => object);
  const [argo, flux, kstatus] = await Promise.all([
    judge(['argo-health', join(folder, 'gitops/argocd-cm.yaml')], objects),
    judge(['flux-health', join(folder, 'gitops/flux.yaml')], objects),
    judge(['kstatus'], objects),
  ]);
  const differing = all.flatMap(({ object, reason }, index) => {
    const { state } = stateOf(object);
    const expected = namesOf[state as keyof typeof namesOf];
    const seen = { argo: argo[index]?.status, flux: flux[index]?.status, kstatus: kstatus[index]?.status };
    const agrees = seen.argo === expected.argo && [seen.flux, seen.kstatus].every((each) => each === expected.kstatus);
    return agrees ? [] : [{ kind: object.kind, reason, state, ...seen }];
  });
  expect(differing).toEqual([]);
});

test('Flux takes every member of the Kustomizations, and applies resources once the programs are ready', async () => {
  const file = join(folder, 'gitops/flux.yaml');
  expect(await judge(['flux-order', file], [])).toEqual([
    { object: 'Kustomization/azimuth', status: 'ready', message: './dist' },
    { object: 'Kustomization/azure-resources', status: 'ready', message: './azure-resources after azimuth' },
  ]);
  const misspelt = join(temporaryFolder(), 'flux.yaml');
  writeFileSync(misspelt, readFileSync(file, 'utf8').replace('dependsOn:', 'dependOn:'));
  await expect(judge(['flux-order', misspelt], [])).rejects.toThrow('unknown field "dependOn"');
});

test('Flux follows the conditions of the present generation', async () => {
  const found = await judge(
    ['flux-health', join(folder, 'gitops/flux.yaml')],
    cases.map(({ object }) => object),
  );
  expect(found.map(({ object, status }) => `${object} ${status}`)).toEqual(
    cases.map(({ object, flux }) => `StorageAccount/${object.metadata.name} ${flux}`),
  );
});

test('kstatus without the expressions reads Ready and Stalled, but takes an object without status for current', async () => {
  const found = await judge(
    ['kstatus'],
    cases.slice(0, 5).map(({ object }) => object),
  );
  expect(found.map(({ status }) => status)).toEqual(['Current', 'Current', 'Current', 'InProgress', 'Failed']);
});
