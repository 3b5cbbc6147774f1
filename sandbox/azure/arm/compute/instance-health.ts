import { expected } from '../../../../runtime/base/errors.ts';
import type { SandboxState } from '../../state.ts';
import type { Health } from './instances.ts';
import { isScaleSet } from './profile.ts';
import { instancesOf } from './scale-set-model.ts';

/** How well an instance of a scale set is, as a test decides it. */
export interface HealthChange {
  /** ARM id of an instance, or of a scale set for all of its instances. */
  readonly id: string;
  readonly health: Health;
  /** `afterUpgrade`: as soon as it gets a new model, and with each one after that. @default 'now' */
  readonly when?: 'now' | 'afterUpgrade';
  /** Of a set: instances with a model whose text has this are unhealthy from then on, and well with another one. */
  readonly model?: string;
}

/** Makes instances ill or well. Throws where there is no such instance. */
export function changeHealth({ id, health, when = 'now', model }: HealthChange, state: SandboxState): void {
  const resource = state.resources.get(id);
  if (!resource) throw expected('id', 'the id of an instance or scale set', id);
  if (health !== 'healthy' && health !== 'unhealthy') throw expected('health', 'healthy or unhealthy', health);
  if (when !== 'now' && when !== 'afterUpgrade') throw expected('when', 'now or afterUpgrade', when);
  if (model !== undefined) {
    const others = ((resource.system['illModels'] ?? []) as string[]).filter((text) => text !== model);
    resource.system['illModels'] = health === 'unhealthy' ? [...others, model] : others;
  } else if (when === 'afterUpgrade') resource.system['healthAfterUpgrade'] = health;
  else
    for (const one of isScaleSet(resource.type) ? instancesOf(resource, state) : [resource])
      one.system['health'] = health;
}
