import { at, type Json, objectOf, stringOf } from '../../json.ts';
import { badParameter } from '../vault-request.ts';
import { pfxType } from './material.ts';

/** Policy of a request, with the members that Key Vault fills in. */
export function completePolicy(policy: Json): Json {
  const key = objectOf(policy['key_props']);
  const isEc = isEllipticKey(key);
  const form = isEc ? { crv: curveOf(key), key_size: Number(curveOf(key).slice(2)) } : { key_size: 2048 };
  return {
    key_props: { exportable: true, kty: 'RSA', reuse_key: false, ...form, ...key },
    secret_props: { contentType: pfxType, ...objectOf(policy['secret_props']) },
    x509_props: {
      key_usage: isEc ? ['digitalSignature'] : ['digitalSignature', 'keyEncipherment'],
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

const isEllipticKey = (key: Json) => stringOf(key['kty']).startsWith('EC');

/** The curve, which may be named by the size alone. */
const curveOf = ({ crv, key_size: size }: Json) => stringOf(crv) || `P-${size ?? 256}`;

/** Refuses a key that Key Vault does not make. */
function checkKey(key: Json): void {
  const sizes = isEllipticKey(key) ? [256, 384, 521] : [2048, 3072, 4096];
  const size = Number(key['key_size']);
  if (!sizes.includes(size)) {
    throw badParameter(`Unsupported key size (${size}). Supported sizes are [${sizes.join(', ')}].`);
  }
  if (isEllipticKey(key) && curveOf(key) !== `P-${size}`) {
    throw badParameter(`The curve ${curveOf(key)} does not fit the key size ${size}.`);
  }
}

/** Key Vault's checks of the key and the lifetime actions of a complete policy. */
export function checkPolicy(policy: Json): void {
  checkKey(objectOf(policy['key_props']));
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
