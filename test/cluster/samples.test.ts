/** ASO v2's own sample manifests, unchanged, on a real API server: kubectl applies them, waits for Ready, deletes them. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import {
  armKindOf,
  newestSamples,
  presumedBy,
  sampleFolders,
  sampleGroups,
  samplesMissing,
  samplesPresent,
} from '../operator/samples.ts';
import { type InstalledOperator, installOperator } from './installed-operator.ts';
import { kubectl } from './kubectl.ts';

const withSamples = samplesPresent ? test : test.skip;
if (!samplesPresent) process.stderr.write(`${samplesMissing}\n`);

const around = { subscriptionId: randomUUID(), tenantId: randomUUID() };
let installed: InstalledOperator;
let all: KubeObject[] = [];
beforeAll(async () => {
  if (!samplesPresent) return;
  // An API server takes minutes for the definitions of all kinds: those of both folders only where the folders are named.
  const folders = process.env['AZIMUTH_SAMPLES'] === undefined ? sampleFolders.slice(0, 1) : sampleFolders;
  // Users of databases need a server of PostgreSQL, MySQL or SQL; test/database-servers has these.
  const ofArm = newestSamples(folders).filter((object) => armKindOf(object)?.arm?.dataPlane === undefined);
  const [samples = []] = sampleGroups(ofArm);
  all = [...presumedBy(samples, around), ...samples];
  const groups = new Set(all.map(({ apiVersion }) => apiVersion.split('/')[0] ?? ''));
  const kinds = [...groups].filter((group) => group.endsWith('.azure.com')).map((group) => `${group}/*`);
  installed = await installOperator(kinds.join(';'));
}, 600_000);
afterAll(() => installed?.remove());

withSamples(samplesPresent ? 'every sample becomes Ready, and is deleted again' : samplesMissing, async () => {
  const resources = all
    .filter(({ apiVersion }) => apiVersion.includes('.azure.com/'))
    .map(({ apiVersion, kind, metadata }) => `${kind.toLowerCase()}.${apiVersion.split('/')[0]}/${metadata.name}`);
  const names = [...new Set(resources)];
  // Four samples have fields that ASO's definitions have not either, and kubectl would refuse these.
  await kubectl(
    ['apply', '--validate=false', '-f', '-'],
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: all }),
  );
  await kubectl(['wait', '--for=condition=Ready', '--timeout=300s', ...names]);
  await kubectl(['delete', '--ignore-not-found', '--timeout=300s', ...names]);
  const inputs = all.filter(({ apiVersion }) => apiVersion === 'v1');
  await kubectl(['delete', ...inputs.map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`)]);
  const groups = installed.azure.journal.entries({ service: 'arm', method: 'DELETE', path: /resourceGroups\/[^/]+$/ });
  expect(groups.length).toBeGreaterThan(0);
});
