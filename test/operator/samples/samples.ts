/**
 * ASO v2's own sample manifests. They are not part of this repository: tests read them from ../shared/samples and
 * ../shared/samples-rest beside the checkout, or from AZIMUTH_SAMPLES, which may name several folders.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { type ArmKindDefinition, tryKindOf } from '../../../runtime/api/kinds.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';

const named = process.env['AZIMUTH_SAMPLES']?.split(delimiter) ?? ['../shared/samples', '../shared/samples-rest'];
const sampleFolders = named.map((folder) => resolve(folder));

const areThere = sampleFolders.every((folder) => existsSync(folder));
if (process.env['AZIMUTH_SAMPLES'] && !areThere)
  throw new Error(`AZIMUTH_SAMPLES names a folder that is not there: ${sampleFolders.join(', ')}`);
export const samplesPresent = areThere;
export const samplesMissing = `NOT RUN: not all of ${sampleFolders.join(', ')} with the sample manifests are there`;

/**
 * The objects of each folder that people apply at once, unchanged, in the order of the files; `refs` belong to theirs. An
 * object that an earlier root has as well is left out.
 */
export function readSamples(roots: readonly string[] = sampleFolders): KubeObject[][] {
  const folders = new Map<string, Map<string, KubeObject>>();
  const earlier = new Set<string>();
  for (const root of roots) {
    const all: string[] = [];
    for (const file of globSync('**/*.yaml', { cwd: root }).sort()) {
      const name = join(root, dirname(file)).replace(/\/refs$/, '');
      const objects = folders.get(name) ?? new Map<string, KubeObject>();
      folders.set(name, objects);
      for (const document of parseAllDocuments(readFileSync(join(root, file), 'utf8'))) {
        const { metadata, ...rest } = document.toJS() as KubeObject;
        // kubectl adds its own namespace.
        const object: KubeObject = { ...rest, metadata: { namespace: 'default', ...metadata } };
        const text = JSON.stringify(object);
        if (!earlier.has(text)) objects.set(nameOf(object), object);
        all.push(text);
      }
    }
    for (const text of all) earlier.add(text);
  }
  return [...folders.values()].map((objects) => [...objects.values()]);
}

export const groupOf = ({ apiVersion }: KubeObject) => apiVersion.split('/')[0] ?? '';
export const keyOf = (object: KubeObject) => `${groupOf(object)} ${object.kind} ${object.metadata.name}`;
/** Version, kind and name, such as `cache.azure.com/v1api20230401 Redis sampleredis`. */
export const nameOf = ({ apiVersion, kind, metadata }: KubeObject) => `${apiVersion} ${kind} ${metadata.name}`;

export const armKindOf = (object: KubeObject): ArmKindDefinition | undefined =>
  tryKindOf(groupOf(object), object.kind) as ArmKindDefinition | undefined;

/** What an object writes: kind, name and key. */
export function exportsOf(object: KubeObject): string[] {
  const { secrets, configMaps, secretExpressions, configMapExpressions } = (object['spec']?.operatorSpec ??
    {}) as Record<string, object | undefined>;
  const keys = (kind: string, of: object = {}) =>
    Object.values(of).map(({ name, key }: { name: string; key: string }) => `${kind} ${name} ${key}`);
  return [
    ...keys('Secret', secrets),
    ...keys('Secret', secretExpressions),
    ...keys('ConfigMap', configMaps),
    ...keys('ConfigMap', configMapExpressions),
  ];
}

/** The Secrets and ConfigMaps that an object writes. */
export function destinationsOf(object: KubeObject): string[] {
  return [...new Set(exportsOf(object).map((id) => id.split(' ').slice(0, 2).join(' ')))];
}
