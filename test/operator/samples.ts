/**
 * ASO v2's own sample manifests. They are not part of this repository: tests read them from ../shared/samples and
 * ../shared/samples-rest beside the checkout, or from AZIMUTH_SAMPLES, which may name several folders.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { type ArmKindDefinition, armKinds, tryKindOf } from '../../runtime/api/kinds.ts';
import { catalogueModel } from '../../runtime/arm-kinds/catalogue-kind.ts';
import { objectLinks } from '../../runtime/arm-kinds/object-links.ts';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import { exampleName, requiredFields } from './examples.ts';

const named = process.env['AZIMUTH_SAMPLES']?.split(delimiter) ?? ['../shared/samples', '../shared/samples-rest'];
/** Folders of samples: those of the kinds of version 0.1 first. */
export const sampleFolders = named.map((folder) => resolve(folder));

export const samplesPresent = sampleFolders.every((folder) => existsSync(folder));
export const samplesMissing = `NOT RUN: not all of ${sampleFolders.join(', ')} with the sample manifests are there`;

/**
 * What a sample itself has wrong: names that Kubernetes does not take, required fields that are missing, and two objects
 * for one resource of Azure.
 */
const wrong =
  /^(dbformariadb\S+ Configuration query_cache_size|redhatopenshift\S+ HcpOpenShift\S+ .*|\S+ Policy samplepolicy)$/;

/** Every object of the samples, unchanged, in the order of the files; what stands in several files is there once. */
export function readSamples(folders: readonly string[] = sampleFolders): KubeObject[] {
  const objects = new Map<string, KubeObject>();
  for (const folder of folders) {
    for (const file of globSync('**/*.yaml', { cwd: folder }).sort()) {
      for (const document of parseAllDocuments(readFileSync(join(folder, file), 'utf8'))) {
        const { metadata, ...rest } = document.toJS() as KubeObject;
        // kubectl adds its own namespace.
        const object: KubeObject = { ...rest, metadata: { namespace: 'default', ...metadata } };
        if (wrong.test(keyOf(object))) continue;
        objects.set(`${object.apiVersion} ${object.kind} ${object.metadata.name}`, object);
      }
    }
  }
  return [...objects.values()];
}

const groupOf = ({ apiVersion }: KubeObject) => apiVersion.split('/')[0] ?? '';
export const keyOf = (object: KubeObject) => `${groupOf(object)} ${object.kind} ${object.metadata.name}`;

/** Each object of the samples that is a resource of ARM, once, under the first version that its file has. */
export function newestSamples(folders: readonly string[] = sampleFolders): KubeObject[] {
  const objects = readSamples(folders).filter((object) => armKindOf(object)?.arm);
  return [...new Map([...objects].reverse().map((object) => [keyOf(object), object])).values()].reverse();
}

/**
 * The samples in groups of which each is applied alone: two samples that write the same Secret, or ConfigMap, come from
 * folders that nobody applies together.
 */
export function sampleGroups(samples: readonly KubeObject[]): KubeObject[][] {
  const groups: { readonly objects: KubeObject[]; readonly written: Set<string> }[] = [];
  for (const object of samples) {
    const written = destinationsOf(object);
    const free = groups.find((each) => written.every((name) => !each.written.has(name)));
    const group = free ?? { objects: [], written: new Set<string>() };
    if (!free) groups.push(group);
    group.objects.push(object);
    for (const name of written) group.written.add(name);
  }
  return groups.map(({ objects }) => objects);
}

/** The Secrets and ConfigMaps that an object writes. */
function destinationsOf(object: KubeObject): string[] {
  return [...new Set(exportsOf(object).map((id) => id.split(' ').slice(0, 2).join(' ')))];
}

export const armKindOf = (object: KubeObject): ArmKindDefinition | undefined =>
  tryKindOf(groupOf(object), object.kind) as ArmKindDefinition | undefined;

const metadata = (name: string) => ({ name, namespace: 'default' });
const anybody = '11111111-1111-4111-8111-111111111111';

/** Text that fits what samples read from ConfigMaps. */
const configValue = (key: string) => (/name|host|fqdn/i.test(key) ? 'sample' : anybody);

/** The objects that samples name but do not contain, and that no sample exports: made from the catalogue's data. */
export function presumedBy(samples: readonly KubeObject[], around: { subscriptionId: string; tenantId: string }) {
  const known = new Set(samples.map(keyOf));
  const exported = new Set(samples.flatMap(exportsOf));
  const values = new Map<string, KubeObject>();
  const made: KubeObject[] = [];
  const queue = [...samples];
  for (let object = queue.shift(); object; object = queue.shift()) {
    const kind = armKindOf(object);
    if (!kind?.arm) continue;
    const model = catalogueModel(kind);
    const owner = model.owner(object);
    for (const { group, kind: name, name: wanted } of objectLinks(model, object)) {
      if (group === '') continue;
      if (owner && 'kinds' in owner && owner.kinds.some((each) => known.has(`${owner.group} ${each} ${wanted}`))) {
        if (owner.kinds.includes(name)) continue;
      }
      const definition = armKinds.find((each) => each.group === group && each.kind === name);
      if (!definition || known.has(`${group} ${name} ${wanted}`)) continue;
      const extra = presumedObject(definition, wanted, around);
      known.add(keyOf(extra));
      made.push(extra);
      queue.push(extra);
    }
    for (const input of model.inputs(object)) {
      if (input.type !== 'secret' && input.type !== 'configMap') continue;
      const kindName = input.type === 'secret' ? 'Secret' : 'ConfigMap';
      const id = `${kindName} ${input.name}`;
      const isExported = [...exported].some((each) => each.startsWith(`${id} `));
      // Without a key, the input is all keys of the Secret.
      if (exported.has(`${id} ${input.key}`) || (input.key === undefined && isExported)) continue;
      const value = input.type === 'secret' ? 'Abcd-1234-efgh' : configValue(input.key);
      const found: KubeObject = values.get(id) ?? { apiVersion: 'v1', kind: kindName, metadata: metadata(input.name) };
      const member = input.type === 'secret' ? 'stringData' : 'data';
      values.set(id, { ...found, [member]: { ...(found[member] as object | undefined), [input.key ?? 'key']: value } });
    }
  }
  return [...values.values(), ...made];
}

function exportsOf(object: KubeObject): string[] {
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

/** One object of each kind of ARM that none of the objects has, made from the catalogue's data. */
export function otherKinds(objects: readonly KubeObject[], around: { subscriptionId: string; tenantId: string }) {
  const present = new Set(objects.map((object) => `${groupOf(object)} ${object.kind}`));
  return armKinds
    .filter(({ group, kind, arm }) => arm.dataPlane === undefined && !present.has(`${group} ${kind}`))
    .map((kind) => presumedObject(kind, exampleName(kind), around));
}

function presumedObject(kind: ArmKindDefinition, name: string, around: { subscriptionId: string; tenantId: string }) {
  const { arm } = kind;
  const owner =
    arm.owner &&
    (arm.owner.extension
      ? { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'aso-sample-rg' }
      : {
          name:
            arm.owner.kinds[0] === 'ResourceGroup' ? 'aso-sample-rg' : `presumed-${arm.owner.kinds[0]?.toLowerCase()}`,
        });
  const spec = { ...requiredFields(kind, { ...around, principalId: anybody }), ...(owner && { owner }) };
  const own = /StorageAccount$|^Registry$/.test(kind.kind) ? { azureName: name.replaceAll('-', '').slice(0, 24) } : {};
  return {
    apiVersion: `${kind.group}/${kind.versions[0]?.name}`,
    kind: kind.kind,
    metadata: metadata(name),
    spec: { ...spec, ...own },
  } as KubeObject;
}
