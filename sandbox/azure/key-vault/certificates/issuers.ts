import { type Reply, refuse } from '../../exchange.ts';
import { type Json, merge, objectOf } from '../../json.ts';
import { badParameter, idOf, type VaultRequest, vaultPage } from '../vault-request.ts';

const collection = 'certificates';
/** Names that mean no issuer of the vault. */
const builtIn = new Set(['Self', 'Unknown']);

/** Refuses a policy whose issuer the vault does not have. */
export function requireIssuer({ vault }: VaultRequest, name: string): void {
  if (builtIn.has(name) || vault.issuers?.[name.toLowerCase()]) return;
  throw badParameter(`The issuer ${name} of the certificate policy does not exist in this key vault.`);
}

const shown = (request: VaultRequest, name: string, issuer: Json) => ({
  id: idOf(request, 'certificates', 'issuers', name),
  ...issuer,
});

/** Handles `/certificates/issuers[/{name}]`: the issuers of certificates, by the name that policies use. */
export function issuerPaths(request: VaultRequest): Reply | undefined {
  const { exchange, rest, vault } = request;
  const { method } = exchange;
  const [, name] = rest;
  if (rest.length > 2) return undefined;
  if (name === undefined) {
    if (method !== 'GET') return undefined;
    request.demand({ collection, right: 'listissuers' });
    const items = Object.entries(vault.issuers ?? {}).map(([id, { provider }]) => shown(request, id, { provider }));
    return vaultPage(request, items);
  }
  const right = { GET: 'getissuers', PUT: 'setissuers', PATCH: 'setissuers', DELETE: 'deleteissuers' }[method];
  if (right === undefined) return undefined;
  request.demand({ collection, right });
  const issuers: Record<string, Json> = vault.issuers ?? {};
  vault.issuers = issuers;
  const key = name.toLowerCase();
  if (method === 'PUT' || method === 'PATCH') {
    const now = Math.floor(request.now / 1000);
    const before = method === 'PATCH' ? (issuers[key] ?? {}) : {};
    if (method === 'PUT' && typeof request.body['provider'] !== 'string') {
      throw badParameter('The request body is missing the property provider.');
    }
    // The account's password is never shown again.
    const { credentials, ...rest } = request.body;
    const account =
      credentials === undefined ? {} : { credentials: { account_id: objectOf(credentials)['account_id'] } };
    const attributes = { attributes: { enabled: true, created: now, updated: now } };
    issuers[key] = merge(merge(before, attributes), { ...rest, ...account });
    exchange.entry.effective = true;
  }
  const issuer = issuers[key];
  if (!issuer) throw refuse(404, 'CertificateIssuerNotFound', `Issuer not found: ${name}.`);
  if (method === 'DELETE') {
    delete issuers[key];
    exchange.entry.effective = true;
  }
  return { status: 200, body: shown(request, name, issuer) };
}
