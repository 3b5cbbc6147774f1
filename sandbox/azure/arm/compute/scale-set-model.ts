import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../../runtime/base/json.ts';
import { at, type Json, objectOf, stringOf } from '../../json.ts';
import type { SandboxState } from '../../state.ts';
import type { StoredResource } from '../resources/stored-resources.ts';
import {
  instanceType,
  machineType,
  profileOf,
  type SecretReference,
  secretReferences,
  settingsReference,
} from './profile.ts';

/** The model of a set, as its instances get it. */
export interface Model {
  readonly hash: string;
  readonly osProfile: Json;
  readonly storageProfile: Json;
  readonly extensions: readonly Json[];
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Whether the instances of a set are virtual machines of their own. */
export const isFlexible = ({ body }: StoredResource): boolean =>
  stringOf(at(body, 'properties.orchestrationMode')) === 'Flexible';

/** The scale set with this id, in any case of letters. */
export const findSet = (id: string, state: SandboxState): StoredResource | undefined => state.resources.get(id);

/** The children of a set that are extensions. */
export function extensionsOf(setId: string, state: SandboxState): StoredResource[] {
  return state.resources.below(`${setId}/extensions`);
}

/** The instances of a set, oldest first. */
export function instancesOf(set: StoredResource, state: SandboxState): StoredResource[] {
  if (isFlexible(set)) {
    const inSet = ({ body }: StoredResource) =>
      same(stringOf(at(body, 'properties.virtualMachineScaleSet.id')), set.id);
    return state.resources.ofType(machineType).filter(inSet);
  }
  const prefix = `${set.id.toLowerCase()}/virtualmachines/`;
  return state.resources.ofType(instanceType).filter(({ id }) => id.toLowerCase().startsWith(prefix));
}

/** The set that an instance belongs to. */
export function setOf(instance: StoredResource, state: SandboxState): StoredResource | undefined {
  const named = stringOf(at(instance.body, 'properties.virtualMachineScaleSet.id'));
  return findSet(named || instance.id.split('/').slice(0, -2).join('/'), state);
}

/** The model of a set as its last write left it. Passwords reach new instances only, and make no new model. */
export function modelOf(set: StoredResource, state: SandboxState): Model {
  const {
    osProfile,
    storageProfile,
    extensionProfile: _,
    ...rest
  } = profileOf(set.type, objectOf(set.system['request']));
  const { adminPassword: __, ...login } = objectOf(osProfile);
  const extensions = extensionsOf(set.id, state)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, system }) => ({ name, ...objectOf(system['request']) }));
  const size = stringOf(at(set.body, 'sku.name'));
  const hashed = canonicalJson({ login, storageProfile, rest, extensions, size });
  const hash = createHash('sha256').update(hashed).digest('hex');
  return { hash, osProfile: login, storageProfile: objectOf(storageProfile), extensions };
}

/** The secrets that the model of a set names, those of its extensions included. */
export function secretsOf(set: StoredResource, state: SandboxState): SecretReference[] {
  const { osProfile, extensions } = modelOf(set, state);
  return [...secretReferences({ osProfile }), ...extensions.flatMap(settingsReference)];
}
