import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Reply } from '../../exchange.ts';
import { type Json, merge, objectOf, stringOf } from '../../json.ts';
import type { VaultObject } from '../../state.ts';
import { deletedLifecycle, lifecycle, newest } from '../lifecycle.ts';
import {
  badParameter,
  idOf,
  live,
  objectMissing,
  refuseDeleted,
  updateVersion,
  type VaultHandler,
  type VaultRequest,
  versionOf,
} from '../vault-request.ts';
import { issuerPaths } from './issuers.ts';
import { pemType, readMaterial } from './material.ts';
import { createCertificate, pendingPath, refuseWhilePending, settlePending } from './pending.ts';
import { checkPolicy, completePolicy } from './policy.ts';
import { certificateBundle, certificateItem, storeCertificate } from './store.ts';

const collection = 'certificates';
/** Names of the curves by those of OpenSSL. */
const curves: Readonly<Record<string, string>> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' };

function importCertificate(request: VaultRequest, name: string): Reply {
  request.demand({ collection, right: 'import' }, name);
  const objects = request.vault.certificates;
  refuseDeleted(collection, objects[name.toLowerCase()]);
  refuseWhilePending(request, name);
  const { value, pwd, policy, tags, attributes } = request.body;
  if (typeof value !== 'string') throw badParameter('The request body is missing the property value.');
  const material = readMaterial(value, stringOf(pwd));
  const details = new X509Certificate(material.certPem);
  const found = {
    issuer: { name: 'Unknown' },
    key_props: keyForm(material.keyPem),
    secret_props: value.includes('-----BEGIN') ? { contentType: pemType } : {},
    x509_props: { subject: details.subject.split('\n').reverse().join(', ') },
  };
  const object: VaultObject = objects[name.toLowerCase()] ?? { name, versions: [] };
  object.policy = completePolicy(merge(found, objectOf(policy)));
  checkPolicy(object.policy);
  objects[name.toLowerCase()] = object;
  const version = storeCertificate(request, object, material, {
    ...(tags ? { tags: tags as Record<string, string> } : {}),
    ...(attributes ? { attributes: objectOf(attributes) } : {}),
  });
  request.exchange.entry.effective = true;
  return { status: 200, body: certificateBundle(request, object, version) };
}

function keyForm(keyPem: string): Json {
  const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(keyPem);
  if (asymmetricKeyType === 'rsa') return { kty: 'RSA', key_size: asymmetricKeyDetails?.modulusLength ?? 0 };
  const curve = curves[asymmetricKeyDetails?.namedCurve ?? ''];
  if (!curve) throw badParameter('The key of the certificate is neither RSA nor of the curves P-256, P-384 and P-521.');
  return { kty: 'EC', crv: curve, key_size: Number(curve.slice(2)) };
}

/** Handles `/certificates/...`. */
export const certificatePaths: VaultHandler = (request) => {
  settlePending(request);
  const { exchange, rest } = request;
  const [name = '', second, third] = rest;
  const { method } = exchange;
  if (name === 'issuers') return issuerPaths(request);
  if (second === 'pending') return pendingPath(request, name, method === 'POST' && third === 'merge');
  if (method === 'POST' && second === 'create') return createCertificate(request, name);
  if (method === 'POST' && second === 'import') return importCertificate(request, name);
  const common = lifecycle(request, collection, certificateItem, certificateBundle);
  if (common) return common;
  if (second === 'policy') {
    request.demand({ collection, right: method === 'GET' ? 'get' : 'update' }, name);
    const object = request.vault.certificates[name.toLowerCase()];
    if (!object) throw objectMissing(collection, name);
    if (method === 'PATCH') {
      const changed = merge(object.policy ?? {}, request.body);
      checkPolicy(changed);
      object.policy = changed;
      exchange.entry.effective = true;
    } else if (method !== 'GET') return undefined;
    return { status: 200, body: { id: idOf(request, 'certificates', name, 'policy'), ...object.policy } };
  }
  if (method === 'GET' && rest.length <= 2) {
    request.demand({ collection, right: 'get' }, name);
    const object = live(request, collection, name);
    return { status: 200, body: certificateBundle(request, object, versionOf(collection, object, second)) };
  }
  if (method === 'PATCH' && rest.length <= 2) {
    request.demand({ collection, right: 'update' }, name);
    const object = live(request, collection, name);
    const found = second ? versionOf(collection, object, second) : newest(object);
    updateVersion(request, found);
    // The key and the secret of a certificate share its attributes.
    for (const other of ['keys', 'secrets'] as const) {
      const twin = request.vault[other][name.toLowerCase()]?.versions.find(({ version }) => version === found.version);
      if (twin) Object.assign(twin, { enabled: found.enabled, updated: found.updated });
    }
    exchange.entry.effective = true;
    return { status: 200, body: certificateBundle(request, object, found) };
  }
  return undefined;
};

/** Handles `/deletedcertificates/...`. */
export const deletedCertificatePaths: VaultHandler = (request) => {
  settlePending(request);
  return deletedLifecycle(request, collection, certificateBundle, certificateItem);
};
