import type { KeyRenewal, KeyRotation } from '../../api/types.ts';

/** Which keys are published: each under its own name, or those of one side under the names of both. */
export type Published = 'both' | 'primary' | 'secondary';

export type RotationStep =
  | { readonly do: 'publish'; readonly keys: Published }
  | { readonly do: 'renew'; readonly side: 'primary' | 'secondary'; readonly renewal: KeyRenewal };

/**
 * The way to a new pair of keys. Before a side is renewed, everything that is published is of the other side, and has been
 * for as long as consumers need to read it: no key that anybody has from here is dead at any moment.
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

/** What is published while the step at this index is still to be done. */
export function publishedAt(steps: readonly RotationStep[], index: number): Published {
  const done = steps.slice(0, index).flatMap((step) => (step.do === 'publish' ? [step.keys] : []));
  return done.at(-1) ?? 'both';
}
