import { AzimuthError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { instanceOf, rollingUpgradeOf } from '../../compute/machines/instance-views.ts';
import { listIn, textIn } from '../../compute/machines/machine-model.ts';
import type { RollInstance } from '../../compute/rolls/instance-counts.ts';
import type { RollingUpgradeState } from '../../compute/rolls/roll-plan.ts';
import type { EffectContext } from '../effects/effect-context.ts';

/** Pages of one list of instances; a set has 1,000 instances at most. */
const maxPages = 20;

/** The instances of a set, Uniform or Flexible, and how many requests the list took. Throws AZ_ARM_ANSWER for no list. */
export async function readInstances(
  context: EffectContext,
): Promise<{ readonly instances: readonly RollInstance[]; readonly pages: number }> {
  const instances: RollInstance[] = [];
  let path: string | undefined = `${context.id()}/virtualMachines?$expand=instanceView`;
  let pages = 0;
  for (; path !== undefined; pages++) {
    if (pages === maxPages) throw new AzimuthError('AZ_ARM_ANSWER', `The list of instances has over ${maxPages} pages`);
    const { body } = await context.requests.send('GET', path);
    if (!isObject(body) || !Array.isArray(body['value'])) {
      throw new AzimuthError('AZ_ARM_ANSWER', 'The answer to the list of instances has no value');
    }
    instances.push(...listIn(body, 'value').flatMap((item) => instanceOf(item) ?? []));
    path = textIn(body, 'nextLink') || undefined;
  }
  return { instances, pages };
}

/** The newest rolling upgrade of a set; undefined before the first. */
export async function readUpgrade(context: EffectContext): Promise<RollingUpgradeState | undefined> {
  return rollingUpgradeOf(await context.requests.tryGet(`${context.id()}/rollingUpgrades/latest`));
}
