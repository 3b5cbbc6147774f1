import { expected } from '../../../../runtime/base/errors.ts';
import type { SandboxState } from '../../state.ts';
import type { HealthChange } from './health-change.ts';
import { isScaleSet } from './profile.ts';
import { instancesOf } from './scale-set-model.ts';

/** Makes instances ill or well. Throws where there is no such instance. */
export function changeHealth(change: HealthChange, state: SandboxState, now: number): void {
  const { id, health, when = 'now', model, afterMs = 0 } = change;
  const resource = state.resources.get(id);
  if (!resource) throw expected('id', 'the id of an instance or scale set', id);
  if (health !== 'healthy' && health !== 'unhealthy') throw expected('health', 'healthy or unhealthy', health);
  if (when !== 'now' && when !== 'afterUpgrade') throw expected('when', 'now or afterUpgrade', when);
  if (!Number.isFinite(afterMs) || afterMs < 0) throw expected('afterMs', 'a number of at least 0', afterMs);
  if (afterMs > 0) {
    const { afterMs: _, ...later } = change;
    state.healthChanges = [...(state.healthChanges ?? []), { at: now + afterMs, change: later }];
  } else if (model !== undefined) {
    const others = ((resource.system['illModels'] ?? []) as string[]).filter((text) => text !== model);
    resource.system['illModels'] = health === 'unhealthy' ? [...others, model] : others;
  } else if (when === 'afterUpgrade') resource.system['healthAfterUpgrade'] = health;
  else
    for (const one of isScaleSet(resource.type) ? instancesOf(resource, state) : [resource])
      one.system['health'] = health;
}

/** Applies the changes whose time has come. Those of sets that are gone are dropped. */
export function applyHealthChanges(state: SandboxState, now: number): void {
  if (!state.healthChanges?.length) return;
  const due = state.healthChanges.filter(({ at }) => at <= now);
  state.healthChanges = state.healthChanges.filter(({ at }) => at > now);
  for (const { change } of due) if (state.resources.get(change.id)) changeHealth(change, state, now);
}
