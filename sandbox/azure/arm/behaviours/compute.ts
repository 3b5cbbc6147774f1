import { refuse } from '../../exchange.ts';
import { at, type Json, objectOf, stringOf } from '../../json.ts';
import type { Behaviour, BehaviourContext, OperationFailure, WriteContext } from '../behaviour.ts';
import { checkImage } from '../compute/images.ts';
import {
  applyModel,
  cacheSecrets,
  countInstances,
  hasModel,
  powerOf,
  resize,
  uncachedSecrets,
} from '../compute/instances.ts';
import { instanceActions, machineActions, refuseWhileRolling, scaleSetActions } from '../compute/machine-actions.ts';
import { uniformView } from '../compute/machine-view.ts';
import { checkUpgradePolicy, upgradeMode } from '../compute/policy-checks.ts';
import { machineType, profileOf, scaleSetType, secretReferences, settingsReference } from '../compute/profile.ts';
import { startUpgrade } from '../compute/rolling-upgrade.ts';
import { extensionsOf, findSet, instancesOf, modelOf, setOf } from '../compute/scale-set-model.ts';
import { checkExtensionSecrets, checkMachineSecrets } from '../compute/secret-form.ts';
import { checkQuota } from '../compute/usages.ts';
import { readSecrets } from '../compute/vault-reads.ts';
import type { StoredResource } from '../resources/stored-resources.ts';

const asynchronous = { poll: 'status', retryAfterSeconds: 10 } as const;

const compute = {
  create: { status: 201, ...asynchronous },
  update: { status: 200, ...asynchronous },
  remove: { status: 202, poll: 'both', retryAfterSeconds: 10, final: 200 },
} as const satisfies Partial<Behaviour>;

/** The secrets of a write that Compute reads out of a vault when it has accepted the write. */
function machineFailure(context: WriteContext): OperationFailure | undefined {
  const { path, request, existing, state } = context;
  const named = secretReferences(profileOf(path.type, request));
  const kept = existing ? extensionsOf(existing.id, state) : [];
  const secrets = [...named, ...kept.flatMap(({ system }) => settingsReference(objectOf(system['request'])))];
  const set = existing && path.type.toLowerCase() === scaleSetType.toLowerCase();
  const missing = set ? uncachedSecrets(existing, secrets, state) : secrets;
  return readSecrets(missing, stringOf(request['location']), context);
}

/** An extension's settings are read in the region of the machine it is part of. */
function extensionFailure(context: WriteContext): OperationFailure | undefined {
  const machine = context.state.resources.get(context.path.parentId ?? '');
  return readSecrets(settingsReference(context.request), stringOf(machine?.body['location']), context);
}

/** A set after a write: its instances, and how they get its model. */
function scaleSetWritten(set: StoredResource, context: BehaviourContext): void {
  resize(set, context);
  cacheSecrets(set, context.state);
  bringModel(set, context);
}

function bringModel(set: StoredResource, context: BehaviourContext): void {
  const mode = upgradeMode(set.body);
  if (mode === 'Rolling') startUpgrade(set, context);
  if (mode !== 'Automatic') return;
  const model = modelOf(set, context.state);
  for (const instance of instancesOf(set, context.state)) {
    if (!hasModel(instance, model)) applyModel(instance, set, model);
  }
}

/** A set whose own write runs takes its extensions along when that ends. */
function extensionWritten(extension: StoredResource, context: BehaviourContext): void {
  const set = findSet(extension.id.split('/').slice(0, -2).join('/'), context.state);
  if (!set || set.operationId !== undefined || at(set.body, 'properties.provisioningState') === 'Failed') return;
  bringModel(set, context);
}

function checkCapacity({ request }: WriteContext): void {
  const capacity = at(request, 'sku.capacity');
  if (capacity === undefined) return;
  const most = at(request, 'properties.singlePlacementGroup') === true ? 100 : 1000;
  if (Number.isInteger(capacity) && Number(capacity) >= 0 && Number(capacity) <= most) return;
  const message = `The value '${String(capacity)}' of parameter 'sku.capacity' is out of range. The value must be between 0 and ${most}.`;
  throw refuse(400, 'InvalidParameter', message, { target: 'sku.capacity' });
}

/** A machine that runs stays in its proximity placement group. */
function checkPlacement({ request, existing, path }: WriteContext): void {
  const [now, before] = [request, existing?.system['request']].map((body) =>
    stringOf(at(body, 'properties.proximityPlacementGroup.id')).toLowerCase(),
  );
  if (!existing || now === before || powerOf(existing) === 'deallocated') return;
  const message = `Proximity placement group of VM '${path.name}' cannot be changed while it is running. Deallocate it first.`;
  throw refuse(409, 'OperationNotAllowed', message, { target: 'proximityPlacementGroup' });
}

/** The operating system's disk of an image: its system, and the size that Azure's images have. */
function osDiskOf(request: Json): Json {
  const disk = objectOf(at(request, 'properties.storageProfile.osDisk'));
  const image = objectOf(at(request, 'properties.storageProfile.imageReference'));
  if (disk['createOption'] !== 'FromImage') return {};
  const isWindows =
    at(request, 'properties.osProfile.windowsConfiguration') !== undefined ||
    /windows|visualstudio/i.test(`${stringOf(image['publisher'])} ${stringOf(image['offer'])}`);
  const osDisk = isWindows ? { osType: 'Windows', diskSizeGB: 127 } : { osType: 'Linux', diskSizeGB: 30 };
  return { properties: { storageProfile: { osDisk } } };
}

/** Microsoft.Compute. */
export const computeBehaviours: readonly Behaviour[] = [
  {
    ...compute,
    type: machineType,
    omitsEmpty: ['properties.additionalCapabilities'],
    writeOnly: ['properties.osProfile.adminPassword', 'properties.osProfile.customData', 'properties.userData'],
    longActions: machineActions,
    validate(context) {
      checkMachineSecrets(context);
      checkImage(context);
      checkQuota(context);
      checkPlacement(context);
    },
    failure: machineFailure,
    defaults: ({ request }) => osDiskOf(request),
    computed({ system, ids }) {
      system['vmId'] ??= ids.uuid();
      return { properties: { vmId: system['vmId'] } };
    },
    removed(resource, { state }) {
      const set = at(resource.body, 'properties.virtualMachineScaleSet.id') ? setOf(resource, state) : undefined;
      if (set && resource.system['model'] !== undefined) countInstances(set, state);
    },
  },
  {
    ...compute,
    type: scaleSetType,
    omitsEmpty: ['properties.additionalCapabilities'],
    embeds: [{ member: 'virtualMachineProfile.extensionProfile.extensions', childType: 'extensions', bare: true }],
    keeps: ['properties', 'properties.virtualMachineProfile'],
    writeOnly: [
      'properties.virtualMachineProfile.osProfile.adminPassword',
      'properties.virtualMachineProfile.osProfile.customData',
      'properties.virtualMachineProfile.userData',
      'properties.virtualMachineProfile.extensionProfile.extensions.properties.protectedSettings',
    ],
    longActions: scaleSetActions,
    validate(context) {
      refuseWhileRolling(context.existing);
      const children = context.existing ? extensionsOf(context.existing.id, context.state) : [];
      checkUpgradePolicy(
        context.request,
        children.map(({ body }) => body),
      );
      checkCapacity(context);
      checkMachineSecrets(context);
      checkImage(context);
      checkQuota(context);
    },
    failure: machineFailure,
    written: scaleSetWritten,
    computed({ system, ids }) {
      system['uniqueId'] ??= ids.uuid();
      return { properties: { uniqueId: system['uniqueId'] } };
    },
    removed(set, { state }) {
      for (const { id } of instancesOf(set, state)) state.resources.delete(id);
    },
  },
  {
    ...compute,
    type: 'Microsoft.Compute/virtualMachineScaleSets/virtualMachines',
    tracked: false,
    longActions: instanceActions,
    validate({ existing, path }) {
      if (!existing) throw refuse(404, 'NotFound', `The VM instance '${path.name}' does not exist.`);
    },
    view(resource, { state }) {
      const set = setOf(resource, state);
      return set ? uniformView(resource, set, modelOf(set, state)) : resource.body;
    },
    removed(resource, { state }) {
      const set = setOf(resource, state);
      if (set) countInstances(set, state);
    },
  },
  {
    ...compute,
    type: 'Microsoft.Compute/virtualMachines/extensions',
    tracked: true,
    writeOnly: ['properties.protectedSettings'],
    validate: checkExtensionSecrets,
    failure: extensionFailure,
  },
  {
    ...compute,
    type: 'Microsoft.Compute/virtualMachineScaleSets/extensions',
    writeOnly: ['properties.protectedSettings'],
    validate(context) {
      refuseWhileRolling(findSet(context.path.parentId ?? '', context.state));
      checkExtensionSecrets(context);
    },
    failure: extensionFailure,
    written: extensionWritten,
    removed: extensionWritten,
  },
];
