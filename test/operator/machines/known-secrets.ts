import {
  type KnownCopy,
  type KnownSecret,
  ManagedSecrets,
} from '../../../runtime/operator/managed-secrets/resolver.ts';
import { version } from '../../compute/machines/support.ts';

/** ManagedSecrets whose gate a test opens and closes. */
export class FakeSecrets extends ManagedSecrets {
  readonly gate: { open: boolean };

  constructor(gate = { open: true }) {
    const of = () =>
      gate.open
        ? ({ open: true } as const)
        : ({ open: false, reason: 'FeatureNotRegistered', message: 'the subscription is not registered' } as const);
    super({ of }, () => true);
    this.gate = gate;
  }
}

/** The id of a version: every number has another one. */
export const idOf = (number: number) => String(number).padStart(32, '0');

/** A certificate whose current version is `number`, in a vault of westeurope that is in order but for `change`. */
export function certificate(number: number, change: Partial<KnownCopy['version']> & object = {}): KnownSecret {
  const secretUrl = `https://kv1.vault.azure.net/secrets/web/${idOf(number)}`;
  const copy: KnownCopy = {
    state: 'Current',
    number,
    version: { ...version('kv1', 'web'), secretUrl, ...change },
    vmAccess: undefined,
  };
  return { uid: 'u', kind: 'Certificate', number, copies: new Map([['westeurope', copy]]) };
}
