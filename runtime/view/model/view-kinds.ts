import { allKinds, armKinds, resourceOf } from '../../api/kinds.ts';
import { armResourceModel } from '../../arm-kinds/arm-resource.ts';
import { catalogueModel } from '../../arm-kinds/catalogue-kind.ts';
import type { ArmModel } from '../../arm-kinds/model.ts';
import type { KubeObject, ResourceType } from '../../kube/client/types.ts';
import { armLinks, ownerReferenceLinks, type RawLink, referenceLinks } from './links.ts';
import { podIdentityLinks } from './pod-identity-links.ts';
import type { Row } from './row.ts';
import { rowOf } from './row-of.ts';
import { csiGroup, volumeRows } from './volumes.ts';

/** A kind of the API server and the rows that its objects make. */
export interface ViewKind {
  /** Under its stored version; the API server may serve another one only. */
  readonly type: ResourceType;
  readonly shortNames: readonly string[];
  /** The rows of an object: one, but one for each volume of a pod. Never throws. */
  rowsOf(object: KubeObject): Row[];
}

const single = (linksOf: (object: KubeObject) => RawLink[]) => (object: KubeObject) => [
  rowOf(object, [...linksOf(object), ...ownerReferenceLinks(object)]),
];

function ownKinds(): ViewKind[] {
  const models = new Map<string, () => ArmModel>(
    armKinds.map((kind) => [`${kind.group}/${kind.kind}`, () => catalogueModel(kind)]),
  );
  const { group, kind } = armResourceModel.definition;
  models.set(`${group}/${kind}`, () => armResourceModel);
  return allKinds.map((definition): ViewKind => {
    const { group, kind, shortNames } = definition;
    const create = models.get(`${group}/${kind}`);
    let model: ArmModel | undefined;
    const identity = podIdentityLinks[kind];
    const linksOf = (object: KubeObject): RawLink[] => {
      model ??= create?.();
      if (model) return armLinks(model, object);
      return group === 'aadpodidentity.k8s.io' && identity ? identity(object) : referenceLinks(object);
    };
    return { type: resourceOf(definition), shortNames, rowsOf: single(linksOf) };
  });
}

const secretProviderClass: ResourceType = {
  group: csiGroup,
  version: 'v1',
  plural: 'secretproviderclasses',
  kind: 'SecretProviderClass',
  namespaced: true,
};
const pods: ResourceType = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };

/**
 * The kinds that the tree and the page show: all that Azimuth serves, the SecretProviderClasses of the CSI driver, and
 * pods for their Key Vault volumes. Secrets and ConfigMaps are never read.
 */
export const viewKinds: readonly ViewKind[] = [
  ...ownKinds(),
  { type: secretProviderClass, shortNames: [], rowsOf: single(() => []) },
  { type: pods, shortNames: ['po'], rowsOf: volumeRows },
];
