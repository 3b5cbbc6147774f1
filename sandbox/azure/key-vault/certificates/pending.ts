import { createPrivateKey, X509Certificate } from 'node:crypto';
import { type Reply, refuse } from '../../exchange.ts';
import type { Fault } from '../../faults.ts';
import { at, type Json, merge, objectOf, stringOf } from '../../json.ts';
import type { VaultObject } from '../../state.ts';
import { newKeyPem } from '../keys.ts';
import { badParameter, idOf, refuseDeleted, type VaultRequest } from '../vault-request.ts';
import { requireIssuer } from './issuers.ts';
import { checkPolicy, completePolicy } from './policy.ts';
import { certificateBundle, storeCertificate } from './store.ts';
import { issued, pemOf, signingRequest } from './x509.ts';

const collection = 'certificates';

/** A certificate that was asked for and is not there yet. */
interface Pending {
  /** The policy of this order; a later change of the certificate's policy does not reach it. */
  readonly policy: Json;
  readonly keyPem: string;
  readonly csr: string;
  readonly requestId: string;
  readonly readyAt: number;
  readonly tags?: Record<string, string>;
  readonly attributes?: Json;
  /** How the issuer ends the order, where a fault says so. */
  readonly end?: Fault['operation'];
  status: 'inProgress' | 'completed' | 'canceled' | 'failed';
}

const issuerOf = ({ policy }: Pending) => stringOf(at(policy, 'issuer.name'));

const pendingOf = (object: VaultObject | undefined) => object?.pending as unknown as Pending | undefined;

function pendingView(request: VaultRequest, object: VaultObject, pending: Pending): Json {
  const { status, end } = pending;
  return {
    id: idOf(request, 'certificates', object.name, 'pending'),
    issuer: { name: issuerOf(pending) },
    csr: pending.csr,
    cancellation_requested: status === 'canceled',
    status,
    ...(status === 'completed' && { target: idOf(request, 'certificates', object.name) }),
    ...(status === 'inProgress' && {
      status_details:
        'Pending certificate created. Certificate request is in progress. This may take some time based on the issuer provider. Please check again later.',
    }),
    ...(status === 'failed' && { error: { code: end?.code, message: end?.message } }),
    request_id: pending.requestId,
  };
}

/** Handles POST `/certificates/{name}/create`. */
export async function createCertificate(request: VaultRequest, name: string): Promise<Reply> {
  request.demand({ collection, right: 'create' }, name);
  const objects = request.vault.certificates;
  refuseDeleted(collection, objects[name.toLowerCase()]);
  refuseWhilePending(request, name);
  const object: VaultObject = objects[name.toLowerCase()] ?? { name, versions: [] };
  const sent = objectOf(request.body['policy']);
  const policy = completePolicy(Object.keys(sent).length > 0 ? sent : (object.policy ?? {}));
  checkPolicy(policy);
  requireIssuer(request, stringOf(at(policy, 'issuer.name')));
  const reuse = at(policy, 'key_props.reuse_key') === true ? object.versions.at(-1)?.keyPem : undefined;
  const keyPem = reuse ?? (await newKeyPem(objectOf(policy['key_props'])));
  const pending: Pending = {
    policy,
    keyPem,
    csr: signingRequest(policy, keyPem),
    requestId: request.ids.hex(32),
    readyAt: request.now + request.operationMs,
    ...(request.body['tags'] ? { tags: request.body['tags'] as Record<string, string> } : {}),
    ...(request.body['attributes'] ? { attributes: objectOf(request.body['attributes']) } : {}),
    ...(request.exchange.operationFault && { end: request.exchange.operationFault }),
    status: 'inProgress',
  };
  const time = Math.floor(request.now / 1000);
  const created = at(object.policy, 'attributes.created') ?? time;
  object.policy = merge(policy, { attributes: { created, updated: time } });
  object.pending = pending as unknown as Json;
  objects[name.toLowerCase()] = object;
  request.exchange.entry.effective = true;
  return {
    status: 202,
    headers: {
      location: `${idOf(request, 'certificates', name, 'pending')}?api-version=7.4&request_id=${pending.requestId}`,
      'retry-after': '1',
    },
    body: pendingView(request, object, pending),
  };
}

/** A name has one certificate in the making at most. */
export function refuseWhilePending(request: VaultRequest, name: string): void {
  if (pendingOf(request.vault.certificates[name.toLowerCase()])?.status !== 'inProgress') return;
  throw refuse(
    409,
    'Conflict',
    "A new key vault certificate can not be created or imported while a pending key vault certificate's status is inProgress.",
  );
}

/**
 * Ends the orders of the vault whose time has come: Self signs the certificate itself, an issuer with a name signs it with
 * the sandbox's CA, and Unknown waits for a merge. A fault of the request that placed an order decides how it ends.
 */
export function settlePending(request: VaultRequest): void {
  for (const object of Object.values(request.vault.certificates)) {
    const pending = pendingOf(object);
    if (pending?.status !== 'inProgress' || pending.readyAt > request.now) continue;
    if (pending.end) {
      pending.status = pending.end.state;
      continue;
    }
    const name = issuerOf(pending);
    if (name === 'Unknown') continue;
    const { policy } = pending;
    const material = issued(policy, pending.keyPem, request.ids, request.now, name === 'Self' ? undefined : request.ca);
    storeCertificate(request, object, material, pending, policy);
    pending.status = 'completed';
  }
}

/** Handles `/certificates/{name}/pending` and its merge. */
export function pendingPath(request: VaultRequest, name: string, merging: boolean): Reply | undefined {
  const { exchange } = request;
  const object = request.vault.certificates[name.toLowerCase()];
  const pending = pendingOf(object);
  request.demand(
    { collection, right: exchange.method === 'GET' ? 'get' : exchange.method === 'DELETE' ? 'delete' : 'update' },
    name,
  );
  if (!object || !pending || object.deletedAt !== undefined) {
    throw refuse(404, 'PendingCertificateNotFound', `Pending certificate not found: ${name}.`);
  }
  const shown = () => ({ status: 200, body: pendingView(request, object, pending) });
  if (merging) {
    if (pending.status !== 'inProgress') throw badParameter('There is no pending certificate to merge with.');
    const [own, ...chain] = ((request.body['x5c'] as string[] | undefined) ?? []).map((der) =>
      pemOf('CERTIFICATE', Buffer.from(der, 'base64')),
    );
    if (!own) throw badParameter('The request body is missing the property x5c.');
    if (!new X509Certificate(own).checkPrivateKey(createPrivateKey(pending.keyPem))) {
      throw badParameter('The public key of the end-entity certificate does not match the pending private key.');
    }
    const version = storeCertificate(
      request,
      object,
      { keyPem: pending.keyPem, certPem: own, chainPem: chain },
      pending,
      pending.policy,
    );
    pending.status = 'completed';
    exchange.entry.effective = true;
    return { status: 201, body: certificateBundle(request, object, version) };
  }
  if (exchange.method === 'GET') return shown();
  if (exchange.method === 'DELETE') {
    exchange.entry.effective = true;
    delete object.pending;
    return shown();
  }
  if (exchange.method !== 'PATCH') return undefined;
  if (request.body['cancellation_requested'] === true) {
    if (pending.status !== 'inProgress') {
      throw badParameter('A certificate operation can be cancelled only while its status is inProgress.');
    }
    pending.status = 'canceled';
    exchange.entry.effective = true;
  }
  return shown();
}
