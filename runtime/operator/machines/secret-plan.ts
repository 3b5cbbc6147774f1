import { managedSecret } from '../../api/machines/managed-secret.ts';
import { type Delivery, type ManagedSecretReference, machineTypes } from '../../api/machines/secret-references.ts';
import type { ArmModel } from '../../arm-kinds/model.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { normalizeTexts } from '../../base/text/normalize.ts';
import { uncheckedQuota } from '../../compute/limits/quota.ts';
import { attachIdentities } from '../../compute/machines/machine-merge.ts';
import {
  type Machine,
  type MachineExtension,
  profilePath,
  type SecretUse,
} from '../../compute/machines/machine-model.ts';
import { machineKind, machineOf, passwordFromSecret } from '../../compute/machines/machine-of.ts';
import { planMachine } from '../../compute/machines/machine-plan.ts';
import { machineReferences } from '../../compute/machines/machine-references.ts';
import { passwordAnswer } from '../../compute/managed-secrets/passwords.ts';
import { type ComputeProblem, computeError } from '../../compute/problems/compute-problem.ts';
import { endsByItself } from '../../compute/problems/problem-names.ts';
import type { Edge, Wait } from '../../engine/index.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { ManagedSecrets, ResolvedSecret } from '../managed-secrets/resolver.ts';
import { nodeId } from '../objects/node-id.ts';

/** One entry of `operatorSpec.managedSecrets` with the version that it resolved to. */
export interface WantedSecret {
  readonly name: string;
  readonly delivery: Delivery;
  readonly number: number;
  /** Stale: the region of the machine has not got the newest version. */
  readonly state: 'Current' | 'Stale';
}

/** The part of a request that brings ManagedSecrets to a machine. */
export interface PlannedMachine {
  readonly kind: Machine['kind'];
  readonly secrets: readonly WantedSecret[];
  /** Of a virtual machine: children that are sent after it. */
  readonly extensions: readonly (MachineExtension & { readonly location: string })[];
  readonly warnings: readonly ComputeProblem[];
}

/** A plan with the merged body, or the waits of the machine: for ManagedSecrets, or for the correction of a problem. */
export type SecretPlan =
  | { readonly waits: readonly Wait[] }
  | { readonly waits: readonly []; readonly body: JsonObject; readonly machine: PlannedMachine };

/** The input of a plan besides the object. */
export interface SecretPlanInput {
  readonly secrets: Pick<ManagedSecrets, 'resolve'>;
  /** Body of the PUT without ManagedSecrets. */
  readonly body: JsonObject;
  readonly subscriptionId: string;
  readonly exists: boolean;
  /** Throws ScopeNotAllowed for an ARM id that the object may not reach. */
  readonly checkReach: (armId: string) => void;
  /** ARM ids of identities that stay attached beside the current one of a ManagedSecret. */
  readonly earlier: (name: string, id: string, number: number) => Iterable<string>;
}

/** Whether the objects of a kind are machines, which may have ManagedSecrets. */
export function isMachine(model: ArmModel): boolean {
  return machineTypes.includes(model.definition.arm?.armType ?? '');
}

/** The entries of a machine's `operatorSpec.managedSecrets`; none for other kinds. */
export function secretReferences(model: ArmModel, object: KubeObject): readonly ManagedSecretReference[] {
  if (!isMachine(model)) return [];
  const spec: unknown = object['spec'];
  const operatorSpec = isObject(spec) ? spec['operatorSpec'] : undefined;
  const list = isObject(operatorSpec) ? operatorSpec['managedSecrets'] : undefined;
  return Array.isArray(list) ? normalizeTexts(list as ManagedSecretReference[]) : [];
}

/** The edges to the ManagedSecrets that a machine names, existing or not. */
export function secretEdges(
  references: readonly ManagedSecretReference[],
  { metadata: { namespace = '' } }: KubeObject,
): Edge[] {
  const names = [...new Set(references.map((each) => each.managedSecret))];
  return names.map((name) => ({ kind: 'reference', to: secretNode(namespace, name) }));
}

/** The node of a ManagedSecret in the dependency graph. */
export function secretNode(namespace: string, name: string): string {
  return nodeId(managedSecret.group, managedSecret.kind, { namespace, name });
}

/** Resolves the references of a machine, and merges the results into its body. */
export function planSecrets(
  model: ArmModel,
  object: KubeObject,
  references: readonly ManagedSecretReference[],
  { secrets, body, subscriptionId, exists, checkReach, earlier }: SecretPlanInput,
): SecretPlan {
  const { namespace = '' } = object.metadata;
  const armType = model.armType(object);
  const location = typeof body['location'] === 'string' ? body['location'] : '';
  const waits: Wait[] = [];
  const wanted: WantedSecret[] = [];
  const uses: SecretUse[] = [];
  const attached: string[] = [];
  for (const reference of references) {
    const { managedSecret: name, delivery } = reference;
    const resolved = secrets.resolve(namespace, name, {
      location,
      subscription: subscriptionId,
      machine: object.metadata.name,
      delivery,
    });
    if (!resolved.ok) {
      const { reason, message } = resolved;
      // A closed gate is one message for all entries.
      if (!waits.some((wait) => wait.message === message))
        waits.push({ kind: 'reference', node: secretNode(namespace, name), reason, message });
      continue;
    }
    const { number, state, identity } = resolved.secret;
    wanted.push({ name, delivery, number, state });
    if (identity && delivery === 'Identity') attached.push(...earlier(name, identity.id, number));
    uses.push(useOf(reference, resolved.secret));
  }
  if (waits.length > 0) return { waits };
  const secretUrl = uses.find(({ version }) => version)?.version?.secretUrl;
  const machine = machineOf(armType, body, { subscriptionId, exists, secretUrl });
  const plan = planMachine(machine, uses);
  const problems = [...plan.problems, ...passwordProblems(machine), ...uncheckedQuota(machine)];
  const errors = problems.filter(({ severity }) => severity === 'Error');
  if (errors.length > 0 || !plan.body) {
    const node = secretNode(namespace, references[0]?.managedSecret ?? '');
    return { waits: [waitForErrors(errors, node)] };
  }
  // After the plan, in which one identity alone reads the vaults.
  const merged: Machine = { ...machine, body: attachIdentities(plan.body, attached), extensions: plan.extensions };
  for (const { id } of machineReferences(merged)) checkReach(id);
  const warnings = problems.filter(({ severity }) => severity === 'Warning');
  return {
    waits: [],
    body: merged.body,
    machine: { kind: machineKind(armType), secrets: wanted, extensions: plan.extensions, warnings },
  };
}

function useOf(
  { managedSecret, delivery, certificateStore }: ManagedSecretReference,
  secret: ResolvedSecret,
): SecretUse {
  const { number: _, state: __, ...resolved } = secret;
  return { name: managedSecret, delivery, ...(certificateStore !== undefined && { certificateStore }), ...resolved };
}

/** The wait of a machine whose ManagedSecrets cannot be delivered. */
function waitForErrors(errors: readonly ComputeProblem[], node: string): Wait {
  const message = errors.map(({ name, path, message: text }) => `${name}: ${path}: ${text}`).join('; ');
  const needsEdit = errors.some(({ name }) => !endsByItself.has(name));
  return { kind: 'reference', node, reason: errors[0]?.name ?? 'Failed', message, needsEdit };
}

/** A password from a Secret is hidden in the body; the message does not have it. */
function passwordProblems(machine: Machine): ComputeProblem[] {
  const password = passwordFromSecret(machine);
  const azure = password === undefined ? undefined : passwordAnswer(machine.os, password);
  if (!azure) return [];
  const path = `${profilePath(machine)}.osProfile.adminPassword`;
  return [computeError('AdminPasswordInvalid', path, `Azure refuses it: ${azure.message} Set another one.`, azure)];
}
