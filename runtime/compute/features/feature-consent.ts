/** Consent to the use of a feature, which operator, secret endpoint and plan read from the same objects. */
import type { FeatureApprovalSpec, FeatureRegistrationSpec } from '../../api/machines/features.ts';

interface Metadata {
  readonly name: string;
  readonly creationTimestamp?: string | undefined;
  readonly deletionTimestamp?: string | undefined;
}

/** A FeatureRegistration, or the part of it that decides. */
export interface RegistrationLike {
  readonly metadata: Metadata;
  readonly spec: Pick<FeatureRegistrationSpec, 'feature' | 'subscription'>;
}

/** A FeatureApproval, or the part of it that decides. */
export interface ApprovalLike {
  readonly metadata: Metadata;
  readonly spec: Pick<FeatureApprovalSpec, 'for' | 'until'>;
}

/** A feature of a subscription as one text: neither is case-sensitive. */
export function featureKey({ subscription, feature }: RegistrationLike['spec']): string {
  return `${subscription} ${feature}`.toLowerCase();
}

/** Whether Azimuth defines the feature itself: an approval is then all that it needs. */
export function isOwnFeature(feature: string): boolean {
  return feature.toLowerCase().startsWith('azimuth.dev/');
}

/** Of several registrations of one feature in one subscription (`featureKey`) the oldest counts. */
export function oldestRegistration<T extends RegistrationLike>(
  registrations: readonly T[],
  key: string,
): T | undefined {
  const age = ({ metadata }: T) => `${metadata.creationTimestamp} ${metadata.name}`;
  return registrations
    .filter(({ metadata, spec }) => metadata.deletionTimestamp === undefined && featureKey(spec) === key)
    .sort((a, b) => (age(a) < age(b) ? -1 : 1))[0];
}

/** Of the approvals of a registration that are in force at `now` (milliseconds), the one that ends last. */
export function approvalInForce<T extends ApprovalLike>(
  approvals: readonly T[],
  registration: string,
  now: number,
): T | undefined {
  return approvals
    .filter(({ metadata, spec }) => spec.for.name === registration && metadata.deletionTimestamp === undefined)
    .filter((approval) => endOf(approval) > now)
    .sort((a, b) => endOf(b) - endOf(a))[0];
}

/** The objects that decide about gates. */
export interface GateObjects {
  /** FeatureRegistrations that may be of this feature and subscription; `ready` is the operator's condition Ready. */
  registrations(feature: RegistrationLike['spec']): readonly (RegistrationLike & { readonly ready: boolean })[];
  /** FeatureApprovals that may be for this FeatureRegistration. */
  approvals(registration: string): readonly ApprovalLike[];
}

/** Why a feature may not be used in a subscription at `now` (milliseconds); undefined where it may. */
export function closedGate(
  feature: RegistrationLike['spec'],
  { registrations, approvals }: GateObjects,
  now: number,
): string | undefined {
  const { subscription, feature: name } = feature;
  const registration = oldestRegistration(registrations(feature), featureKey(feature));
  if (!registration) return `the subscription ${subscription} has no FeatureRegistration for ${name}`;
  const own = registration.metadata.name;
  const which = `the FeatureRegistration ${own} of ${name} in the subscription ${subscription}`;
  if (!approvalInForce(approvals(own), own, now)) return `${which} has no FeatureApproval in force`;
  // Only the operator reads the state of a feature of Azure.
  return isOwnFeature(name) || registration.ready ? undefined : `${which} is not Ready`;
}

function endOf({ spec: { until } }: ApprovalLike): number {
  return until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until);
}
