/**
 * ASO v2's own sample manifests. They are not part of this repository: tests read them from ../shared/samples beside the
 * checkout, or from AZIMUTH_SAMPLES.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../runtime/kube/client/types.ts';

const folder = resolve(process.env['AZIMUTH_SAMPLES'] ?? '../shared/samples');

export const samplesPresent = existsSync(folder);
export const samplesMissing = `NOT RUN: there is no folder ${folder} with the sample manifests`;

/** Every object of the samples, unchanged; what stands in several files is there once. */
export function readSamples(): KubeObject[] {
  const objects = new Map<string, KubeObject>();
  for (const file of globSync('**/*.yaml', { cwd: folder }).sort()) {
    for (const document of parseAllDocuments(readFileSync(join(folder, file), 'utf8'))) {
      const object = document.toJS() as KubeObject;
      objects.set(`${object.apiVersion} ${object.kind} ${object.metadata.name}`, object);
    }
  }
  return [...objects.values()];
}

const metadata = (name: string) => ({ name, namespace: 'default' });

const anybody = '11111111-1111-4111-8111-111111111111';

/** What the samples name but do not contain. */
export function presumedBySamples(): KubeObject[] {
  return [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: metadata('aso-sample-vmsecret'),
      stringData: { password: 'Abcd-1234' },
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: metadata('identity-settings'),
      data: { tenantId: anybody, clientId: anybody, principalId: anybody },
    },
    {
      apiVersion: 'storage.azure.com/v20250601',
      kind: 'StorageAccount',
      metadata: metadata('samplestorageaccount'),
      spec: { kind: 'StorageV2', sku: { name: 'Standard_LRS' }, location: 'westus2', owner: { name: 'aso-sample-rg' } },
    },
  ];
}
