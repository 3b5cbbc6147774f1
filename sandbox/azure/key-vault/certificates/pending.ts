import { createPrivateKey, X509Certificate } from 'node:crypto';
import { type Reply, refuse } from '../../exchange.ts';
import { at, type Json, objectOf, stringOf } from '../../json.ts';
import { rsaKeyPair } from '../../pki.ts';
import type { VaultObject } from '../../state.ts';
import { badParameter, idOf, refuseDeleted, type VaultRequest } from '../vault-request.ts';
import { requireIssuer } from './issuers.ts';
import { issued, signingRequest } from './material.ts';
import { checkPolicy, completePolicy } from './policy.ts';
import { certificateBundle, storeCertificate } from './store.ts';

const collection = 'certificates';

/** A certificate that was asked for and is not there yet. */
interface Pending {
  readonly issuer: string;
  readonly keyPem: string;
  readonly csr: string;
  readonly requestId: string;
  readonly readyAt: number;
  readonly tags?: Record<string, string>;
  readonly attributes?: Json;
  status: 'inProgress' | 'completed' | 'cancelled';
}

const pendingOf = (object: VaultObject | undefined) => object?.pending as unknown as Pending | undefined;

function pendingView(request: VaultRequest, object: VaultObject, pending: Pending): Json {
  const done = pending.status === 'completed';
  return {
    id: idOf(request, 'certificates', object.name, 'pending'),
    issuer: { name: pending.issuer },
    csr: pending.csr,
    cancellation_requested: pending.status === 'cancelled',
    status: pending.status,
    ...(done
      ? { target: idOf(request, 'certificates', object.name) }
      : {
          status_details:
            'Pending certificate created. Certificate request is in progress. This may take some time based on the issuer provider. Please check again later.',
        }),
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
  if (at(policy, 'key_props.kty') !== 'RSA') {
    throw badParameter('The sandbox issues certificates for RSA keys only: policy.key_props.kty must be RSA.');
  }
  const reuse = at(policy, 'key_props.reuse_key') === true ? object.versions.at(-1)?.keyPem : undefined;
  const keyPem =
    reuse ??
    ((await rsaKeyPair(Number(at(policy, 'key_props.key_size')))).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    }) as string);
  const pending: Pending = {
    issuer: stringOf(at(policy, 'issuer.name')),
    keyPem,
    csr: signingRequest(policy, keyPem),
    requestId: request.ids.hex(32),
    readyAt: request.now + request.operationMs,
    ...(request.body['tags'] ? { tags: request.body['tags'] as Record<string, string> } : {}),
    ...(request.body['attributes'] ? { attributes: objectOf(request.body['attributes']) } : {}),
    status: 'inProgress',
  };
  object.policy = policy;
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
 * Issues the certificates of the vault whose time has come: Self signs them itself, an issuer with a name signs them with
 * the sandbox's CA, and Unknown waits for a merge.
 */
export function settlePending(request: VaultRequest): void {
  for (const object of Object.values(request.vault.certificates)) {
    const pending = pendingOf(object);
    if (pending?.status !== 'inProgress' || pending.readyAt > request.now) continue;
    if (pending.issuer === 'Unknown') continue;
    const issuer = pending.issuer === 'Self' ? undefined : request.ca;
    const material = issued(object.policy ?? {}, pending.keyPem, request.ids, request.now, issuer);
    storeCertificate(request, object, material, pending);
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
    const [own, ...chain] = ((request.body['x5c'] as string[] | undefined) ?? []).map(
      (der) => `-----BEGIN CERTIFICATE-----\n${der.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`,
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
    pending.status = 'cancelled';
    exchange.entry.effective = true;
  }
  return shown();
}
