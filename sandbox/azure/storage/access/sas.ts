import { signatureOf } from './shared-key.ts';

/** What a signature was made for. */
export interface SasTarget {
  readonly service: 'blob' | 'queue';
  readonly account: string;
  readonly container: string | undefined;
  readonly blob: string | undefined;
}

/** Parameters of a signature that answers take over, by header. */
export const overrides: Readonly<Record<string, string>> = {
  rscc: 'cache-control',
  rscd: 'content-disposition',
  rsce: 'content-encoding',
  rscl: 'content-language',
  rsct: 'content-type',
};

const keyMembers = ['skoid', 'sktid', 'skt', 'ske', 'sks', 'skv'];
const scopes = ['saoid', 'suoid', 'scid'];
const delegated = ['skdutid', 'sduoid'];

/** The text that an account's signature signs. */
function accountText(query: URLSearchParams, account: string): string {
  const value = (name: string) => query.get(name) ?? '';
  const scope = value('sv') >= '2020-12-06' ? [value('ses')] : [];
  const members = ['sp', 'ss', 'srt', 'st', 'se', 'sip', 'spr', 'sv'].map(value);
  return `${[account, ...members, ...scope].join('\n')}\n`;
}

/** The text that the signature of one container, blob or queue signs. */
function serviceText(query: URLSearchParams, target: SasTarget): string {
  const value = (name: string) => query.get(name) ?? '';
  const version = value('sv');
  const isDelegated = query.has('skoid');
  const isBlob = target.service === 'blob';
  const parts = value('sr') === 'c' ? [target.container] : [target.container, target.blob];
  const resource = `/${[target.service, target.account, ...parts].filter((part) => part !== undefined).join('/')}`;
  const key = [
    ...keyMembers,
    ...(isBlob && version >= '2020-02-10' ? scopes : []),
    ...(version >= '2025-07-05' ? delegated : []),
  ];
  const blobMembers = [
    value('sr'),
    value('snapshot') || value('sst'),
    ...(version >= '2020-12-06' ? [value('ses')] : []),
    ...(isDelegated && version >= '2026-04-06' ? ['', ''] : []),
    ...Object.keys(overrides).map(value),
  ];
  return [
    ...['sp', 'st', 'se'].map(value),
    resource,
    ...(isDelegated ? key : ['si']).map(value),
    ...['sip', 'spr', 'sv'].map(value),
    ...(isBlob ? blobMembers : []),
  ].join('\n');
}

/** The signatures that a query should have one of. The key of a delegated one is made for its members. */
export function expectedSignatures(
  query: URLSearchParams,
  target: SasTarget,
  keys: readonly string[],
  delegationKey: (members: readonly string[]) => string,
): string[] {
  if (query.has('ss')) return keys.map((key) => signatureOf(key, accountText(query, target.account)));
  const text = serviceText(query, target);
  if (!query.has('skoid')) return keys.map((key) => signatureOf(key, text));
  return [signatureOf(delegationKey(keyMembers.map((name) => query.get(name) ?? '')), text)];
}
