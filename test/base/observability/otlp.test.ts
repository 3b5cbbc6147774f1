import { expect, test } from '@jest/globals';
import { createDispatcher } from '../../../runtime/base/http/client.ts';
import { createLogger } from '../../../runtime/base/observability/log.ts';
import { createMetrics } from '../../../runtime/base/observability/metrics.ts';
import { OtlpExporter, type OtlpOptions } from '../../../runtime/base/observability/otlp.ts';
import { createTracer } from '../../../runtime/base/observability/tracing.ts';
import { afterwards } from '../../fakes/afterwards.ts';
import { eventually } from '../../fakes/eventually.ts';
import { type Handler, startWebServer, type WebServer } from '../../fakes/web-server.ts';

const accept: Handler = (_, response) => void response.writeHead(200).end('{}');

async function collector(handler: Handler = accept): Promise<WebServer> {
  const server = await startWebServer(handler);
  afterwards(() => server.close());
  return server;
}

function exporter(endpoint: string, more: Partial<OtlpOptions> = {}) {
  const dispatcher = createDispatcher({ proxy: 'none' });
  const metrics = createMetrics();
  const lines: string[] = [];
  const log = createLogger('test', { destination: { write: (line: string) => void lines.push(line) } });
  const resource = { 'service.name': 'test' };
  const created = new OtlpExporter({ endpoint, resource, dispatcher, log, metrics, intervalMs: 10, ...more });
  afterwards(
    () => dispatcher.close(),
    () => created.close(),
  );
  const count = async (result: string) => {
    const { values = [] } = (await metrics.getSingleMetric('azimuth_spans_total')?.get()) ?? {};
    return values.find(({ labels }) => labels['result'] === result)?.value ?? 0;
  };
  return { exporter: created, tracer: createTracer(created.add), lines, count };
}

// biome-ignore lint/suspicious/noExplicitAny: the JSON of a request
const spansOf = (body: string): any[] => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans;

test('spans arrive as OTLP has them: nested, timed, with attributes, failures and the resource', async () => {
  const server = await collector();
  const { tracer, exporter: out, count } = exporter(`${server.url}/base/`, { headers: 'x-key=a%20b,other=1' });
  const correlationId = '0123ABCD-0123-4abc-8def-0123456789ab';
  await expect(
    tracer.run(
      { name: 'outer', correlationId, attributes: { text: 'a', whole: 3, part: 0.5, flag: true, none: undefined } },
      () =>
        tracer.run({ name: 'inner', kind: 'client' }, async (span) => {
          span.set('late', 'yes');
          await new Promise((resolve) => setTimeout(resolve, 5));
          throw new Error('out of order');
        }),
    ),
  ).rejects.toThrow('out of order');
  await out.close();
  const [request] = server.received;
  expect(request).toMatchObject({
    method: 'POST',
    url: '/base/v1/traces',
    headers: { 'content-type': 'application/json', 'x-key': 'a b', other: '1' },
  });
  expect(JSON.parse(request?.body ?? '').resourceSpans[0].resource.attributes).toEqual([
    { key: 'service.name', value: { stringValue: 'test' } },
  ]);
  const [inner, outer] = spansOf(request?.body ?? '');
  expect(outer).toMatchObject({
    traceId: '0123abcd01234abc8def0123456789ab',
    spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
    name: 'outer',
    kind: 1,
    attributes: [
      { key: 'text', value: { stringValue: 'a' } },
      { key: 'whole', value: { intValue: '3' } },
      { key: 'part', value: { doubleValue: 0.5 } },
      { key: 'flag', value: { boolValue: true } },
    ],
    status: { code: 2, message: 'out of order' },
  });
  expect(outer.parentSpanId).toBeUndefined();
  expect(inner).toMatchObject({ traceId: outer.traceId, parentSpanId: outer.spanId, kind: 3 });
  expect(inner.attributes).toEqual([{ key: 'late', value: { stringValue: 'yes' } }]);
  expect(inner.startTimeUnixNano).toMatch(/^\d{19}$/);
  expect(BigInt(inner.endTimeUnixNano)).toBeGreaterThan(BigInt(inner.startTimeUnixNano));
  expect(await count('exported')).toBe(2);
});

test('work of two traces side by side is not mixed up', async () => {
  const server = await collector();
  const { tracer, exporter: out } = exporter(server.url);
  const one = (name: string) =>
    tracer.run({ name }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await tracer.run({ name: `${name} child` }, async () => undefined);
    });
  await Promise.all([one('a'), one('b')]);
  await out.close();
  const spans = server.received.flatMap(({ body }) => spansOf(body));
  for (const name of ['a', 'b']) {
    const [parent, child] = [name, `${name} child`].map((each) => spans.find((span) => span.name === each));
    expect(child).toMatchObject({ traceId: parent.traceId, parentSpanId: parent.spanId });
  }
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2);
});

test('a busy collector gets the same spans again, with one log line', async () => {
  let busy = 3;
  const server = await collector((_, response) => void response.writeHead(busy-- > 0 ? 503 : 200).end());
  const { tracer, lines, count } = exporter(server.url);
  await tracer.run({ name: 'kept' }, async () => undefined);
  await eventually('the span is exported', async () => (await count('exported')) === 1);
  expect(server.received.map(({ body }) => spansOf(body)[0].name)).toEqual(['kept', 'kept', 'kept', 'kept']);
  expect(lines.filter((line) => line.includes('cannot be exported'))).toHaveLength(1);
  expect(lines.filter((line) => line.includes('exported again'))).toHaveLength(1);
});

test('a dead collector costs spans, never work, and what waits is bounded', async () => {
  const { tracer, exporter: out, count } = exporter('http://127.0.0.1:1', { queueSize: 3 });
  for (let index = 0; index < 10; index++) await tracer.run({ name: 'lost' }, async () => undefined);
  await out.close();
  expect(await count('dropped')).toBe(10);
});

test('what is refused for good is dropped and counted', async () => {
  const server = await collector((_, response) => void response.writeHead(400).end());
  const { tracer, exporter: out, count } = exporter(server.url);
  await tracer.run({ name: 'bad' }, async () => undefined);
  await out.close();
  expect(await count('dropped')).toBe(1);
});

test.each([
  ['collector:4318', '', 'OTLP endpoint'],
  ['http://user:hunter2@collector:4318', '', 'without user and password'],
  ['http://collector:4318', 'hunter2', 'OTEL_EXPORTER_OTLP_HEADERS'],
])('the endpoint %s with the headers "%s" is refused, and the error has no secret', (endpoint, headers, named) => {
  const make = () => exporter(endpoint, { headers });
  expect(make).toThrow(named);
  try {
    make();
  } catch (error) {
    expect(String(error)).not.toContain('hunter2');
  }
});
