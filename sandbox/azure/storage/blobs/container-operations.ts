import { containerProperties } from '../../arm/behaviours/storage.ts';
import type { StoredResource } from '../../arm/resources/stored-resources.ts';
import type { Reply } from '../../exchange.ts';
import { at, objectOf } from '../../json.ts';
import {
  header,
  httpDate,
  longDate,
  metadataHeaders,
  metadataOf,
  newEtag,
  pageOf,
  parameter,
  type StorageCall,
} from '../call.ts';
import {
  containerName,
  containersOf,
  dataOf,
  findContainer,
  makeContainer,
  metadataIn,
  readPolicies,
  type StoredPolicy,
  setProperties,
} from '../containers.ts';
import { element, escaped, leaf, leavesIn, refuse, xmlReply } from '../xml.ts';
import { requireConditions } from './conditions.ts';
import { leaseAction, leaseStatus, requireLease } from './leases.ts';
import { requireContainer } from './model.ts';

/** Etag and time of a container, which change with its metadata and policies. */
function versionOf(container: StoredResource): { etag: string; changedAt: number } {
  const data = dataOf(container);
  const etag = data.etag ?? String(container.system['itemEtag'] ?? '').replaceAll('"', '');
  return { etag, changedAt: data.changedAt ?? container.changedAt };
}

function changed(call: StorageCall, container: StoredResource): void {
  Object.assign(dataOf(container), { etag: newEtag(call.ids), changedAt: call.now });
  call.exchange.entry.effective = true;
}

const shortHeaders = (container: StoredResource): Record<string, string> => {
  const { etag, changedAt } = versionOf(container);
  return { etag: `"${etag}"`, 'last-modified': httpDate(changedAt) };
};

const accessOf = (container: StoredResource): string | undefined => {
  const access = String(objectOf(container.body['properties'])['publicAccess'] ?? 'None');
  return access === 'None' ? undefined : access.toLowerCase();
};

/** PUT of a container. */
export function createContainer(call: StorageCall): Reply {
  const [name = ''] = call.names;
  if (!containerName.test(name)) {
    throw refuse(400, 'InvalidResourceName', 'The specified resource name contains invalid characters.');
  }
  if (findContainer(call.state, call.account, 'blob', name)) {
    throw refuse(409, 'ContainerAlreadyExists', 'The specified container already exists.');
  }
  const publicAccess = publicAccessOf(call);
  const made = {
    name,
    etag: newEtag(call.ids),
    now: call.now,
    properties: { publicAccess, ...containerProperties(new Date(call.now).toISOString()) },
  };
  const container = makeContainer(call.state, call.account, 'blob', made);
  setProperties(container, { metadata: metadataOf(call) });
  call.exchange.entry.effective = true;
  return { status: 201, headers: shortHeaders(container) };
}

function publicAccessOf(call: StorageCall): 'None' | 'Blob' | 'Container' {
  const access = header(call, 'x-ms-blob-public-access');
  if (access === undefined) return 'None';
  if (at(call.account.body, 'properties.allowBlobPublicAccess') !== true) {
    throw refuse(409, 'PublicAccessNotPermitted', 'Public access is not permitted on this storage account.');
  }
  return access === 'blob' ? 'Blob' : 'Container';
}

/** GET and HEAD of a container, and `comp=metadata`. */
export function readContainer(call: StorageCall): Reply {
  const container = requireContainer(call);
  requireLease(call, dataOf(container), 'Container', false);
  const { status, state, duration } = leaseStatus(dataOf(container), call.now);
  const access = accessOf(container);
  const headers = {
    ...shortHeaders(container),
    ...metadataHeaders(metadataIn(container)),
    'x-ms-lease-status': status,
    'x-ms-lease-state': state,
    ...(duration ? { 'x-ms-lease-duration': duration } : {}),
    ...(access ? { 'x-ms-blob-public-access': access } : {}),
    'x-ms-has-immutability-policy': 'false',
    'x-ms-has-legal-hold': 'false',
    'x-ms-default-encryption-scope': '$account-encryption-key',
    'x-ms-deny-encryption-scope-override': 'false',
  };
  return { status: 200, headers };
}

/** `comp=metadata`. */
export function setContainerMetadata(call: StorageCall): Reply {
  const container = requireContainer(call);
  requireConditions(call, versionOf(container));
  setProperties(container, { metadata: metadataOf(call) });
  changed(call, container);
  return { status: 200, headers: shortHeaders(container) };
}

/** GET with `comp=acl`. */
export function readPoliciesOf(call: StorageCall): Reply {
  const container = requireContainer(call);
  const access = accessOf(container);
  const { headers, body } = policiesReply(dataOf(container).policies ?? []);
  const own = { ...shortHeaders(container), ...(access ? { 'x-ms-blob-public-access': access } : {}) };
  return { status: 200, headers: { ...headers, ...own }, body };
}

/** A document of stored access policies. */
export const policiesReply = (policies: readonly StoredPolicy[]) =>
  xmlReply(
    element(
      'SignedIdentifiers',
      ...policies.map(({ id, start, expiry, permission }) => {
        const policy = [leaf('Start', start), leaf('Expiry', expiry), leaf('Permission', permission)];
        return element('SignedIdentifier', leaf('Id', id), element('AccessPolicy', ...policy));
      }),
    ),
  );

/** PUT with `comp=acl`. */
export function setPolicies(call: StorageCall): Reply {
  const container = requireContainer(call);
  requireLease(call, dataOf(container), 'Container', false);
  setProperties(container, { publicAccess: publicAccessOf(call) });
  dataOf(container).policies = readPolicies(call.exchange.body.toString());
  changed(call, container);
  return { status: 200, headers: shortHeaders(container) };
}

/** `comp=lease`. */
export function leaseContainer(call: StorageCall): Reply {
  const container = requireContainer(call);
  return leaseAction(call, dataOf(container), 'Container', shortHeaders(container));
}

/** DELETE of a container with its blobs. */
export function deleteContainer(call: StorageCall): Reply {
  const container = requireContainer(call);
  requireConditions(call, versionOf(container));
  requireLease(call, dataOf(container), 'Container');
  call.state.resources.delete(container.id);
  call.exchange.entry.effective = true;
  return { status: 202 };
}

/** `comp=list` of the service: its containers. */
export function listContainers(call: StorageCall): Reply {
  const prefix = parameter(call, 'prefix') ?? '';
  const all = containersOf(call.state, call.account, 'blob').filter(({ name }) => name.startsWith(prefix));
  const { page, next } = pageOf(call, all);
  const withMetadata = (parameter(call, 'include') ?? '').includes('metadata');
  const items = page.map((container) => {
    const { etag, changedAt } = versionOf(container);
    const { status, state, duration } = leaseStatus(dataOf(container), call.now);
    const properties = element(
      'Properties',
      leaf('Last-Modified', httpDate(changedAt)),
      leaf('Etag', `"${etag}"`),
      leaf('LeaseStatus', status),
      leaf('LeaseState', state),
      leaf('LeaseDuration', duration),
      leaf('PublicAccess', accessOf(container)),
      leaf('DefaultEncryptionScope', '$account-encryption-key'),
      leaf('DenyEncryptionScopeOverride', false),
      leaf('HasImmutabilityPolicy', false),
      leaf('HasLegalHold', false),
    );
    const metadata = Object.entries(metadataIn(container)).map(([name, value]) => leaf(name, value));
    return element(
      'Container',
      leaf('Name', container.name),
      properties,
      withMetadata ? element('Metadata', ...metadata) : '',
    );
  });
  const content = [leaf('Prefix', prefix), element('Containers', ...items), leaf('NextMarker', next)].join('');
  return {
    status: 200,
    ...xmlReply(`<EnumerationResults ServiceEndpoint="${escaped(call.address)}/">${content}</EnumerationResults>`),
  };
}

/** `restype=service&comp=userdelegationkey`: the members of a key for signatures of the caller, but for its value. */
export function delegationMembers(call: StorageCall, tenantId: string): Record<string, string> {
  const text = (name: string) => leavesIn(call.exchange.body.toString(), name)[0]?.text ?? '';
  const [start, expiry] = [text('Start') || longDate(call.now), text('Expiry')];
  if (Number.isNaN(Date.parse(expiry)) || Date.parse(expiry) > Date.parse(start) + 7 * 86_400_000 + 60_000) {
    throw refuse(
      400,
      'InvalidXmlNodeValue',
      'The value for one of the XML nodes is not in the correct format: Expiry.',
    );
  }
  return {
    SignedOid: call.principalId ?? '',
    SignedTid: tenantId,
    SignedStart: start,
    SignedExpiry: expiry,
    SignedService: 'b',
    SignedVersion: header(call, 'x-ms-version') ?? '2026-02-06',
  };
}
