/** How each suite of the cases runs one row. */
import { expect } from '@jest/globals';
import { crdManifest } from '../../runtime/api/crd.ts';
import { podIdentityKinds } from '../../runtime/api/kinds.ts';
import { compareBindings, isExcepted, matchIdentities } from '../../runtime/api/pod-identity/matching.ts';
import { cloudByName } from '../../runtime/azure/clouds.ts';
import { retryAfterOf } from '../../runtime/base/http/retry-after.ts';
import { createMetrics } from '../../runtime/base/observability/metrics.ts';
import { assignedObject } from '../../runtime/identity/assignments/assigned-object.ts';
import type { Desired } from '../../runtime/identity/assignments/desired.ts';
import { machineOf } from '../../runtime/identity/attachments/machine.ts';
import { cloudConfigVariables, clusterIdentityOf, parseCloudConfig } from '../../runtime/identity/cloud-config.ts';
import { identitySettings, ignoredFlags } from '../../runtime/identity/config.ts';
import { identityMetrics } from '../../runtime/identity/identity-metrics.ts';
import { batches, identitiesNamedIn, identityPatch } from '../../runtime/identity/machines/machine-identity.ts';
import { type Binding, type Identity, isCandidate, type Pod } from '../../runtime/identity/objects.ts';
import { identityProblem, isIdentityId } from '../../runtime/identity/verification/validity.ts';
import { nmiConfig, retiredFlags, settings } from '../../runtime/nmi/config/config.ts';
import { isKubenet } from '../../runtime/nmi/config/kubenet.ts';
import { readTarget } from '../../runtime/nmi/http/request-target.ts';
import { nmiMetricTable } from '../../runtime/nmi/nmi-metrics.ts';
import { canonicalAddress } from '../../runtime/nmi/pods/pod-by-address.ts';
import { tokenBody } from '../../runtime/nmi/protocol/token-body.ts';
import { parseTokenRequest, readTokenRequest, redactId } from '../../runtime/nmi/protocol/token-request.ts';
import * as nmi from '../nmi/harness.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows have the members that their suite says
export type Row = Record<string, any>;
export const lower = (texts: readonly string[]) => texts.map((text) => text.toLowerCase());
export const base = { apiVersion: '', kind: '' };
export const named = ({ ns, name, annotations }: Row) => ({ namespace: ns, name, ...(annotations && { annotations }) });

export const runs: Readonly<Record<string, (row: Row) => void | Promise<void>>> = {
  resource_id_validation: ({ input, mic_valid }) => expect(isIdentityId(input)).toBe(mic_valid),
  identity_map_filter: ({ identities, expected_keys, lookups }) => {
    const kept = identities.filter((spec: Row) => !identityProblem(spec)).map(({ ns, name }: Row) => `${ns}/${name}`);
    expect(kept.sort()).toEqual(expected_keys);
    for (const { ns, name, present } of lookups) expect(kept.includes(`${ns}/${name}`)).toBe(present);
  },
  gatekeeper_admission: ({ type, resourceID, admit }) =>
    expect(identityProblem({ type, resourceID }) === undefined).toBe(admit),
  redact_client_id: ({ input, expected }) => expect(redactId(input)).toBe(expected),
  kubenet_detection: ({ file, kubenet }) => expect(isKubenet(file)).toBe(kubenet),
  parse_provider_id: ({ id, error, isVMSS, name, resourceGroup, subscription }) => {
    const machine = machineOf(id.startsWith('/') ? `azure://${id}` : id);
    expect(machine === undefined).toBe(error === true);
    if (!machine) return;
    expect(machine.kind).toBe(isVMSS ? 'vmss' : 'vm');
    expect(machine.id).toMatch(`/subscriptions/${subscription}/resourceGroups/${resourceGroup}/`);
    expect(machine.id.split('/').at(-1)).toBe(name);
  },
  vmss_id_and_name: ({ providerID, group, arm_name }) => {
    const parts = machineOf(providerID)?.id.split('/') ?? [];
    expect(parts.length === 0 ? null : [parts[2], parts[4], parts[8]].join('/')).toBe(group);
    expect(parts.at(-1)).toBe(arm_name);
  },
  extract_ids_from_arm_error: ({ error, ids }) => expect(identitiesNamedIn(error)).toEqual(lower(ids)),
  retry_after_header: ({ header, seconds }) => {
    const now = Date.UTC(2026, 0, 2, 3, 4, 5);
    const date = `${new Date(now + 180_000)
      .toUTCString()
      .replace(' 2026 ', ' 26 ')
      .replace(/^\w+, /, '')}`;
    const value = header?.startsWith('<') ? date : header;
    expect((retryAfterOf(value === null ? {} : { 'retry-after': value }, now) ?? 0) / 1000).toBe(seconds);
  },
  cluster_identity: ({ expected, ...config }) =>
    expect(clusterIdentityOf(parseCloudConfig(JSON.stringify(config), 'the row'))).toBe(expected),
  resource_identity_type_transition: ({ current, expected }) => {
    const patch = identityPatch({ type: current, ids: new Set() }, new Map([['id', true]]));
    expect(patch?.body).toMatchObject({ identity: { type: expected } });
  },
  set_user_identities: ({ type, existing, changes, requires_patch, patch_type, patch_map }) => {
    const patch = identityPatch({ type, ids: new Set(lower(existing)) }, new Map(Object.entries(changes)));
    const map = patch_map === null ? {} : { userAssignedIdentities: patch_map };
    expect(patch?.body).toEqual(requires_patch ? { identity: { type: patch_type, ...map } } : undefined);
  },
  patch_batching: ({ count, batches: sizes }) => {
    const made = batches(new Map(Array.from({ length: count }, (_, i) => [`id${i}`, true])));
    expect(made.map(({ size }) => size)).toEqual(sizes);
  },
  update_user_msi_sequence: ({ add, remove, after }) => {
    const [adds, removes] = [lower(add ?? []), lower(remove ?? [])];
    const ids = new Set([...lower(after).filter((id) => !adds.includes(id)), ...removes]);
    const changes = new Map([...adds.map((id) => [id, true] as const), ...removes.map((id) => [id, false] as const)]);
    const patch = identityPatch({ type: 'UserAssigned', ids }, changes);
    expect([...(patch?.after.ids ?? ids)].sort()).toEqual(lower(after).sort());
    expect(patch === undefined).toBe(changes.size === 0);
    if (after.length === 0) expect(patch?.body).toEqual({ identity: { type: 'None' } });
  },
  binding_sort: ({ input, expected }) => {
    const sorted = input.map((row: Row) => ({ metadata: named(row) })).sort(compareBindings);
    expect(sorted).toEqual(expected.map((row: Row) => ({ metadata: named(row) })));
  },
  binding_match: (row) => expect(matched(row)).toEqual(row['expected']),
  managed_binding_lookup: ({ pod_ns, label, bindings, identities, expected }) => {
    const [known, pod] = [identities.map(identityOf), { ns: pod_ns, name: 'p', label, node: 'n' }];
    const all = bindings.map((each: Row, i: number) => ({ ...each, name: `b${i}` }));
    const names = matched({ pod, bindings: all, identities: known, forceNamespaced: true });
    expect(names).toEqual(expected.map((key: string) => `${key.split('/')[0]}/p-${pod_ns}-${key.split('/')[1]}`));
  },
  assigned_identity_object: ({ pod, identity, binding, expected }) => {
    const made = assignedObject(
      {
        key: `${expected.metadata.namespace}/${expected.metadata.name}`,
        pod: { ...base, metadata: named(pod) },
        binding: { ...base, kind: 'AzureIdentityBinding', metadata: named(binding), spec: { selector: 's' } },
        identity: { ...base, kind: 'AzureIdentity', metadata: named(identity), spec: { type: 0 } },
        node: pod.node,
      } as Desired,
      'Created',
    );
    const { azureIdentityRef: _, azureBindingRef: __, ...spec } = expected.spec;
    expect(made).toMatchObject({ ...expected, spec });
    expect(made.spec?.azureIdentityRef).toMatchObject({ kind: 'AzureIdentity', metadata: { name: identity.name } });
    expect(made.spec?.azureBindingRef).toMatchObject({ kind: 'AzureIdentityBinding', spec: { selector: 's' } });
  },
  pod_exception: ({ labels, exceptions, excepted }) => {
    const all = exceptions.map((spec: Row) => ({ metadata: { namespace: 'a', name: 'e' }, spec }));
    expect(isExcepted({ metadata: { namespace: 'a', name: 'p', labels } }, all)).toBe(excepted);
  },
  nmi_routes_upstream: ({ path, handler }) => {
    expect(readTarget(path, true).route).toBe(handler === 'instance' ? 'forbidden' : handler);
    if (handler === 'instance') expect(readTarget(path, false).route).toBe('passthrough');
  },
  nmi_routes_extra: ({ target, handler, handler_when_blocking, location }) => {
    // The machine's other identity paths are for its own identity, so the daemon answers them and forwards none.
    const others = /^\/metadata\/identity(\/|$)/.test(target) ? 'unknown' : 'passthrough';
    const route = (name: string) => (name === 'default' ? others : name);
    expect(readTarget(target, false)).toMatchObject({ route: route(handler), ...(location && { location }) });
    expect(readTarget(target, true).route).toBe(route(handler_when_blocking));
  },
  metadata_header: async ({ required, header, passes, status, content_type, body }) => {
    await using daemon = await nmi.startNmi({ args: [`--metadata-header-required=${required}`] });
    await nmi.simple(daemon);
    const answer = await daemon.token('127.0.0.5', {}, { headers: header === null ? {} : { metadata: header } });
    // The metadata endpoint ignores the case of the value, and some SDKs send `True`.
    expect(answer.status).toBe(passes || header === 'True' ? 200 : status);
    if (content_type) expect(answer.headers['content-type']).toBe(content_type);
    if (body) expect(answer.body).toBe(body);
  },
  token_request_parse: ({ url, clientID: clientId, resourceID: resourceId, resource }) =>
    expect(parseTokenRequest(new URL(url).searchParams)).toMatchObject({ clientId, resourceId, resource }),
  resource_param_required: ({ resource, ok, status, body }) => {
    const read = () => readTokenRequest(new URLSearchParams({ resource }));
    if (ok) expect(read).not.toThrow();
    else expect(read).toThrow(expect.objectContaining({ status, text: body.trim() }));
  },
  remote_addr_parse: ({ addr, ip }) =>
    // Node tells address and port apart; what is left is the text before the port.
    expect(canonicalAddress(addr.replace(/^\[(.*)\]:\d+$/, '$1').replace(/(?<!:):\d+(:\d+)?$/, ''))).toBe(ip),
  token_json: ({ component, token, wire }) => {
    if (component !== 'nmi') return;
    const { expires_in, expires_on, not_before, resource } = token;
    const issued = { token: nmi.fakeToken({ nbf: Number(not_before) }), expiresOn: Number(expires_on) * 1000 };
    const body = tokenBody(issued, resource, (Number(expires_on) - Number(expires_in)) * 1000);
    expect(body.replace(issued.token, token.access_token)).toBe(wire);
  },
  standard_get_identities: (row) => chosen(row, 'standard', row['forceNamespaced']),
  managed_get_identities: (row) => chosen({ ...row, states: { Assigned: row['identities'] } }, 'managed', true),
  cloud_environments: ({ name, ad, arm, mic_error, from_file_env, is }) => {
    if (from_file_env) return;
    if (is) expect(cloudByName(name).name).toBe(is);
    else if (mic_error) expect(() => cloudByName(name)).toThrow();
    else {
      const { authorityHost, resourceManagerEndpoint } = cloudByName(name.toLowerCase());
      expect([authorityHost, resourceManagerEndpoint].map((url) => url.replace(/\/*$/, '/'))).toEqual([ad, arm]);
    }
  },
  metrics: ({ name, labels, buckets, outside: none }) => {
    if (none) return;
    const registry = createMetrics();
    identityMetrics(registry, { desired: () => 0, machines: () => 0, certificates: () => [] });
    const own = nmiMetricTable[`aadpodidentity_${name}` as keyof typeof nmiMetricTable];
    const metric = registry.getSingleMetric(`aadpodidentity_${name}`) as Row | undefined;
    expect(own?.labelNames ?? metric?.['labelNames']).toEqual(labels ?? ['operation_type']);
    if (buckets && metric?.['upperBounds']) expect(metric['upperBounds']).toEqual(expect.arrayContaining(buckets));
  },
  flags_mic: (row) => {
    const own = Object.values(identitySettings).flatMap(({ flag, aliases = [] }: Row) => [flag, ...aliases]);
    expect([...own, ...Object.keys(ignoredFlags), 'version']).toEqual(expect.arrayContaining(Object.keys(row)));
  },
  flags_nmi: (row) => {
    const values: Row = {};
    for (const { flag, aliases = [], default: value } of Object.values(settings) as Row[]) {
      for (const name of [flag, ...aliases]) values[name] = value;
    }
    for (const [flag, value] of Object.entries(row)) {
      const retired = flag in retiredFlags || flag === 'version';
      expect([flag, retired ? 'retired' : values[flag]]).toEqual([flag, retired ? 'retired' : String(value)]);
    }
  },
  operation_mode: ({ mode, ok, forceNamespaced, error }) => {
    const args = [`--operation-mode=${mode.toUpperCase()}`, `--forceNamespaced=${forceNamespaced ?? false}`];
    const config = () => nmiConfig(['--node=n', ...args], {});
    if (ok) expect(config()).toMatchObject({ mode });
    else expect(config).toThrow(error);
  },
  cloud_config_file: ({ key, env, auth }) => {
    const variables: Row = cloudConfigVariables;
    // Upstream parses two more and uses them for nothing; how it signs in by which is in identity/config.test.ts.
    if (!auth) expect(variables[key] ?? null).toBe(env === null ? null : env.split(' ')[0]);
  },
  crd: ({ kind, plural, singular, columns, spec, status }) => {
    const definition = podIdentityKinds.find((each) => each.kind === kind);
    const { spec: crd } = crdManifest(definition as never) as Row;
    expect(crd.names).toMatchObject({ kind, plural, singular });
    const [version] = crd.versions;
    const own = (version.additionalPrinterColumns ?? []).map((each: Row) => [
      each['name'],
      each['jsonPath'],
      each['type'],
    ]);
    expect(own).toEqual(expect.arrayContaining(columns));
    const { properties } = version.schema.openAPIV3Schema;
    expect(Object.keys(properties.spec.properties)).toEqual(expect.arrayContaining(Object.keys(spec)));
    expect(Object.keys(properties.status.properties)).toEqual(expect.arrayContaining(Object.keys(status)));
  },
  crd_case_sensitivity: ({ old, new: now }) => {
    const schemas = podIdentityKinds.map((kind) => crdManifest(kind) as Row);
    const all = schemas.flatMap(({ spec }) =>
      Object.keys(spec.versions[0].schema.openAPIV3Schema.properties.spec.properties),
    );
    expect(all).toContain(now);
    expect(all).not.toContain(old);
  },
};

/** Names of the assignments that the controller would make. */
export function matched({ pod, bindings, identities, forceNamespaced = false }: Row): string[] {
  const thePod = {
    ...base,
    metadata: { ...named(pod), labels: pod.label ? { aadpodidbinding: pod.label } : {} },
    spec: { nodeName: pod.node },
    status: { phase: pod.phase ?? 'Running' },
  } as Pod;
  if (!isCandidate(thePod)) return [];
  const known = identities.map((each: Row): Identity => {
    const { ns: _, name: __, annotations: ___, ...spec } = each;
    return { ...base, metadata: named(each), spec };
  });
  const matches = matchIdentities(
    thePod,
    bindings.map(
      ({ selector, azureIdentity, ...each }: Row): Binding => ({
        ...base,
        metadata: named(each),
        spec: { selector, azureIdentity },
      }),
    ),
    (key) =>
      known.find(
        ({ metadata, spec }: Identity) =>
          metadata.namespace === key.namespace &&
          metadata.name === key.name &&
          (spec?.type === undefined || !identityProblem(spec)),
      ),
    forceNamespaced,
  );
  return matches.map(({ assigned }) => `${assigned.namespace}/${assigned.name}`);
}

export function identityOf(key: string): Row {
  const [ns, name] = key.split('/');
  return { ns, name };
}

/** Asks the daemon for a token where these identities are assigned, or bound in managed mode. */
export async function chosen(row: Row, mode: 'standard' | 'managed', force: boolean): Promise<void> {
  const args = [
    '--retry-attempts-for-created=0',
    '--retry-attempts-for-assigned=0',
    '--find-identity-retry-interval=0',
  ];
  await using daemon = await nmi.startNmi({
    args: [...args, `--operation-mode=${mode}`, `--forceNamespaced=${force}`],
  });
  const pod = nmi.pod({ namespace: row['pod_namespace'] });
  for (const [state, identities] of Object.entries(row['states'] as Record<string, Row[]>)) {
    for (const { ns, name, clientID, resourceID } of identities) {
      // Rows without a client id get the one under which the metadata endpoint of these tests knows the resource.
      const made = nmi.identity(name, { clientID: clientID || resourceID || `own-${name}`, resourceID }, ns);
      await daemon.kube.put(nmi.identitiesType, made);
      await daemon.kube.put(nmi.bindingsType, nmi.binding(name, { azureIdentity: name }, ns));
      await daemon.kube.put(nmi.assignedType, nmi.assigned(pod, made, state, force ? ns : 'default'));
    }
  }
  await daemon.kube.put(nmi.podsType, pod);
  const query = { client_id: row['client_id'], msi_res_id: row['resource_id'] };
  const answer = await daemon.token('127.0.0.5', query);
  // SDKs retry 404 for up to 100 s; 400 is the metadata endpoint's answer, and `--no-identity-status=404` the former one.
  expect(answer.status).toBe(row['expect_error'] ? 400 : 200);
  if (row['expect_error']) return;
  const line = daemon.log.find(({ outcome }) => outcome === 'issued');
  expect(line?.['identity']).toBe(row['expect_identity']);
}
