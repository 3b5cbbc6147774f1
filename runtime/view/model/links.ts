import type { ArmModel } from '../../arm-kinds/model.ts';
import { objectLinks } from '../../arm-kinds/object-links.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { Link } from './row.ts';

/** A link before its texts are cut and escaped. */
export interface RawLink {
  readonly type: Link['type'];
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Levels of a spec below which no reference is looked for. */
const deepest = 8;

/** The links of an object whose kind is an Azure resource: as the operator resolves them. None for an invalid spec. */
export function armLinks(model: ArmModel, object: KubeObject): RawLink[] {
  const { namespace = '' } = object.metadata;
  try {
    const links = objectLinks(model, object).filter(({ kind, name }) => kind && name);
    return [
      ...links.map(({ relation, ...to }): RawLink => {
        return { ...to, type: relation === 'config' ? 'configMap' : relation, namespace };
      }),
      ...managedSecrets(object, namespace),
    ];
  } catch {
    // A definition that was changed by hand lets any spec through; the operator reports it in the Ready condition.
    return [];
  }
}

function managedSecrets(object: KubeObject, namespace: string): RawLink[] {
  const list: unknown = object['spec']?.operatorSpec?.managedSecrets;
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry): RawLink[] => {
    const name: unknown = isObject(entry) ? entry['managedSecret'] : undefined;
    if (typeof name !== 'string') return [];
    return [{ type: 'reference', group: 'azimuth.dev', kind: 'ManagedSecret', namespace, name }];
  });
}

/** The links that `metadata.ownerReferences` names; the controller first. */
export function ownerReferenceLinks({ metadata }: KubeObject): RawLink[] {
  const { ownerReferences = [], namespace = '' } = metadata;
  return [...ownerReferences]
    .sort((a, b) => Number(b.controller ?? false) - Number(a.controller ?? false))
    .map(({ apiVersion, kind, name }): RawLink => {
      const group = apiVersion.includes('/') ? (apiVersion.split('/', 1)[0] ?? '') : '';
      return { type: 'owner', group, kind, namespace, name };
    });
}

/** Each member of a spec with group, kind and name, which is how the kinds without a model refer to objects. */
export function referenceLinks(object: KubeObject): RawLink[] {
  const namespace = object.metadata.namespace ?? '';
  const found: RawLink[] = [];
  const visit = (value: unknown, level: number): void => {
    if (level > deepest || typeof value !== 'object' || value === null) return;
    const link = isObject(value) ? referenceOf(value, namespace) : undefined;
    if (link) found.push(link);
    else for (const member of Object.values(value)) visit(member, level + 1);
  };
  visit(object['spec'], 0);
  return found;
}

function referenceOf({ group, kind, name }: JsonObject, namespace: string): RawLink | undefined {
  if (typeof group !== 'string' || typeof kind !== 'string' || typeof name !== 'string') return undefined;
  return { type: 'reference', group, kind, namespace, name };
}
