import { at, type Json, objectOf } from '../../json.ts';
import { badParameter } from '../vault-request.ts';
import { pfxType } from './material.ts';

/** Policy as Key Vault completes what a request leaves out. */
export function completePolicy(policy: Json): Json {
  return {
    key_props: { exportable: true, kty: 'RSA', key_size: 2048, reuse_key: false, ...objectOf(policy['key_props']) },
    secret_props: { contentType: pfxType, ...objectOf(policy['secret_props']) },
    x509_props: {
      key_usage: ['digitalSignature', 'keyEncipherment'],
      validity_months: 12,
      ...objectOf(policy['x509_props']),
    },
    lifetime_actions: policy['lifetime_actions'] ?? [
      { trigger: { lifetime_percentage: 80 }, action: { action_type: 'AutoRenew' } },
    ],
    issuer: { name: 'Self', ...objectOf(policy['issuer']) },
    attributes: { enabled: true, ...objectOf(policy['attributes']) },
  };
}

/** Refuses what Key Vault refuses in the lifetime actions of a complete policy. */
export function checkPolicy(policy: Json): void {
  const months = Number(at(policy, 'x509_props.validity_months') ?? 12);
  const actions = policy['lifetime_actions'];
  for (const action of Array.isArray(actions) ? actions : []) {
    const { lifetime_percentage: percentage, days_before_expiry: days } = objectOf(at(action, 'trigger'));
    if (percentage !== undefined && !within(percentage, 1, 99)) {
      throw badParameter('Property policy.lifetime_actions.trigger.lifetime_percentage has to be between 1 and 99.');
    }
    if (days !== undefined && !within(days, 1, months * 27)) {
      throw badParameter(
        `Property policy.lifetime_actions.trigger.days_before_expiry has to be between 1 and ${months * 27}.`,
      );
    }
  }
}

const within = (value: unknown, least: number, most: number) =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
