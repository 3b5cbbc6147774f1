import type { ManagedSecretReference } from '../../api/machines/secret-references.ts';
import type { ArmModel } from '../../arm-kinds/model.ts';
import { annotations } from '../../arm-kinds/names.ts';
import { tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { AzimuthError } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { locationKey } from '../../compute/features/features.ts';
import type { Graph, Wait } from '../../engine/index.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { featureNode, nodeOf } from '../objects/node-id.ts';
import { recordUses } from './delivery-memory.ts';
import { earlierIdentities } from './earlier-identities.ts';
import type { MachineSecrets } from './machine-secrets.ts';
import { isMachine, type PlannedMachine, planSecrets } from './secret-plan.ts';

/** The part of the operator's context that a machine's body needs. */
export interface MachineBodyDeps {
  readonly machines?: MachineSecrets | undefined;
  readonly graph: Graph;
}

/** The input of `machineBody` besides object and body. */
export interface MachineBodyInput {
  readonly references: readonly ManagedSecretReference[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Undefined while the owner is unknown. */
  readonly resourceId: string | undefined;
  /** Throws ScopeNotAllowed for an ARM id that the object may not reach. */
  readonly checkReach: (armId: string) => void;
}

/** The body to declare, and the waits that keep it from being sent. */
export interface MachineBody {
  readonly declared: JsonObject | undefined;
  readonly machine?: PlannedMachine;
  readonly machineWaits: readonly Wait[];
}

/**
 * The body of an object with its ManagedSecrets in it: the object's own body for any other kind. Throws AZ_TERMINAL for a
 * machine with ManagedSecrets while their delivery is off.
 */
export function machineBody(
  { machines, graph }: MachineBodyDeps,
  model: ArmModel,
  object: KubeObject,
  declaredIdentity: JsonObject | undefined,
  { references, resourceId, checkReach, now }: MachineBodyInput,
): MachineBody {
  if (references.length > 0 && !machines) throw deliveryIsOff();
  if (!machines || !isMachine(model)) return { declared: declaredIdentity, machineWaits: [] };
  const memory = machines.of(object);
  const names = references.map((each) => each.managedSecret);
  const { location } = isObject(object['spec']) ? object['spec'] : {};
  machines.plan(memory, names, locationKey(typeof location === 'string' ? location : ''));
  const subscriptionId = tryParseResourceId(resourceId ?? '')?.subscriptionId ?? '';
  memory.subscription = subscriptionId.toLowerCase();
  if (references.length === 0 || declaredIdentity === undefined)
    return { declared: declaredIdentity, machineWaits: [] };
  const node = nodeOf(object);
  // Set before the gate is read, so that no change is missed.
  graph.set(node, [...graph.dependencies(node), { kind: 'feature', to: featureNode(subscriptionId) }]);
  const exists = object.metadata.annotations?.[annotations.applied] !== undefined;
  const { secrets } = machines;
  const earlier = (name: string, id: string, number: number) =>
    earlierIdentities(memory, name, { id, number }, now).keys();
  const plan = planSecrets(model, object, references, {
    secrets,
    body: declaredIdentity,
    subscriptionId,
    exists,
    checkReach,
    earlier,
  });
  if (!('body' in plan)) return { declared: undefined, machineWaits: plan.waits };
  const { machine } = plan;
  recordUses(memory, new Map(machine.secrets.map(({ name, number }) => [name, number])));
  return { declared: plan.body, machine, machineWaits: [] };
}

function deliveryIsOff(): AzimuthError {
  return new AzimuthError(
    'AZ_TERMINAL',
    'spec.operatorSpec.managedSecrets needs the delivery of secrets to machines, which is off: start the operator with ' +
      '--machine-secrets (AZIMUTH_MACHINE_SECRETS=true), or remove the entries',
  );
}
