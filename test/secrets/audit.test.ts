import { expect, test } from '@jest/globals';
import { ManualClock } from '../../runtime/base/clock.ts';
import type { ObjectEvent } from '../../runtime/kube/events/event-object.ts';
import type { EventRecorder } from '../../runtime/kube/events/recorder.ts';
import { type AuditedRequest, SecretAudit } from '../../runtime/secrets/audit.ts';
import { HttpError } from '../../runtime/secrets/protocol/http-error.ts';
import type { EndpointSecret } from '../../runtime/secrets/secrets/managed-secrets.ts';

const object = { metadata: { namespace: 'shop', name: 'key', uid: 'u' } } as EndpointSecret;

function audited() {
  const clock = new ManualClock(1_700_000_000_000);
  const lines: Record<string, unknown>[] = [];
  const events: ObjectEvent[] = [];
  const audit = new SecretAudit({
    clock,
    lines: { write: (text) => void lines.push(JSON.parse(text)) },
    events: { record: (event: ObjectEvent) => void events.push(event) } as unknown as EventRecorder,
  });
  const refuse = (objectId: string | undefined, times = 1) => {
    const caller = objectId === undefined ? undefined : { objectId, clientId: undefined };
    const request = { address: '10.0.0.1', caller, namespace: 'shop', name: 'key', object } as AuditedRequest;
    for (let i = 0; i < times; i++) audit.refused(request, new HttpError('not_a_consumer', 'no'));
  };
  const counts = () => lines.filter(({ count }) => count !== undefined).map(({ objectId, count }) => [objectId, count]);
  return { clock, lines, events, audit, refuse, counts };
}

test('a caller who is refused a thousand times a second leaves 20 lines and a number, and hides no other caller', async () => {
  const { clock, lines, events, refuse, counts } = audited();
  refuse('noisy', 1000);
  refuse('quiet');
  expect(lines.filter(({ objectId }) => objectId === 'noisy')).toHaveLength(20);
  expect(lines.filter(({ objectId }) => objectId === 'quiet')).toHaveLength(1);
  expect(events).toHaveLength(21);
  await clock.advance(1000);
  refuse('noisy');
  expect(counts()).toEqual([['noisy', 980]]);
  expect(lines.at(-1)).toMatchObject({ objectId: 'noisy', reason: 'not_a_consumer' });
});

test('callers without a valid token have 100 lines together', async () => {
  const { clock, lines, refuse, counts } = audited();
  refuse(undefined, 250);
  refuse('known');
  expect(lines).toHaveLength(101);
  await clock.advance(1000);
  refuse('known');
  expect(counts()).toEqual([[undefined, 150]]);
});

test('ten thousand callers in a second have bounded lines', async () => {
  const { clock, lines, refuse, counts } = audited();
  for (let i = 0; i < 10_000; i++) refuse(`caller-${i}`);
  expect(lines).toHaveLength(520);
  await clock.advance(1000);
  refuse('caller-1');
  expect(counts()).toEqual([['others', 9480]]);
});

test('the number is written without a further request, and when the program ends', async () => {
  const { clock, audit, refuse, counts } = audited();
  const stop = new AbortController();
  const running = audit.run(stop.signal);
  refuse('noisy', 30);
  await clock.advance(1000);
  expect(counts()).toEqual([['noisy', 10]]);
  refuse('noisy', 25);
  stop.abort();
  await running;
  expect(counts()).toEqual([
    ['noisy', 10],
    ['noisy', 5],
  ]);
});
