import { createHash } from 'node:crypto';
import {
  AllowedTargets,
  type DocumentRequest,
} from '../../../../runtime/operator/deployments/targets/allowed-targets.ts';

export const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Both schemes of a rule: a registry on loopback speaks HTTP where the operator means HTTPS. */
export const bothSchemes = <T extends { readonly scheme: string }>(rule: T): T[] => [
  rule,
  { ...rule, scheme: 'http:' },
];

/** Targets with every name on loopback, and HTTP in place of HTTPS. */
export class LocalTargets extends AllowedTargets {
  override document(address: string, request: DocumentRequest, ends: AbortSignal) {
    return super.document(address.replace('https://', 'http://'), request, ends);
  }
  protected override isClosed(): boolean {
    return false;
  }
}
