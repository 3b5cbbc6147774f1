import { refuse } from '../../exchange.ts';
import { objectOf, stringOf } from '../../json.ts';
import type { ActionContext, LongAction, OperationFailure } from '../behaviour.ts';
import type { StoredResource } from '../resources/stored-resources.ts';
import {
  applyModel,
  cacheSecrets,
  countInstances,
  dropInstance,
  instanceIdOf,
  isProtected,
  type Power,
  powerOf,
  uncachedSecrets,
} from './instances.ts';
import { profileOf, secretReferences } from './profile.ts';
import { cancelUpgrade, isRolling, startUpgrade } from './rolling-upgrade.ts';
import { instancesOf, modelOf, secretsOf, setOf } from './scale-set-model.ts';
import { readSecrets } from './vault-reads.ts';

/** Azure's answer to every write of a set while an upgrade runs. */
export function refuseWhileRolling(set: StoredResource | undefined): void {
  if (!isRolling(set)) return;
  throw refuse(
    409,
    'OperationNotAllowed',
    'Virtual Machine Scale Set updates are not allowed while there is a Rolling Upgrade in progress. Please cancel Rolling Upgrade operation to continue with updates.',
  );
}

type Work = (instance: StoredResource, set: StoredResource, context: ActionContext) => void;

const power =
  (state: Power): Work =>
  (instance) => {
    instance.system['power'] = state;
  };

const upgrade: Work = (instance, set, { state }) => {
  if (!isProtected(instance)) applyModel(instance, set, modelOf(set, state));
};

/** The disk is new: problems of the guest are gone, and the machine has the set's model. */
const reimage: Work = (instance, set, context) => {
  delete instance.system['health'];
  upgrade(instance, set, context);
};

/** The effect of each call on an instance. `named`: the request must list instances. */
const works: Readonly<Record<string, { readonly work: Work; readonly named?: boolean }>> = {
  manualupgrade: { work: upgrade, named: true },
  delete: { work: (instance, _set, { state }) => dropInstance(instance, state), named: true },
  reimage: { work: reimage },
  reimageall: { work: reimage },
  start: { work: power('running') },
  restart: { work: () => undefined },
  redeploy: { work: () => undefined },
  poweroff: { work: power('stopped') },
  deallocate: { work: power('deallocated') },
};

/** The instances that the request names; all where it names none or `*`. */
function chosen({ resource, request, state }: ActionContext, named: boolean): StoredResource[] {
  const all = instancesOf(resource, state);
  const ids = request['instanceIds'];
  if (ids === undefined && !named) return all;
  if (!Array.isArray(ids) || ids.length === 0) {
    throw refuse(400, 'InvalidParameter', "Required parameter 'instanceIds' is missing (null).", {
      target: 'instanceIds',
    });
  }
  if (ids.includes('*')) return all;
  return ids.map((id) => {
    const found = all.find((instance) => instanceIdOf(instance).toLowerCase() === stringOf(id).toLowerCase());
    if (found) return found;
    throw refuse(
      400,
      'InvalidParameter',
      `The provided instanceId ${String(id)} is not an active Virtual Machine Scale Set VM instanceId.`,
      { target: 'instanceIds' },
    );
  });
}

/** A set without running instances has no copies of its secrets: a start reads the vaults again. */
function startFailure(set: StoredResource, context: ActionContext): OperationFailure | undefined {
  const missing = uncachedSecrets(set, secretsOf(set, context.state), context.state);
  return readSecrets(missing, stringOf(set.body['location']), context);
}

function setAction(name: string, { work, named = false }: (typeof works)[string]): LongAction {
  return {
    word: 'InProgress',
    check(context) {
      if (name === 'manualupgrade') refuseWhileRolling(context.resource);
      chosen(context, named);
    },
    ...(name === 'start' && { failure: (context) => startFailure(context.resource, context) }),
    end(context) {
      const set = context.resource;
      const present = new Set(instancesOf(set, context.state).map(instanceIdOf));
      const ids = context.request['instanceIds'];
      const gone = Array.isArray(ids) && ids.some((id) => id !== '*' && !present.has(stringOf(id)));
      if (gone) return;
      for (const instance of chosen(context, named)) work(instance, set, context);
      if (name === 'delete') countInstances(set, context.state);
      if (name === 'start') cacheSecrets(set, context.state);
    },
  };
}

const rollingUpgrade: LongAction = {
  word: 'InProgress',
  check: ({ resource }) => refuseWhileRolling(resource),
  end: (context) => startUpgrade(context.resource, context),
};

/** POST actions on a scale set. */
export const scaleSetActions: Readonly<Record<string, LongAction>> = {
  ...Object.fromEntries(Object.entries(works).map(([name, row]) => [name, setAction(name, row)])),
  'rollingupgrades/cancel': {
    word: 'InProgress',
    check({ resource }) {
      if (isRolling(resource)) return;
      throw refuse(409, 'OperationNotAllowed', 'There is no ongoing Rolling Upgrade to cancel.');
    },
    end: ({ resource, now }) => cancelUpgrade(resource, now),
  },
  extensionrollingupgrade: rollingUpgrade,
  osrollingupgrade: rollingUpgrade,
};

/** POST actions on an instance of a Uniform set. */
export const instanceActions: Readonly<Record<string, LongAction>> = Object.fromEntries(
  Object.entries(works)
    .filter(([name]) => name !== 'manualupgrade' && name !== 'delete')
    .map(([name, { work }]) => [
      name,
      {
        word: 'InProgress',
        check: () => undefined,
        ...(name === 'start' && {
          failure: (context: ActionContext) => {
            const set = setOf(context.resource, context.state);
            return set && startFailure(set, context);
          },
        }),
        end(context: ActionContext) {
          const set = setOf(context.resource, context.state);
          if (set) work(context.resource, set, context);
          if (set && name === 'start') cacheSecrets(set, context.state);
        },
      },
    ]),
);

function machineAction(name: string, state: Power | undefined): LongAction {
  return {
    word: 'InProgress',
    check: () => undefined,
    ...(name === 'start' && {
      failure(context: ActionContext) {
        const { resource } = context;
        if (powerOf(resource) !== 'deallocated') return undefined;
        const secrets = secretReferences(profileOf(resource.type, objectOf(resource.system['request'])));
        return readSecrets(secrets, stringOf(resource.body['location']), context);
      },
    }),
    end({ resource }) {
      if (state !== undefined) resource.system['power'] = state;
    },
  };
}

/** POST actions on a virtual machine. */
export const machineActions: Readonly<Record<string, LongAction>> = {
  start: machineAction('start', 'running'),
  poweroff: machineAction('poweroff', 'stopped'),
  deallocate: machineAction('deallocate', 'deallocated'),
  restart: machineAction('restart', undefined),
  redeploy: machineAction('redeploy', undefined),
  reapply: machineAction('reapply', undefined),
};
