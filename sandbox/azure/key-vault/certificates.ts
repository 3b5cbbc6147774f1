import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { type Reply, refuse } from '../exchange.ts';
import { at, type Json, merge, objectOf, stringOf } from '../json.ts';
import { rsaKeyPair } from '../pki.ts';
import type { VaultObject, VaultVersion } from '../state.ts';
import {
  completePolicy,
  type Material,
  pemType,
  readMaterial,
  secretValue,
  selfSigned,
  signingRequest,
} from './certificate-material.ts';
import { deletedLifecycle, lifecycle, newest } from './lifecycle.ts';
import {
  addVersion,
  attributesOf,
  badParameter,
  idOf,
  live,
  newVersion,
  objectMissing,
  refuseDeleted,
  updateVersion,
  type VaultHandler,
  type VaultRequest,
  versionOf,
} from './vault-request.ts';

const collection = 'certificates';

function item(request: VaultRequest, object: VaultObject, version: VaultVersion): Json {
  const der = Buffer.from(version.cer ?? '', 'base64');
  return {
    id: idOf(request, 'certificates', object.name, version.version),
    x5t: createHash('sha1').update(der).digest('base64url'),
    attributes: attributesOf(request, version),
    tags: version.tags ?? {},
    subject: stringOf(at(object.policy, 'x509_props.subject')),
  };
}

function bundle(request: VaultRequest, object: VaultObject, version: VaultVersion): Json {
  const { subject: _subject, ...rest } = item(request, object, version);
  return {
    ...rest,
    kid: idOf(request, 'keys', object.name, version.version),
    sid: idOf(request, 'secrets', object.name, version.version),
    cer: version.cer,
    policy: { id: idOf(request, 'certificates', object.name, 'policy'), ...object.policy },
    pending: { id: idOf(request, 'certificates', object.name, 'pending') },
  };
}

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

async function create(request: VaultRequest, name: string): Promise<Reply> {
  request.demand({ collection, right: 'create' }, name);
  const objects = request.vault.certificates;
  refuseDeleted(collection, objects[name.toLowerCase()]);
  const object: VaultObject = objects[name.toLowerCase()] ?? { name, versions: [] };
  const sent = objectOf(request.body['policy']);
  const policy = completePolicy(Object.keys(sent).length > 0 ? sent : (object.policy ?? {}));
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

/** Issues the certificates of the vault whose time has come. Other issuers than Self wait for a merge. */
function settle(request: VaultRequest): void {
  for (const object of Object.values(request.vault.certificates)) {
    const pending = pendingOf(object);
    if (pending?.status !== 'inProgress' || pending.issuer !== 'Self' || pending.readyAt > request.now) continue;
    store(request, object, selfSigned(object.policy ?? {}, pending.keyPem, request.ids, request.now), pending);
    pending.status = 'completed';
  }
}

/** Adds a version of certificate, key and secret, all under one name and version. */
function store(
  request: VaultRequest,
  object: VaultObject,
  material: Material,
  from: Pick<Pending, 'tags' | 'attributes'>,
): VaultVersion {
  const details = new X509Certificate(material.certPem);
  const seconds = (text: string) => Math.floor(Date.parse(text) / 1000);
  const body = { ...from, attributes: from.attributes ?? {} };
  const base: VaultVersion = {
    ...newVersion({ ...request, body }),
    nbf: seconds(details.validFrom),
    exp: seconds(details.validTo),
  };
  const contentType = stringOf(at(object.policy, 'secret_props.contentType'));
  const { name } = object;
  const bare = { ...request, exchange: { ...request.exchange, entry: { ...request.exchange.entry } } };
  addVersion(bare, 'keys', name, {
    ...base,
    managed: true,
    keyPem: createPrivateKey(material.keyPem).export({ type: 'pkcs8', format: 'pem' }) as string,
    keyOps: ['encrypt', 'decrypt', 'sign', 'verify', 'wrapKey', 'unwrapKey'],
  });
  addVersion(bare, 'secrets', name, { ...base, managed: true, contentType, value: secretValue(material, contentType) });
  const version: VaultVersion = { ...base, cer: details.raw.toString('base64'), keyPem: material.keyPem };
  object.versions.push(version);
  return version;
}

function importCertificate(request: VaultRequest, name: string): Reply {
  request.demand({ collection, right: 'import' }, name);
  const objects = request.vault.certificates;
  refuseDeleted(collection, objects[name.toLowerCase()]);
  const { value, pwd, policy, tags, attributes } = request.body;
  if (typeof value !== 'string') throw badParameter('The request body is missing the property value.');
  const material = readMaterial(value, stringOf(pwd));
  const details = new X509Certificate(material.certPem);
  const found = {
    issuer: { name: 'Unknown' },
    secret_props: value.includes('-----BEGIN') ? { contentType: pemType } : {},
    x509_props: { subject: details.subject.split('\n').reverse().join(', ') },
  };
  const object: VaultObject = objects[name.toLowerCase()] ?? { name, versions: [] };
  object.policy = completePolicy(merge(found, objectOf(policy)));
  objects[name.toLowerCase()] = object;
  const version = store(request, object, material, {
    ...(tags ? { tags: tags as Record<string, string> } : {}),
    ...(attributes ? { attributes: objectOf(attributes) } : {}),
  });
  request.exchange.entry.effective = true;
  return { status: 200, body: bundle(request, object, version) };
}

function pendingPath(request: VaultRequest, name: string, merging: boolean): Reply | undefined {
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
    const [own, ...chain] = ((request.body['x5c'] as string[] | undefined) ?? []).map(
      (der) => `-----BEGIN CERTIFICATE-----\n${der.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`,
    );
    if (!own) throw badParameter('The request body is missing the property x5c.');
    if (!new X509Certificate(own).checkPrivateKey(createPrivateKey(pending.keyPem))) {
      throw badParameter('The public key of the end-entity certificate does not match the pending private key.');
    }
    const version = store(request, object, { keyPem: pending.keyPem, certPem: own, chainPem: chain }, pending);
    pending.status = 'completed';
    exchange.entry.effective = true;
    return { status: 201, body: bundle(request, object, version) };
  }
  if (exchange.method === 'GET') return shown();
  exchange.entry.effective = true;
  if (exchange.method === 'DELETE') {
    delete object.pending;
    return shown();
  }
  if (exchange.method !== 'PATCH') return undefined;
  if (request.body['cancellation_requested'] === true && pending.status === 'inProgress') pending.status = 'cancelled';
  return shown();
}

/** Handles `/certificates/...`. */
export const certificatePaths: VaultHandler = (request) => {
  settle(request);
  const { exchange, rest } = request;
  const [name = '', second, third] = rest;
  const { method } = exchange;
  if (second === 'pending') return pendingPath(request, name, method === 'POST' && third === 'merge');
  if (method === 'POST' && second === 'create') return create(request, name);
  if (method === 'POST' && second === 'import') return importCertificate(request, name);
  const common = lifecycle(request, collection, item, bundle);
  if (common) return common;
  if (second === 'policy') {
    request.demand({ collection, right: method === 'GET' ? 'get' : 'update' }, name);
    const object = request.vault.certificates[name.toLowerCase()];
    if (!object) throw objectMissing(collection, name);
    if (method === 'PATCH') {
      object.policy = merge(object.policy ?? {}, request.body);
      exchange.entry.effective = true;
    } else if (method !== 'GET') return undefined;
    return { status: 200, body: { id: idOf(request, 'certificates', name, 'policy'), ...object.policy } };
  }
  if (method === 'GET' && rest.length <= 2) {
    request.demand({ collection, right: 'get' }, name);
    const object = live(request, collection, name);
    return { status: 200, body: bundle(request, object, versionOf(collection, object, second)) };
  }
  if (method === 'PATCH' && rest.length <= 2) {
    request.demand({ collection, right: 'update' }, name);
    const object = live(request, collection, name);
    const found = second ? versionOf(collection, object, second) : newest(object);
    updateVersion(request, found);
    exchange.entry.effective = true;
    return { status: 200, body: bundle(request, object, found) };
  }
  return undefined;
};

/** Handles `/deletedcertificates/...`. */
export const deletedCertificatePaths: VaultHandler = (request) => {
  settle(request);
  return deletedLifecycle(request, collection, bundle, item);
};
