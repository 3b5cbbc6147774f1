/** ASO v2's own sample manifests, unchanged, on a real API server: kubectl applies them, waits for Ready, deletes them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { presumedBySamples, readSamples, samplesMissing, samplesPresent } from '../operator/samples.ts';
import { type InstalledOperator, installOperator } from './installed-operator.ts';
import { kubectl } from './kubectl.ts';

const withSamples = samplesPresent ? test : test.skip;
if (!samplesPresent) process.stderr.write(`${samplesMissing}\n`);

const all = samplesPresent ? [...readSamples(), ...presumedBySamples()] : [];
const resources = all
  .filter(({ apiVersion }) => apiVersion.includes('.azure.com/'))
  .map(({ apiVersion, kind, metadata }) => `${kind.toLowerCase()}.${apiVersion.split('/')[0]}/${metadata.name}`);
const names = [...new Set(resources)];
const kinds = [...new Set(all.map(({ apiVersion }) => apiVersion.split('/')[0]))]
  .filter((group) => group?.endsWith('.azure.com'))
  .map((group) => `${group}/*`)
  .join(';');

let installed: InstalledOperator;
beforeAll(async () => {
  if (samplesPresent) installed = await installOperator(kinds);
});
afterAll(() => installed?.remove());

withSamples(samplesPresent ? 'every sample becomes Ready, and is deleted again' : samplesMissing, async () => {
  await kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: all }));
  await kubectl(['wait', '--for=condition=Ready', '--timeout=300s', ...names]);
  await kubectl(['delete', '--ignore-not-found', '--timeout=300s', ...names]);
  await kubectl(['delete', 'secret/aso-sample-vmsecret', 'configmap/identity-settings']);
  const groups = installed.azure.journal.entries({ service: 'arm', method: 'DELETE', path: /resourceGroups\/[^/]+$/ });
  expect(groups.length).toBeGreaterThan(0);
});
