import type { KeyRenewal, KeyRotation } from '../../api/types.ts';

/** The published keys: each under its own name, or those of one side under the names of both. */
export type Published = 'both' | 'primary' | 'secondary';

/** A step of a rotation: publish keys, or renew those of one side. */
export type RotationStep =
  | { readonly do: 'publish'; readonly keys: Published }
  | { readonly do: 'renew'; readonly side: 'primary' | 'secondary'; readonly renewal: KeyRenewal };

/**
 * The steps to a new pair of keys. Before Azure renews a side, the operator publishes only the other side's keys, for
 * as long as consumers need to read them. So every published key stays valid.
 */
export function rotationSteps({ primary, secondary }: KeyRotation): readonly RotationStep[] {
  const publish = (keys: Published): RotationStep => ({ do: 'publish', keys });
  const renew = (side: 'primary' | 'secondary', keys: readonly KeyRenewal[]) =>
    keys.map((renewal): RotationStep => ({ do: 'renew', side, renewal }));
  return [
    publish('primary'),
    ...renew('secondary', secondary),
    publish('secondary'),
    ...renew('primary', primary),
    publish('both'),
  ];
}

/** The keys that are published until the step at this index is done. */
export function publishedAt(steps: readonly RotationStep[], index: number): Published {
  const done = steps.slice(0, index).flatMap((step) => (step.do === 'publish' ? [step.keys] : []));
  return done.at(-1) ?? 'both';
}
