import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDispatcher } from '../../runtime/base/http/client.ts';
import { silentLogger } from '../../runtime/base/observability/log.ts';
import { createMetrics } from '../../runtime/base/observability/metrics.ts';
import { OtlpExporter } from '../../runtime/base/observability/otlp.ts';
import { createTracer } from '../../runtime/base/observability/tracing.ts';
import { startWebServer, type WebServer } from '../fakes/web-server.ts';
import { armRequests, startWorld, types, until, untilReady, type World } from './support.ts';

const limitMs = 60_000;
let world: World;
let collector: WebServer;
// biome-ignore lint/suspicious/noExplicitAny: spans in the JSON of OTLP
let spans: any[];

beforeAll(async () => {
  world = await startWorld();
  collector = await startWebServer((_, response) => void response.writeHead(200).end('{}'));
  const dispatcher = createDispatcher({ proxy: 'none' });
  const out = new OtlpExporter({
    endpoint: collector.url,
    resource: { 'service.name': 'azimuth-operator' },
    dispatcher,
    log: silentLogger,
    metrics: createMetrics(),
  });
  const operator = await world.startOperator({}, { tracer: createTracer(out.add) });
  await world.apply(types.group, 'traced', { location: 'westeurope' });
  await world.apply(types.account, 'tracedstore', {
    location: 'westeurope',
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    owner: { name: 'traced' },
  });
  await untilReady(world, types.account, 'tracedstore');
  await operator.stop();
  await out.close();
  await dispatcher.close();
  spans = collector.received.flatMap(({ body }) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans);
}, limitMs);
afterAll(async () => {
  await world?.close();
  await collector?.close();
});

// biome-ignore lint/suspicious/noExplicitAny: as above
const attribute = (span: any, name: string) => span.attributes.find(({ key }: { key: string }) => key === name)?.value;
const hex = (id: string) => id.replaceAll('-', '');

test('the PUT of a resource is a span below its effect, below the reconcile run of the object', () => {
  const put = spans.find(({ name }) => name === 'PUT Microsoft.Storage/storageAccounts');
  const effect = spans.find(({ spanId }) => spanId === put.parentSpanId);
  const pass = spans.find(({ spanId }) => spanId === effect.parentSpanId);
  expect([effect.name, pass.name]).toEqual(['beginCreateOrUpdate', 'apply StorageAccount']);
  expect(pass.parentSpanId).toBeUndefined();
  expect(attribute(pass, 'k8s.object.name')).toEqual({ stringValue: 'tracedstore' });
  expect(attribute(pass, 'k8s.namespace.name')).toEqual({ stringValue: 'default' });
  expect(attribute(pass, 'azure.resource_id')?.stringValue).toMatch(/storageAccounts\/tracedstore$/);
  expect(attribute(put, 'http.response.status_code')?.intValue).toMatch(/^20[0-2]$/);
  expect(put.kind).toBe(3);
});

test('one id connects the reconcile run, its log lines and every request to Azure, polls included', () => {
  const requests = armRequests(world, 'PUT', /storageAccounts\/tracedstore/);
  expect(requests).toHaveLength(1);
  const correlationId = String(requests[0]?.correlationId);
  const put = spans.find(({ name }) => name === 'PUT Microsoft.Storage/storageAccounts');
  expect(put.traceId).toBe(hex(correlationId));
  expect(world.log.filter((line) => line.includes(correlationId) && line.includes('"reconciled"'))).toHaveLength(1);

  // Operations are polled in later passes, each with an id of its own.
  const passes = new Set(spans.filter(({ name }) => name === 'apply StorageAccount').map(({ traceId }) => traceId));
  const polls = armRequests(world, 'GET', /asyncoperations|operationstatuses|operationresults|operations\//i);
  expect(polls.length).toBeGreaterThan(0);
  for (const poll of polls) expect(passes).toContain(hex(String(poll.correlationId)));
});

test('requests beside those of the resource have the id of its run too: tokens, roles, the registration', async () => {
  const { azure } = world;
  azure.settings.enforceRegistration = true;
  const begun = azure.journal.entries({}).at(-1)?.seq ?? 0;
  const operator = await world.startOperator();
  await world.apply(types.identity, 'follower', { location: 'westeurope', owner: { name: 'traced' } });
  await untilReady(world, types.identity, 'follower');
  await world.apply(types.roleAssignment, 'follows', {
    owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'traced' },
    principalId: azure.tenantId,
    principalType: 'ServicePrincipal',
    roleDefinitionReference: { wellKnownName: 'Reader' },
  });
  await until('Azure has the role assignment', async () => armRequests(world, 'PUT', /roleAssignments/).length > 0);
  await operator.stop();
  const passes = new Set(
    world.log.map((line) => JSON.parse(line)).flatMap(({ correlationId, uid }) => (uid ? [correlationId] : [])),
  );
  const requests = azure.journal.entries({}).filter(({ seq, service }) => seq > begun && /^(arm|aad)$/.test(service));
  const kinds = [/\/register$/, /Microsoft\.ManagedIdentity$/, /\/roleDefinitions$/, /oauth2\/v2\.0\/token$/];
  for (const kind of kinds) expect(requests.some(({ path }) => kind.test(path))).toBe(true);
  const strays = requests.filter(({ correlationId }) => !passes.has(correlationId));
  expect(strays.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});
