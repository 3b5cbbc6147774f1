import type { JsonObject } from '../../base/json.ts';
import type { RollInstance } from '../../compute/rolls/instance-counts.ts';
import type { Delivery } from './delivery.ts';

/** Milliseconds after which the time of the last read is written although nothing else has changed. */
const refreshMs = 3_600_000;

/**
 * `status.managedSecrets` of a machine: the versions that it is to have, how many instances have them, and whether a new
 * instance gets them while the vault cannot be reached.
 */
export function deliveryStatus(
  { machine, memory }: Pick<Delivery, 'machine' | 'memory'>,
  instances: readonly RollInstance[],
  now: number,
): JsonObject {
  const upToDate = instances.filter(({ latestModelApplied }) => latestModelApplied);
  const secretsStatus: JsonObject = {
    wanted: machine.secrets.map(({ name, delivery, number, state }) => ({
      managedSecret: name,
      delivery,
      version: number,
      state,
    })),
    instances: {
      total: instances.length,
      upToDate: upToDate.length,
      unhealthy: instances.filter(({ healthy, running }) => running && !healthy).length,
    },
    ...(machine.kind === 'VirtualMachineScaleSet' && { scaleOutWithoutVault: scaleOut(machine, upToDate) }),
  };
  const { lastRead, ...before } = memory.report?.status ?? {};
  const isSame = JSON.stringify(before) === JSON.stringify(secretsStatus);
  const isFresh = typeof lastRead === 'string' && now - Date.parse(lastRead) < refreshMs;
  return { ...secretsStatus, lastRead: isSame && isFresh ? lastRead : new Date(now).toISOString() };
}

/** Azure keeps a copy of the secrets of osProfile while an instance runs that has them. */
function scaleOut({ secrets }: Delivery['machine'], upToDate: readonly RollInstance[]): JsonObject {
  const reading = secrets.find(({ delivery }) => delivery === 'VaultExtension' || delivery === 'VMAccess');
  if (reading) {
    return { works: false, message: `new instances read ${reading.name} from the vault (${reading.delivery})` };
  }
  if (!secrets.some(({ delivery }) => delivery === 'OsProfile')) {
    return { works: true, message: 'nothing of the model is in a vault' };
  }
  const running = upToDate.filter((each) => each.running).length;
  return running > 0
    ? { works: true, message: 'Azure keeps a copy while an instance with these versions runs' }
    : { works: false, message: 'no instance with these versions runs, so that Azure has no copy' };
}
