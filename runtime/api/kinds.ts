import { AzimuthError } from '../base/errors.ts';
import { armResource } from './arm/arm-resource.ts';
import { armKindDefinition } from './arm-kind.ts';
import { readArmKind, readArmKindNames } from './arm-kind-data.ts';
import { computeApproval } from './deployments/compute-approval.ts';
import { computeDeployment } from './deployments/compute-deployment.ts';
import { computeRun } from './deployments/compute-run.ts';
import { featureApproval, featureRegistration } from './machines/features.ts';
import { managedSecret } from './machines/managed-secret.ts';
import { azureAssignedIdentity } from './pod-identity/azure-assigned-identity.ts';
import { azureIdentity } from './pod-identity/azure-identity.ts';
import { azureIdentityBinding } from './pod-identity/azure-identity-binding.ts';
import { azurePodIdentityException } from './pod-identity/azure-pod-identity-exception.ts';
import { storedVersion } from './preferred-version.ts';
import type { ArmKind, KindDefinition, ServedResource } from './types.ts';

/** A kind that is one Azure resource. */
export type ArmKindDefinition = KindDefinition & { readonly arm: ArmKind; readonly armType: string };

/** The kinds of AAD Pod Identity. */
export const podIdentityKinds: readonly KindDefinition[] = [
  azureIdentity,
  azureIdentityBinding,
  azureAssignedIdentity,
  azurePodIdentityException,
];

/** The kinds of the catalogue, in ASO v2's shape. The data of each are read when somebody asks for them. */
export const armKinds: readonly ArmKindDefinition[] = readArmKindNames().map((names) =>
  armKindDefinition(names, () => readArmKind(names)),
);

/** The kinds that the operator reconciles. */
export const operatorKinds: readonly KindDefinition[] = [armResource, ...armKinds];

/** The kinds of machines with secrets; the operator reconciles them where that is switched on. */
export const machineKinds: readonly KindDefinition[] = [managedSecret, featureRegistration, featureApproval];

/** The kinds of deployments into several locations; the operator reconciles them where that is switched on. */
export const deploymentKinds: readonly KindDefinition[] = [computeApproval, computeDeployment, computeRun];

/** Every kind Azimuth serves; the CRDs are these. */
export const allKinds: readonly KindDefinition[] = [
  ...podIdentityKinds,
  ...operatorKinds,
  ...machineKinds,
  ...deploymentKinds,
];

const byArmType = Map.groupBy(armKinds, ({ armType }) => armType.toLowerCase());

/** The kinds of the catalogue for an ARM type, whose case does not matter; none for a type without a kind. */
export function armKindsOfType(armType: string): readonly ArmKindDefinition[] {
  return byArmType.get(armType.toLowerCase()) ?? [];
}

const byKind = new Map(allKinds.map((kind) => [`${kind.group}/${kind.kind}`, kind]));
const byPlural = new Map(allKinds.map((kind) => [`${kind.group}/${kind.plural}`, kind]));

/** The kind, or undefined when Azimuth does not serve it. `group` without version; case matters. */
export function tryKindOf(group: string, kind: string): KindDefinition | undefined {
  return byKind.get(`${group}/${kind}`);
}

/** @throws AzimuthError AZ_KIND_UNKNOWN */
export function kindOf(group: string, kind: string): KindDefinition {
  return tryKindOf(group, kind) ?? unknown(`kind ${kind}`, group);
}

/** The kind by its plural, as URLs and RBAC rules name it. */
export function tryKindByResource(group: string, plural: string): KindDefinition | undefined {
  return byPlural.get(`${group}/${plural}`);
}

/** @throws AzimuthError AZ_KIND_UNKNOWN */
export function kindByResource(group: string, plural: string): KindDefinition {
  return tryKindByResource(group, plural) ?? unknown(`resource ${plural}`, group);
}

function unknown(what: string, group: string): never {
  const served = allKinds.filter((kind) => kind.group === group).map(({ kind }) => kind);
  const known = served.length > 0 ? `it has ${served.join(', ')}` : 'no kind of that group is served';
  throw new AzimuthError('AZ_KIND_UNKNOWN', `Expected a ${what} of the group ${group} that Azimuth serves: ${known}`);
}

/** The kind under its stored version, as the Kubernetes client addresses it. */
export function resourceOf(kind: KindDefinition): ServedResource {
  const { group, plural, namespaced } = kind;
  return { group, version: storedVersion(kind), plural, kind: kind.kind, namespaced };
}

/** All kinds under their stored versions. */
export const resourceTypes: readonly ServedResource[] = allKinds.map(resourceOf);
